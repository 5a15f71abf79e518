"""The builders of the pass split-reductions."""

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import IndexExpr, Ref, substitute
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, TensorType, WriteOp
from ..dialect.spec.attrs import compute_type
from .chips import Chip
from .reduction_final import final_compute
from .reduction_plan import Sizes, SplitPlan, build_sizes
from .spec_rewrite import clone_body
from .spec_scope import FROM_ZERO, Bound, IndexValue, Scope, make_header, nest_bounds, resolve


def split(plan: SplitPlan, chip: Chip) -> None:
    """Replace the compute by one over chunks and, for each reduction, one over its partial rows."""
    builder = Builder(InsertPoint.before(plan.compute))
    sizes = build_sizes(builder, plan, chip)
    partial = _partial_compute(plan, sizes)
    builder.insert(partial)
    finals = {number: final_compute(plan, sizes, partial, number) for number in plan.reduced}
    for final in finals.values():
        builder.insert(final)
    results = [finals[n].results_[0] if n in finals else partial.results_[n] for n in range(len(plan.compute.results_))]
    Rewriter.replace_op(plan.compute, [], results)


def _partial_compute(plan: SplitPlan, sizes: Sizes) -> ComputeOp:
    old, order = plan.compute, _order(plan)
    body = Block(arg_types=[IndexType()] * (len(order) + 1))
    chunk, *dims = body.args
    chunk.name_hint = f"{old.dims[plan.chunked].name_hint or 'i'}_part"
    scope = _scope(plan, order, dims)
    clone_body(old.body.block, scope, body)
    row = _part_row(plan, sizes, chunk, scope)
    for write in [op for op in body.walk() if isinstance(op, WriteOp) and op.number.data in plan.reduced]:
        _redirect(write, row)
    first: Bound = [Ref(0)], [sizes.chunks]
    lower = [FROM_ZERO, *(_bound(plan, sizes, chunk, scope, p, upper=False) for p in order)]
    upper = [first, *(_bound(plan, sizes, chunk, scope, p, upper=True) for p in order)]
    header, bounds = make_header(body.args, lower, upper)
    new = ComputeOp(header, bounds, [_partial_type(plan, sizes, n) for n in range(len(old.results_))], Region(body))
    new.location = old.location
    for number, (before, after) in enumerate(zip(old.results_, new.results_, strict=True)):
        suffix = "_partial" if number in plan.reduced else ""
        after.name_hint = f"{before.name_hint}{suffix}" if before.name_hint else None
    return new


def _order(plan: SplitPlan) -> list[int]:
    """Return the dims with the summed ones behind all but the innermost, which the lanes will run over."""
    summed = [plan.chunked, *plan.inside]
    others = [n for n in range(len(plan.compute.dims)) if n not in summed]
    lanes = [n for n in others if n == len(plan.compute.dims) - 1]
    return [*(n for n in others if n not in lanes), *summed, *lanes]


def _scope(plan: SplitPlan, order: Sequence[int], dims: Sequence[BlockArgument]) -> Scope:
    scope = Scope()
    for position, argument in zip(order, dims, strict=True):
        old = plan.compute.dims[position]
        argument.name_hint = old.name_hint
        scope.values[old] = argument
    return scope


def _bound(plan: SplitPlan, sizes: Sizes, chunk: SSAValue, scope: Scope, position: int, *, upper: bool) -> Bound:
    side = plan.compute.upper if upper else plan.compute.lower
    if position != plan.chunked:
        return nest_bounds(plan.compute, side, [position], scope)[0]
    start = Ref(0) * Ref(1)
    operands = [chunk, sizes.chunk, sizes.extents[0]]
    return ([start + Ref(1), Ref(2)], operands) if upper else ([start], operands)


def _part_row(plan: SplitPlan, sizes: Sizes, chunk: SSAValue, scope: Scope) -> IndexValue:
    """Return chunk * extents of the others + their place, row-major, with the chunks of lanes innermost."""
    expr: IndexExpr = Ref(0)
    operands: list[SSAValue] = [chunk]
    for extent, position in zip(sizes.extents[1:], plan.others, strict=True):
        operands += [extent, scope.value(plan.compute.dims[position])]
        expr = expr * Ref(len(operands) - 2) + Ref(len(operands) - 1)
    if plan.lane is not None and sizes.lanes is not None:
        lane_chunk, count = sizes.lanes
        operands += [count, scope.value(plan.compute.dims[plan.lane]), lane_chunk]
        expr = expr * Ref(len(operands) - 3) + Ref(len(operands) - 2) // Ref(len(operands) - 1)
    return IndexValue(expr, tuple(operands))


def _redirect(write: WriteOp, row: IndexValue) -> None:
    exprs, values = resolve([Ref(0), *_shifted(write)], [row, *map(IndexValue.of, write.operands_)])
    new = WriteOp(write.value, write.number.data, *pack(exprs, values), write.combine, write.guard)
    new.location = write.location
    Rewriter.replace_op(write, new)


def _shifted(write: WriteOp) -> list[IndexExpr]:
    """Return the indices of a write with room for one operand in front."""
    count = len(write.operands_)
    return [substitute(e, [Ref(n + 1) for n in range(count)]) for e in write.indices.data]


def _partial_type(plan: SplitPlan, sizes: Sizes, number: int) -> TensorType:
    old = plan.compute.results_[number].type
    if number not in plan.reduced:
        return old
    return TensorType.of([sizes.parts.label.data, *old.dims], compute_type(old.element_type))
