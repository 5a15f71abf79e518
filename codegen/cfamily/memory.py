"""Rules for element access: row-major, with 64-bit offsets."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from .expr import Expr, Level, infix, subscript
from .printer import ExpressionRule, Printer, StatementRule


def extents(printer: Printer, array: SSAValue, op: Operation) -> list[Expr]:
    """Return the sizes of a memref; the first one, which no offset needs, may be missing as an empty expression.

    Raises:
        Diagnostic: OPW444 for a size that nobody told, or a layout that is not row-major.
    """
    array_type = memref_type(array)
    if not isinstance(array_type.layout, NoneAttr):
        raise Diagnostic("OPW444", f"{array_type} is not a row-major array", op, "copy it to one that is")
    known = printer.extents.get(array)
    sizes = [_extent(size, known[n] if known else None) for n, size in enumerate(array_type.get_shape())]
    for dim, size in enumerate(sizes[1:], start=1):
        if not size.text:
            hint = "give the function's argument the attribute tile.dims"
            raise Diagnostic("OPW444", f"the size of dim {dim} of {array_type} is not known", op, hint)
    return sizes


def memref_type(array: SSAValue) -> MemRefType[Attribute]:
    """Return the type of a value that is known to be a memref."""
    return cast("MemRefType[Attribute]", array.type)


def _extent(size: int, known: Expr | None) -> Expr:
    if size != DYNAMIC_INDEX:
        return Expr(str(size), literal=True)
    return known if known is not None else Expr("")


def offset(printer: Printer, array: SSAValue, indices: Sequence[SSAValue], op: Operation) -> Expr:
    """Return the number of elements before an element: `(i * B + j) * H + h`."""
    if not indices:
        return Expr("0", literal=True)
    result, *inner = (printer.value(index) for index in indices)
    for size, index in zip(extents(printer, array, op)[1:], inner, strict=True):
        result = _plus(_times(result, size), index)
    return result


def _times(lhs: Expr, rhs: Expr) -> Expr:
    if lhs.text == "0" or rhs.text == "1":
        return lhs
    return infix("*", Level.MULTIPLY, lhs, rhs) if lhs.text != "1" else rhs


def _plus(lhs: Expr, rhs: Expr) -> Expr:
    """Return a sum of offsets; 64-bit addition may be regrouped, so the right side needs no parentheses."""
    if lhs.text == "0":
        return rhs
    if rhs.text == "0":
        return lhs
    return Expr(f"{lhs.at(Level.ADD)} + {rhs.at(Level.ADD)}", Level.ADD)


def load(printer: Printer, op: memref.LoadOp) -> Expr:
    """Print the read of an element."""
    return subscript(printer.value(op.memref), offset(printer, op.memref, op.indices, op))


def store(printer: Printer, op: memref.StoreOp) -> None:
    """Print the write of an element."""
    place = subscript(printer.value(op.memref), offset(printer, op.memref, op.indices, op))
    printer.line(f"{place} = {printer.value(op.value)};")


def alloca(printer: Printer, op: memref.AllocaOp) -> None:
    """Print the declaration of a local array.

    Raises:
        Diagnostic: OPW446 where its size is not a constant.
    """
    shape = memref_type(op.memref).get_shape()
    if DYNAMIC_INDEX in shape:
        text = f"a local array of type {op.memref.type} has no form in this language"
        raise Diagnostic("OPW446", text, op, "give it a constant size")
    printer.declare_array(op.memref, max(prod(shape), 1), op)


MEMORY_EXPRESSIONS: Mapping[type[Operation], ExpressionRule] = {memref.LoadOp: load}
MEMORY_STATEMENTS: Mapping[type[Operation], StatementRule] = {memref.AllocaOp: alloca, memref.StoreOp: store}
