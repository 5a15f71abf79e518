"""In-place replacement of index values in the operations of the spec dialect."""

from xdsl.builder import Builder
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec import ComputeOp, DimOp, EachOp, RequireOp
from .spec_rewrite import indices_as_values, rebuilt
from .spec_scope import Scope, nest_header, resolve


def substitute_indices(block: Block, scope: Scope) -> None:
    """Replace index values by the scope's expressions in every operation of the block, nested ones included."""
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                substitute_indices(inner, scope)
        if any(operand in scope.indices for operand in op.operands):
            _substitute(op, scope)


def _substitute(op: Operation, scope: Scope) -> None:
    new = _rebuilt(op, scope)
    if new is None:
        values = indices_as_values(Builder(InsertPoint.before(op)), op, scope)
        op.operands = [values.get(operand, operand) for operand in op.operands]
        return
    new.location = op.location
    for old_result, new_result in zip(op.results, new.results, strict=True):
        new_result.name_hint = old_result.name_hint
    Rewriter.replace_op(op, new)


def _rebuilt(op: Operation, scope: Scope) -> Operation | None:
    match op:
        case DimOp(definition=IndexMapAttr() as definition):
            return DimOp(op.label.data, *scope.index_map(definition, op.operands_))
        case RequireOp():
            return _require(op, scope)
        case ComputeOp() | EachOp():
            return _nest(op, scope)
        case _:
            return rebuilt(op, scope)


def _require(op: RequireOp, scope: Scope) -> RequireOp:
    count = len(op.lhs.data)
    exprs, values = resolve([*op.lhs.data, *op.rhs.data], [scope.expression(v) for v in op.operands_])
    both, operands = pack(exprs, values)
    sides = IndexMapAttr(both.data[:count]), IndexMapAttr(both.data[count:])
    return RequireOp(sides[0], op.comparison.data, sides[1], operands, op.code.data)


def _nest(op: ComputeOp | EachOp, scope: Scope) -> Operation:
    """Return the nest with other ranges around the same body, which moves."""
    header, bounds = nest_header(op, scope, op.dims)
    body = Rewriter.move_region_contents_to_new_regions(op.body)
    if isinstance(op, ComputeOp):
        return ComputeOp(header, bounds, [r.type for r in op.results_], body)
    return EachOp(header, bounds, body)
