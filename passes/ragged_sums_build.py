"""The accumulators of a ragged stage: reserved once, cleared and written out where their places are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialect.index_expr import Const, IndexExpr, Ref, ceildiv, substitute
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, TensorType, WriteOp
from ..dialect.tile import AllocOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import WriteOp as StoreOp
from ..dialect.tile.verify import PITCH
from .constants import identity
from .index_code import Code
from .ragged_sums import LANES, POINT, ROWS, SINGLE, RaggedSum
from .spec_scope import IndexValue, Scope, resolve
from .stage_sums import Extent, foreach

if TYPE_CHECKING:
    from .ragged_item import RaggedItem
    from .ragged_plan import RaggedPlan


@dataclass(frozen=True)
class SumBuffers:
    """The buffers of one sum.

    Attributes:
        plan: the sum.
        accumulator: its elements so far.
        height: rows of the accumulator where they stand for all elements of a dim.
        length: columns of the accumulator where they stand for all elements of a dim.
        fold: partial results over the lanes, a row for each row of a tile; None where lanes stay apart.
        totals: the combined lanes, an element for each row of a tile; None where lanes stay apart.
        streamed: the accumulator is one row, which comes from the result and goes back there.
    """

    plan: RaggedSum
    accumulator: SSAValue
    height: SSAValue | int
    length: SSAValue | int
    fold: SSAValue | None = None
    totals: SSAValue | None = None
    streamed: bool = False


CLEARED_ROWS = 8
"""Rows of a streamed sum that are set at a time to what it starts from."""

Size = tuple[IndexExpr, SSAValue | None]


def allocate(plan: "RaggedPlan", tiles: Sequence[SSAValue | int], scope: Scope, code: Code) -> list[SumBuffers]:
    """Reserve the buffers of all sums of a stage."""
    return [_allocate(plan, each, tiles, scope, code.at(each.write)) for each in plan.sums]


def _allocate(
    plan: "RaggedPlan", each: RaggedSum, tiles: Sequence[SSAValue | int], scope: Scope, code: Code
) -> SumBuffers:
    result = plan.compute.results_[each.number]
    if each.columns == POINT:
        return _allocate_point(plan, each, code)
    name = result.name_hint or plan.label
    row_tile = tiles[1] if len(tiles) > 1 else 1
    last = result.type.rank - 1
    height = 1 if each.counted is None else _extent(plan.compute, each.number, each.counted, scope)
    length = 1 if each.columns == SINGLE else _extent(plan.compute, each.number, last, scope)
    streamed = plan.large and plan.streams(each)
    rows = 1 if streamed else row_tile if each.columns == LANES and each.by_row else height
    columns = {LANES: tiles[0], ROWS: row_tile}.get(each.columns, length)
    accumulator = _reserve(code, f"{name}_acc", "accumulator", (rows, columns, each.columns != LANES), each)
    if each.has_lanes:
        return SumBuffers(each, accumulator, height, length, streamed=streamed)
    fold = _reserve(code, f"{name}_fold", "temp", (row_tile, plan.fold, True), each)
    totals = _reserve(code, f"{name}_totals", "temp", (1, row_tile, True), each)
    return SumBuffers(each, accumulator, height, length, fold, totals, streamed)


def _allocate_point(plan: "RaggedPlan", each: RaggedSum, code: Code) -> SumBuffers:
    name = plan.compute.results_[each.number].name_hint or plan.label
    fold = _reserve(code, f"{name}_fold", "temp", (1, plan.fold, True), each)
    totals = _reserve(code, f"{name}_totals", "temp", (1, 1, True), each)
    return SumBuffers(each, totals, 1, 1, fold, totals)


def _reserve(
    code: Code, label: str, role: str, size: tuple[SSAValue | int, SSAValue | int, bool], each: RaggedSum
) -> SSAValue:
    rows, columns, padded = size
    operands = [v for v in (rows, columns) if isinstance(v, SSAValue)]
    exprs: list[IndexExpr] = [Const(v) if isinstance(v, int) else Ref(operands.index(v)) for v in (rows, columns)]
    if padded:
        exprs[1] = ceildiv(exprs[1], PITCH) * PITCH
    alloc = AllocOp(label, role, *pack(exprs, operands), each.element_type)
    return code.add(alloc, label).result


def _extent(compute: ComputeOp, number: int, position: int, scope: Scope) -> SSAValue | int:
    """Return the size of a dim of a result."""
    dim = compute.results_[number].type.dims[position]
    return dim if isinstance(dim, int) else dim_value(compute, dim, scope)


def dim_value(at: Operation, dim: str, scope: Scope) -> SSAValue:
    """Return the value of a dim, by its name, of the operator in which an operation stands."""
    block = at.parent_block()
    assert block is not None
    owner = next(op for op in block.ops if isinstance(op, DimOp) and op.label.data == dim)
    return scope.value(owner.result)


def clear(item: "RaggedItem", buffers: SumBuffers, scope: Scope, code: Code) -> None:
    """Set a sum to what its combiner starts from: the accumulator, or where rows are streamed those of the result."""
    if not buffers.streamed:
        fill_identity(buffers.plan, buffers.accumulator, _extents(item, buffers), code)
        return
    each = buffers.plan
    target = _target(item, buffers)
    every = code.constant(buffers.height) if isinstance(buffers.height, int) else buffers.height
    block = code.constant(CLEARED_ROWS)
    with code.loop(code.constant(0), every, block, "a0") as (inner, first):
        count = inner.binary("min", block, inner.binary("-", every, first), "rows")
        zero = inner.scalar(each.element_type, identity(each.combiner, each.element_type))
        body, point = foreach(inner, (count, "a"), _extents(item, buffers)[1])
        row = IndexValue.of(first).plus(IndexValue.of(point[0]))
        body.add(StoreOp(zero, scope.value(target), *pack(*_landing(item, buffers, each.write, scope, (row, point)))))


def fill_identity(each: RaggedSum, buffer: SSAValue, extents: tuple[Extent, Extent], code: Code) -> None:
    """Append a point loop that sets elements of a buffer to what a combiner starts from."""
    zero = code.scalar(each.element_type, identity(each.combiner, each.element_type))
    body, (row, lane) = foreach(code, *extents)
    body.add(StoreOp(zero, buffer, *pack([Ref(0), Ref(1)], [row, lane])))


def _extents(item: "RaggedItem", buffers: SumBuffers) -> tuple[Extent, Extent]:
    """Return the rows and columns of an accumulator that are in use."""
    each = buffers.plan
    rows = 1 if item.rows is None else item.rows[1]
    height: Extent = (rows, "r") if each.columns == LANES and each.by_row else (buffers.height, "a")
    columns = {LANES: item.lanes[1], ROWS: rows}.get(each.columns, buffers.length)
    return (1, "a") if buffers.streamed else height, (columns, "l")


def finish(item: "RaggedItem", buffers: SumBuffers, scope: Scope, code: Code) -> None:
    """Write an accumulator to the result, rounded once where that is narrower; streamed rows lie there already."""
    if not buffers.streamed:
        _write_out(item, buffers, buffers.plan.write, scope, None, code)


def fetch_row(item: "RaggedItem", buffers: SumBuffers, write: WriteOp, scope: Scope, code: Code) -> None:
    """Read the row of the result that a write combines into, where rows are streamed."""
    target = _target(item, buffers)
    body, point = foreach(code, *_extents(item, buffers))
    row = _counted(buffers, write, scope)
    place = pack(*_landing(item, buffers, write, scope, (row, point)))
    held = body.add(LoadOp(scope.value(target), *place), buffers.accumulator.name_hint).result
    body.add(StoreOp(held, buffers.accumulator, *pack([Ref(0), Ref(1)], list(point))))


def put_row(item: "RaggedItem", buffers: SumBuffers, write: WriteOp, scope: Scope, code: Code) -> None:
    """Write the row of the result that a write combined into, where rows are streamed."""
    _write_out(item, buffers, write, scope, _counted(buffers, write, scope), code)


def _target(item: "RaggedItem", buffers: SumBuffers) -> SSAValue:
    """Return the result of a sum."""
    return item.plan.compute.results_[buffers.plan.number]


def _counted(buffers: SumBuffers, write: WriteOp, scope: Scope) -> IndexValue:
    """Return the row that a write combines into."""
    assert buffers.plan.counted is not None
    exprs, operands = resolve(
        [write.indices.data[buffers.plan.counted]], [scope.expression(v) for v in write.operands_]
    )
    return IndexValue(exprs[0], tuple(operands))


def _write_out(
    item: "RaggedItem", buffers: SumBuffers, write: WriteOp, scope: Scope, counted: IndexValue | None, code: Code
) -> None:
    target = _target(item, buffers)
    body, point = foreach(code, *_extents(item, buffers))
    held = body.add(LoadOp(buffers.accumulator, *pack([Ref(0), Ref(1)], list(point))), buffers.accumulator.name_hint)
    value = rounded(held.result, target, body)
    place = _landing(item, buffers, write, scope, (counted or IndexValue.of(point[0]), point))
    body.add(StoreOp(value, scope.value(target), *pack(*place)))


def _landing(
    item: "RaggedItem",
    buffers: SumBuffers,
    write: WriteOp,
    scope: Scope,
    at: tuple[IndexValue, Sequence[SSAValue]],
) -> tuple[list[IndexExpr], list[SSAValue]]:
    """Return where an element of the accumulator belongs in the result; `at` are the counted index and the point."""
    each, last, (counted, point) = buffers.plan, len(buffers.plan.kinds) - 1, at
    fixed = [n for n, kind in enumerate(each.kinds) if kind == "fixed"]
    scope = scope.inner()
    scope.indices[item.plan.compute.dims[item.plan.lane]] = IndexValue.of(item.lanes[0])
    known, operands = resolve(
        [write.indices.data[n] for n in fixed], [_fixed_operand(scope, v, point[0]) for v in write.operands_]
    )
    exprs = dict(zip(fixed, known, strict=True))

    def place(value: IndexValue) -> IndexExpr:
        shifted = substitute(value.expr, [Ref(len(operands) + n) for n in range(len(value.operands))])
        operands.extend(value.operands)
        return shifted

    def from_start(start: SSAValue | None, value: SSAValue) -> IndexExpr:
        own = IndexValue.of(value)
        return place(own if start is None else IndexValue.of(start).plus(own))

    row_start = None if item.rows is None else item.rows[0]
    for n, kind in enumerate(each.kinds):
        if kind == "lane":
            exprs[n] = from_start(item.lanes[0], point[1])
        elif kind == "row":
            exprs[n] = from_start(row_start, point[1] if each.columns == ROWS else point[0])
        elif n == last and each.columns == SINGLE:
            exprs[n] = exprs[n] + place(IndexValue.of(point[1]))
        elif kind == "computed" or (n == last and each.columns not in (LANES, ROWS)):
            exprs[n] = place(counted if n == each.counted else IndexValue.of(point[1]))
    return [exprs[n] for n in range(last + 1)], operands


def _fixed_operand(scope: Scope, value: SSAValue, unused: SSAValue) -> IndexValue:
    """Return an operand of a place; those that only computed indices use need not be known any more."""
    known = value in scope.values or value in scope.indices or not isinstance(value, BlockArgument)
    return scope.expression(value) if known else IndexValue.of(unused)


def rounded(value: SSAValue, target: SSAValue, code: Code) -> SSAValue:
    """Append the rounding of a value to the element type of a result."""
    assert isinstance(target.type, TensorType)
    stored = target.type.element_type
    if stored == value.type:
        return value
    assert isinstance(stored, AnyFloat)
    return code.add(arith.TruncFOp(value, stored), value.name_hint).result
