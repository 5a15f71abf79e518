"""Types of the values that are read and written."""

from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Attribute

from ...diagnostics import Diagnostic, in_source
from ..attrs import DTypeVar, compute_type, is_integer, tensor_type
from ..ops import ComputeOp, InputOp, ReadOp, WriteOp
from .symbols import Symbols


def verify(compute: ComputeOp, symbols: Symbols) -> None:
    """Verify all reads and writes of a compute."""
    for op in compute.walk():
        if isinstance(op, ReadOp):
            _verify_read(op, symbols)
        elif isinstance(op, WriteOp):
            _verify_write(op, tensor_type(compute.results_[op.number.data]).element_type)


def _verify_read(op: ReadOp, symbols: Symbols) -> None:
    allowed = _readable(tensor_type(op.tensor).element_type, symbols)
    if op.result.type not in allowed:
        text = f"elements of {tensor_type(op.tensor)} are not read as {op.result.type}"
        raise Diagnostic("OPW130", text, op, "they are read as " + " or ".join(str(t) for t in allowed))
    for name, value in (("else", op.outside), ("absent", op.absent)):
        if value is not None and value.type != op.result.type:
            raise Diagnostic("OPW131", f"'{name}' is of type {value.type}, the element is {op.result.type}", op)
    optional = isinstance(op.tensor.owner, InputOp) and op.tensor.owner.may_be_absent
    if optional and op.absent is None:
        hint = f"say what stands for it: {in_source(op, python='.absent(value)', mlir='absent %v')}"
        raise Diagnostic("OPW132", "an optional tensor is read without a value for its absence", op, hint)
    if op.absent is not None and not optional:
        raise Diagnostic("OPW133", "'absent' stands at a tensor that is always there", op, "remove it")


def _readable(element: Attribute, symbols: Symbols) -> list[Attribute]:
    """Return the types as which an element may be read."""
    if isinstance(element, DTypeVar):
        choices = [column.get(element.label.data) for column in symbols.columns]
        return [IndexType()] if any(isinstance(c, IntegerType) for c in choices) else [compute_type(element)]
    types = [compute_type(element), element]
    if is_integer(element):
        types.append(IndexType())
    return list(dict.fromkeys(types))


def _verify_write(op: WriteOp, element: Attribute) -> None:
    if op.guard is not None and op.guard.type != i1:
        raise Diagnostic("OPW135", f"the guard is of type {op.guard.type}, not i1", op, "compare first")
    if op.combine and i1 in (op.value.type, element):
        hint = "count in integers, or combine with arith.andi and arith.ori"
        raise Diagnostic("OPW126", f"booleans do not combine by '{op.combine}'", op, hint)
    allowed = [compute_type(element)] if isinstance(element, DTypeVar) else [compute_type(element), element]
    if op.value.type not in allowed:
        text = f"a value of type {op.value.type} is written to elements of {element}"
        raise Diagnostic("OPW125", text, op, "they take " + " or ".join(dict.fromkeys(str(t) for t in allowed)))
