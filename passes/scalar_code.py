"""Operations of a compute's body as code of a stage: element accesses, index arithmetic, and everything else cloned."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ..dialect.spec import IndexOp, ReadOp, SearchOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import SearchOp as FindOp
from .constants import constant_value
from .index_code import Code
from .ragged_guards import follows_data
from .spec_scope import Scope, resolve


def append_operation(op: Operation, scope: Scope, code: Code, *, tested: bool = False) -> None:
    """Append an operation that has results, and record those in the scope.

    A read at a place that follows from data gives 0 outside of its tensor, unless such places were `tested` before.
    """
    match op:
        case ReadOp():
            scope.values[op.result] = _read(op, scope, code, tested=tested)
        case IndexOp():
            exprs, operands = resolve(op.indices.data, [scope.expression(v) for v in op.operands_])
            scope.values[op.result] = code.expr(exprs[0], operands, op.result.name_hint)
        case SearchOp():
            value = code.index(scope.expression(op.value))
            scope.values[op.result] = code.add(FindOp(scope.value(op.tensor), value), op.result.name_hint).result
        case _:
            clone = code.add(op.clone(_with_indices(op.operands, scope, code)))
            for old, new in zip(op.results, clone.results, strict=True):
                new.name_hint = old.name_hint
                scope.values[old] = new


def _read(op: ReadOp, scope: Scope, code: Code, *, tested: bool) -> SSAValue:
    """Append a read; one that places elements is converted to an index."""
    source = scope.value(op.tensor)
    outside = None if op.outside is None else scope.value(op.outside)
    if outside is None and not tested and follows_data(op):
        outside = code.scalar(op.result.type, 0)
    index_map, operands = scope.index_map(op.indices, op.operands_)
    if not isinstance(op.result.type, IndexType):
        return code.add(LoadOp(source, index_map, operands, outside), op.result.name_hint).result
    assert isa(source.type, MemRefType[Attribute])
    stored = source.type.element_type
    if outside is not None:
        outside = _as_stored(outside, stored, code)
    load = code.add(LoadOp(source, index_map, operands, outside))
    return code.add(arith.IndexCastOp(load.result, IndexType()), op.result.name_hint).result


def _as_stored(value: SSAValue, stored: Attribute, code: Code) -> SSAValue:
    number = constant_value(value)
    if number is not None:
        return code.scalar(stored, number)
    return code.add(arith.IndexCastOp(value, stored)).result


def _with_indices(operands: Sequence[SSAValue], scope: Scope, code: Code) -> dict[SSAValue, SSAValue]:
    """Return the scope's values, with loop variables that stand as data computed."""
    mapper = dict(scope.values)
    for operand in operands:
        if operand in scope.indices:
            mapper[operand] = code.index(scope.indices[operand])
    return mapper
