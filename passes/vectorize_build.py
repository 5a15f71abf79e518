"""The builders of the pass vectorize."""

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Binary, Const, IndexExpr, Ref
from ..dialect.tile import FOLD, AccumulateOp, BinaryOp, CoresOp, FillOp, FoldOp, ReadOp, ScalarOp, UnaryOp, WriteOp
from .index_code import Code
from .row_values import Base, Materialized, RowValue, RowValues
from .stage_view import extent, split_index
from .tile_bounds import TileBounds
from .vectorize_compute import compute
from .vectorize_places import Destination, PointLoop, release, temporary
from .vectorize_scalars import scalar_value


def build(stage: CoresOp, values: RowValues) -> None:
    """Replace the loop by row instructions."""
    points = values.points
    block = points.parent_block()
    assert block is not None
    code = Code(Block(), points.location)
    lanes = extent(points, len(points.dims) - 1)
    width = code.constant(lanes) if isinstance(lanes, int) else lanes
    loop = PointLoop(stage, values, code, extent(points, 0), width, TileBounds.of_points(points))
    for op in points.body.block.ops:
        loop.code.location = op.location
        if isinstance(op, WriteOp):
            _write(loop, op)
        elif op.results and _is_first(loop, op):
            _materialize(loop, op)
    for op in list(loop.code.block.ops):
        op.detach()
        block.insert_op_before(op, points)
    Rewriter.erase_op(points)


def _is_first(loop: PointLoop, op: Operation) -> bool:
    described = loop.values.of(op.results[0])
    made = loop.values.keys.get(described.key)
    return described.lanes and not isinstance(op, ReadOp) and made is not None and made.op is op and bool(made.users)


def _materialize(loop: PointLoop, op: Operation) -> None:
    """Compute one key into a buffer."""
    described = loop.values.of(op.results[0])
    made = loop.values.keys[described.key]
    ahead = made.low - (described.shift or 0)
    direct = _only_write(loop, made, described)
    target, row = direct or (temporary(loop, op, made, ahead), loop.code.constant(0))
    loop.places[described.key] = (target, made.low)
    count = loop.code.constant(1) if described.shift is None else loop.count(made.span)
    compute(loop, op, Destination(target, row, count, ahead))
    release(loop, op)


def _only_write(loop: PointLoop, made: Materialized, described: RowValue) -> tuple[SSAValue, SSAValue] | None:
    """Return the place of a plain write that is the value's only use, so that no temporary is needed."""
    if len(made.users) != 1 or not isinstance(made.users[0], WriteOp):
        return None
    write = made.users[0]
    place, start = _place(loop, write)
    if write.combine or made.span or isinstance(made.op, arith.SelectOp):
        return None
    if loop.rows != 1 and (described.shift is None or place is None):
        return None
    return write.target, start.append(0, loop.code)


def _place(loop: PointLoop, write: WriteOp) -> tuple[Base | None, Base]:
    """Return the row of a write, twice where it counts rows up from there."""
    points = loop.values.points
    row, lane = points.dims[0], points.dims[-1]
    operands = tuple(write.operands_)
    row_split, lane_split = (split_index(e, operands, (row, lane)) for e in write.indices.data)
    folds = is_fold(write, lane)
    match row_split, lane_split:
        case (IndexExpr() as place, (1, 0)), _ if folds or lane_split == (Const(0), (0, 1)):
            found = Base.of(place, operands)
            return found, found
        case (IndexExpr() as place, (0, 0)), (Const(0), (0, 1)):
            return None, Base.of(place, operands)
        case _:
            raise Diagnostic("OPW345", "a write to a buffer must be by row and lane", write)


def is_fold(write: WriteOp, lane: SSAValue) -> bool:
    """Return whether lanes combine into partial results, lane `l` into number `l mod FOLD`."""
    match write.indices.data[-1]:
        case Binary("mod", Ref(position), Const(count)):
            return count == FOLD and bool(write.combine) and write.operands_[position] is lane
        case _:
            return False


def _write(loop: PointLoop, op: WriteOp) -> None:
    described = loop.values.of(op.value)
    place, start = _place(loop, op)
    row = start.append(0, loop.code)
    if is_fold(op, loop.values.points.dims[-1]):
        _fold(loop, op, described, row)
    elif not described.lanes:
        _write_scalar(loop, op, described, row, one_row=place is None)
    elif op.combine and place is None:
        loop.code.add(AccumulateOp(op.combine, [loop.source(op.value, 0)], op.target, row, loop.count(), loop.width))
    elif op.combine:
        own = (op.target, row, 1)
        sources = [own, loop.source(op.value, 0)]
        loop.code.add(BinaryOp(op.combine, sources, op.target, row, loop.count(), loop.width))
    elif loop.places.get(described.key, (None, 0))[0] is not op.target:
        _check_single(loop, described, op, one_row=place is None)
        count = loop.code.constant(1) if place is None else loop.count()
        loop.code.add(UnaryOp("copy", [loop.source(op.value, 0)], op.target, row, count, loop.width))
    release(loop, op)


def _check_single(loop: PointLoop, described: RowValue, op: WriteOp, *, one_row: bool) -> None:
    """Refuse a plain write of many rows to one place."""
    if one_row and not op.combine and described.shift is not None and loop.rows != 1:
        raise Diagnostic("OPW345", "rows that differ are written to one row", op, "combine them, or name the row")


def _fold(loop: PointLoop, op: WriteOp, described: RowValue, row: SSAValue) -> None:
    """Fold rows onto partial results."""
    if not described.lanes:
        text = "a value that is the same for all lanes is combined over them"
        raise Diagnostic("OPW345", text, op, "multiply by the number of lanes instead")
    loop.code.add(FoldOp(op.combine, [loop.source(op.value, 0)], op.target, row, loop.count(), loop.width))


def _write_scalar(loop: PointLoop, op: WriteOp, described: RowValue, row: SSAValue, *, one_row: bool) -> None:
    """Fill rows with a scalar, or combine it into them: all at once where it is one for all rows, else row by row."""
    _check_single(loop, described, op, one_row=one_row)
    if not op.combine and described.shift is None:
        scalar = scalar_value(loop, op.value, None, loop.code)
        count = loop.code.constant(1) if one_row else loop.count()
        loop.code.add(FillOp("", [], op.target, row, count, loop.width, [scalar]))
        return
    one = loop.code.constant(1)
    with loop.code.loop(loop.code.constant(0), loop.count(), one, "q") as (body, q):
        scalar = scalar_value(loop, op.value, (q, 0), body)
        place = row if one_row else body.binary("+", row, q)
        if op.combine:
            body.add(ScalarOp(op.combine, [(op.target, place, 1)], op.target, place, one, loop.width, [scalar]))
        else:
            body.add(FillOp("", [], op.target, place, one, loop.width, [scalar]))
