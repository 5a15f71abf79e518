"""The point loops of a ragged stage: what one group of writes needs, over the rows and lanes of a tile."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from ..dialect.diagnostics import serving
from ..dialect.index_expr import Const, IndexExpr, Ref, substitute
from ..dialect.index_map import pack
from ..dialect.spec import ReadOp, WriteOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import TreeOp
from ..dialect.tile import WriteOp as StoreOp
from .index_code import Code
from .ragged_guards import Guard, guards_of, is_tested, leading_to
from .ragged_sums import LANES, POINT, ROWS, SINGLE
from .ragged_sums_build import SumBuffers, fetch_row, fill_identity, put_row, rounded
from .scalar_code import append_operation
from .spec_scope import IndexValue, Scope, resolve
from .stage_sums import foreach

if TYPE_CHECKING:
    from .ragged_item import RaggedItem


@dataclass(frozen=True)
class PointGroup:
    """Writes that share a point loop.

    Attributes:
        item: the item.
        writes: the writes.
        scalars: operations that are the same for all points, in order; some of them lead to the writes.
        points: operations that differ from point to point, in order, after the scalars.
        varying: their results, and the loop variables of the points.
    """

    item: "RaggedItem"
    writes: tuple[WriteOp, ...]
    scalars: tuple[Operation, ...]
    points: tuple[Operation, ...]
    varying: frozenset[SSAValue]

    def needed(self) -> list[Operation]:
        """Return the operations of the point loop, in order: those of `points` that lead to the writes."""
        return leading_to(self._written(), self.points)

    def served(self, op: Operation) -> list[WriteOp]:
        """Return the writes that an operation leads to."""
        return [write for write in self.writes if op in leading_to(write.operands, self.points)]

    def guards(self) -> list[Guard]:
        """Return the tests that places of the group need."""
        ops = leading_to(self._written(), [*self.scalars, *self.points])
        reads = [op for op in ops if isinstance(op, ReadOp)]
        return guards_of([*reads, *self.writes], self.item.plan.compute, self.varying)

    def _written(self) -> list[SSAValue]:
        return [operand for write in self.writes for operand in write.operands]

    def sum_of(self, write: WriteOp) -> SumBuffers | None:
        """Return the accumulator of a combining write."""
        return next((b for b in self.item.buffers if b.plan.number == write.number.data and write.combine), None)


def append_points(group: PointGroup, scope: Scope, code: Code) -> None:
    """Append the point loop of a group, and what combines lanes around it."""
    sums = [(w, b) for w in group.writes if (b := group.sum_of(w)) is not None]
    folded = [(w, b) for w, b in sums if b.fold is not None]
    streamed = [(w, b) for w, b in sums if b.streamed]
    for write, buffers in streamed:
        fetch_row(group.item, buffers, write, scope, code.at(write))
    rows = 1 if group.item.rows is None else group.item.rows[1]
    for write, buffers in folded:
        assert buffers.fold is not None
        fill_identity(buffers.plan, buffers.fold, ((rows, "r"), (group.item.plan.fold, "l")), code.at(write))
    with strips(group.item, code) as (item, inner):
        _loop(replace(group, item=item), scope, inner)
    for write, buffers in folded:
        _combine_totals(group, write, buffers, scope, code.at(write))
    for write, buffers in streamed:
        put_row(group.item, buffers, write, scope, code.at(write))


def _loop(group: PointGroup, scope: Scope, code: Code) -> None:
    """Append the point loop: over whole folds of lanes first, and what is left, where the target likes fixed trips."""
    width = group.item.lanes[1]
    folds = any(b is not None and b.fold is not None for b in map(group.sum_of, group.writes))
    if not folds or not group.item.plan.whole_folds:
        _points(group, scope, (None, 0), (width, code))
        return
    count = code.constant(group.item.plan.fold)
    whole = code.binary("div", width, count, "whole")
    start = code.binary("*", whole, count)
    _points(group, scope, (whole, 0), (group.item.plan.fold, code))
    _points(group, scope, (None, start), (code.binary("-", width, start, "rest"), code))


def _points(
    group: PointGroup,
    scope: Scope,
    at: tuple[SSAValue | None, SSAValue | int],
    lanes: tuple[SSAValue | int, Code],
) -> None:
    """Append one point loop, over folds if there are any, from a lane of the tile on."""
    item = group.item
    (folds, first), (count, code) = at, lanes
    rows = 1 if item.rows is None else item.rows[1]
    middle = [] if folds is None else [(folds, "q")]
    body, dims = foreach(code, (rows, "r"), *middle, (count, "l"))
    row, lane = dims[0], dims[-1]
    place = IndexValue.of(first).plus(IndexValue.of(lane))
    if folds is not None:
        place = IndexValue(Ref(0) * item.plan.fold + Ref(1), (dims[1], lane))
    inner = _at_point(item, scope, row, place)
    for op in group.needed():
        body.location = serving(op, group.served(op))
        append_operation(op, inner, body, tested=isinstance(op, ReadOp) and is_tested(op, group.varying))
    for write in group.writes:
        body.location = write.location
        _write(group, write, inner, (row, place, lane), body)


def _at_point(item: "RaggedItem", scope: Scope, row: SSAValue, place: IndexValue) -> Scope:
    """Return a scope in which the loop variables of tiles stand for a point of one."""
    inner, dims = scope.inner(), item.plan.compute.dims
    inner.indices[dims[item.plan.lane]] = IndexValue.of(item.lanes[0]).plus(place)
    if item.plan.row is not None and item.rows is not None:
        inner.indices[dims[item.plan.row]] = IndexValue.of(item.rows[0]).plus(IndexValue.of(row))
    return inner


def append_zeros(group: PointGroup, condition: SSAValue, scope: Scope, code: Code) -> None:
    """Append a loop that writes 0 where a condition fails, to what is written once and not combined.

    Scattered writes need none: a stage of its own writes 0 to what no point owns.
    """
    item, plain = group.item, [w for w in group.writes if not w.combine and w.unique is None]
    if not plain:
        return
    failed = code.add(arith.XOrIOp(condition, code.scalar(i1, 1))).result
    with code.when(failed) as branch, strips(item, branch) as (strip, code_of_strip):
        _zeros(strip, plain, scope, code_of_strip)


def _zeros(item: "RaggedItem", writes: Sequence[WriteOp], scope: Scope, code: Code) -> None:
    rows = 1 if item.rows is None else item.rows[1]
    body, (row, lane) = foreach(code, (rows, "r"), (item.lanes[1], "l"))
    inner = _at_point(item, scope, row, IndexValue.of(lane))
    for write in writes:
        body.location = write.location
        zero = body.scalar(write.value.type, 0)
        target = scope.value(item.plan.compute.results_[write.number.data])
        body.add(StoreOp(zero, target, *inner.index_map(write.indices, write.operands_)))


@contextmanager
def strips(item: "RaggedItem", code: Code) -> "Generator[tuple[RaggedItem, Code]]":
    """Append the loop over the strips of an item's lanes, if there is one; fill what works on one inside the `with`."""
    if item.strip is None:
        yield item, code
        return
    start, count = item.lanes
    with code.loop(start, code.binary("+", start, count), item.strip, "strip") as (inner, first):
        left = inner.binary("-", count, inner.binary("-", first, start))
        width = inner.binary("min", item.strip, left, "width")
        yield replace(item, lanes=(first, width)), inner


def _write(
    group: PointGroup, write: WriteOp, scope: Scope, point: tuple[SSAValue, IndexValue, SSAValue], code: Code
) -> None:
    value = scope.value(write.value)
    guard = scope.value(write.guard) if write.guard is not None and write.guard in group.varying else None
    buffers = group.sum_of(write)
    if buffers is None:
        target = scope.value(group.item.plan.compute.results_[write.number.data])
        code.add(StoreOp(value, target, *scope.index_map(write.indices, write.operands_), "", guard))
        return
    row, place, lane = point
    if buffers.fold is not None:
        plan = group.item.plan
        partial = Ref(1) if plan.whole_folds else Ref(1) % plan.fold
        code.add(StoreOp(value, buffers.fold, *pack([Ref(0), partial], [row, lane]), write.combine, guard))
        return
    exprs, operands = _row_of(buffers, write, scope, row)
    column = substitute(place.expr, [Ref(len(operands) + n) for n in range(len(place.operands))])
    target = pack([*exprs, column], [*operands, *place.operands])
    code.add(StoreOp(value, buffers.accumulator, *target, write.combine, guard))


def _row_of(
    buffers: SumBuffers, write: WriteOp, scope: Scope, row: SSAValue | None
) -> tuple[Sequence[IndexExpr], list[SSAValue]]:
    """Return the row of an accumulator that a write combines into."""
    counted = buffers.plan.counted
    if counted is not None and not buffers.streamed:
        return resolve([write.indices.data[counted]], [scope.expression(v) for v in write.operands_])
    if row is not None and buffers.plan.columns == LANES and buffers.plan.by_row:
        return [Ref(0)], [row]
    return [Const(0)], []


def _store_point(group: PointGroup, write: WriteOp, buffers: SumBuffers, scope: Scope, code: Code) -> None:
    """Append the write of one combined element."""
    assert buffers.totals is not None
    target = group.item.plan.compute.results_[write.number.data]
    exprs, operands = resolve(write.indices.data, [scope.expression(v) for v in write.operands_])
    body, (row, lane) = foreach(code, (1, "r"), (1, "l"))
    load = body.add(LoadOp(buffers.totals, *pack([Ref(0), Ref(1)], [row, lane])), "total")
    exprs[-1] = exprs[-1] + Ref(len(operands))
    body.add(StoreOp(rounded(load.result, target, body), scope.value(target), *pack(exprs, [*operands, lane])))


def _combine_totals(group: PointGroup, write: WriteOp, buffers: SumBuffers, scope: Scope, code: Code) -> None:
    """Append the tree over the lanes of each row, and combine the totals into the accumulator."""
    assert buffers.fold is not None
    assert buffers.totals is not None
    zero = code.constant(0)
    count = 1 if group.item.rows is None else group.item.rows[1]
    rows = code.constant(count) if isinstance(count, int) else count
    width = code.constant(group.item.plan.fold)
    code.add(TreeOp(write.combine, [(buffers.fold, zero, 1)], buffers.totals, zero, rows, width))
    if buffers.plan.columns == POINT:
        _store_point(group, write, buffers, scope, code)
        return
    if buffers.plan.columns == ROWS:
        exprs, operands = _row_of(buffers, write, scope, None)
        body, (row, lane) = foreach(code, (1, "r"), (rows, "l"))
        total = body.add(LoadOp(buffers.totals, *pack([Ref(0), Ref(1)], [row, lane])), "total").result
        place = pack([exprs[0] + Ref(len(operands)), Ref(len(operands) + 1)], [*operands, row, lane])
        body.add(StoreOp(total, buffers.accumulator, *place, write.combine))
        return
    last = [Const(0)] if buffers.plan.columns == SINGLE else write.indices.data[-1:]
    exprs, operands = resolve(last, [scope.expression(v) for v in write.operands_])
    total = code.add(LoadOp(buffers.totals, *pack([Const(0), Const(0)], [])), "total").result
    code.add(StoreOp(total, buffers.accumulator, *pack([Const(0), exprs[0]], operands), write.combine))
