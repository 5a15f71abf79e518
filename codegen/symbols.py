"""Values of dims, attributes and index expressions at the level of the operator, and the constraints on them."""

import operator as comparisons
from collections.abc import Mapping

import numpy as np
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import evaluate
from ..dialect.spec.ops import AttrOp, DimOp, IndexOp, LengthOp, OperatorOp, RequireOp
from ..dialect.spec.signature import Signature
from .attributes import AttrValue, constant_value
from .dtypes import DTYPES
from .scalars import apply
from .symbol_text import definition_text, listed, requirement_text, symbol_name


def symbol_values(operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue]) -> dict[SSAValue, int]:
    """Return the value of each dim, integer attribute and index at the level of the operator.

    An index that divides by 0 has no value: using it is an error, defining it is none.
    """
    values: dict[SSAValue, int] = {}
    for op in operator.body.block.ops:
        match op:
            case DimOp(label=label) if label.data in dims:
                values[op.result] = dims[label.data]
            case AttrOp(label=label) if isinstance(value := attrs.get(label.data), int):
                values[op.result] = value
            case LengthOp() if isinstance(value := attrs.get(listed(op)), tuple):
                values[op.result] = len(value)
            case ConstantOp(value=IntegerAttr(value=number)):
                values[op.result] = number.data
            case IndexOp() if all(operand in values for operand in op.operands_):
                _set_index(op, values)
            case _ if op.results and all(operand in values for operand in op.operands):
                _set_scalar(op, values)
            case _:
                pass
    return values


def _set_scalar(op: Operation, values: dict[SSAValue, int]) -> None:
    """Evaluate an operation of arith on integers."""
    dtype = DTYPES.get(op.results[0].type)
    if dtype is not None and dtype.kind in "bi":
        found = apply(op, [np.asarray(values[v], DTYPES[v.type]) for v in op.operands], dtype)
        if found is not None:
            values[op.results[0]] = int(found)


def _set_index(op: IndexOp, values: dict[SSAValue, int]) -> None:
    try:
        values[op.result] = evaluate(op.indices.data[0], [values[v] for v in op.operands_])
    except ZeroDivisionError:
        return


def define_dims(operator: OperatorOp, bound: Mapping[str, int], attrs: Mapping[str, AttrValue]) -> dict[str, int]:
    """Return the size of every dim: by the shapes, by its definition, or 0 where only absent tensors name it.

    Raises:
        Diagnostic: OPW204 where definition and shapes disagree, OPW209 for a definition that has no value.
    """
    ops = Signature.of(operator).dims
    dims = {op.label.data: bound.get(op.label.data, 0) for op in ops if op.definition is None}
    for op in ops:
        if op.definition is not None:
            name, size = op.label.data, _defined(op, symbol_values(operator, dims, attrs))
            if bound.get(name, size) != size:
                text = f"dim {name} is {bound[name]} by the shapes, it must be {size} = {definition_text(op)}"
                raise Diagnostic("OPW204", text)
            dims[name] = size
    return {op.label.data: dims[op.label.data] for op in ops}


def _defined(op: DimOp, values: Mapping[SSAValue, int]) -> int:
    assert op.definition is not None
    try:
        return evaluate(op.definition.data[0], [values[v] for v in op.operands_])
    except ZeroDivisionError as error:
        found = ", ".join(f"{symbol_name(v)} = {values[v]}" for v in op.operands_)
        text = f"dim {op.label.data} = {definition_text(op)} has no value: division by 0 with {found}"
        raise Diagnostic("OPW209", text) from error


def check_sizes(operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue]) -> None:
    """Refuse sizes below 0: those of dims, and attributes of type index.

    Raises:
        Diagnostic: OPW213.
    """
    signature = Signature.of(operator)
    for op in signature.attrs:
        value = attrs[op.label.data]
        if op.result.type == IndexType() and isinstance(value, int) and value < 0:
            raise Diagnostic("OPW213", f"attribute '{op.label.data}' is {value}, it must not be negative")
    values = symbol_values(operator, dims, attrs)
    for op in signature.dims:
        if dims[op.label.data] < 0:
            found = ", ".join(f"{symbol_name(v)} = {values[v]}" for v in op.operands_ if v in values)
            text = f"dim {op.label.data} = {definition_text(op)} is {dims[op.label.data]}, it must not be negative"
            raise Diagnostic("OPW213", text, hint=f"with {found}" if found else "")


COMPARE = {"<=": comparisons.le, "<": comparisons.lt, ">=": comparisons.ge, ">": comparisons.gt, "==": comparisons.eq}


def check_requirements(
    operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue]
) -> list[tuple[int, str]]:
    """Return (error code, text) of each constraint of the document that does not hold, in the order of the spec."""
    values = symbol_values(operator, dims, attrs)
    signature = Signature.of(operator)
    broken = [
        (op.code.data, f"{requirement_text(op)} does not hold: {_found(op, values)}")
        for op in signature.requirements
        if not requirement_holds(op, values)
    ]
    return broken + [found for op in signature.attrs if (found := _not_allowed(op, attrs)) is not None]


def _not_allowed(op: AttrOp, attrs: Mapping[str, AttrValue]) -> tuple[int, str] | None:
    if op.allowed is None or op.code is None:
        return None
    name = op.label.data
    allowed = [constant_value(value, op.result.type) for value in op.allowed]
    if attrs[name] in allowed:
        return None
    return op.code.data, f"attribute '{name}' is {attrs[name]!r}, it must be {' or '.join(repr(v) for v in allowed)}"


def requirement_holds(op: RequireOp, values: Mapping[SSAValue, int]) -> bool:
    """Return whether a constraint holds; one that divides by 0 does not."""
    operands = [values[v] for v in op.operands_]
    pairs = zip(op.lhs.data, op.rhs.data, strict=True)
    try:
        return all(COMPARE[op.comparison.data](evaluate(a, operands), evaluate(b, operands)) for a, b in pairs)
    except ZeroDivisionError:
        return False


def _found(op: RequireOp, values: Mapping[SSAValue, int]) -> str:
    return ", ".join(f"{symbol_name(v)} = {values[v]}" for v in op.operands_)
