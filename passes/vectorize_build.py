"""The builders of the pass vectorize."""

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const
from ..dialect.tile import AccumulateOp, BinaryOp, FillOp, ReadOp, ScalarOp, UnaryOp, WriteOp
from .index_code import Code
from .row_values import Materialized, RowValue, RowValues
from .stage_view import StageView, extent, split_index
from .vectorize_compute import compute
from .vectorize_places import Destination, PointLoop, release, temporary
from .vectorize_scalars import scalar_value


def build(view: StageView, values: RowValues) -> None:
    """Replace the loop by row instructions."""
    points = values.points
    block = points.parent_block()
    assert block is not None
    width = extent(points, len(points.dims) - 1)
    assert isinstance(width, SSAValue)
    loop = PointLoop(view, values, Code(Block(), points.location), extent(points, 0), width)
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
    if len(made.users) != 1 or not isinstance(made.users[0], WriteOp) or described.shift is None:
        return None
    write = made.users[0]
    place = _row_place(loop, write)
    if write.combine or place is None or made.span or isinstance(made.op, arith.SelectOp):
        return None
    return write.target, loop.code.constant(place)


def _row_place(loop: PointLoop, write: WriteOp) -> int | None:
    """Return the first row of a write that counts rows, or None where it names one row."""
    row, lane = loop.values.points.dims[0], loop.values.points.dims[-1]
    match [split_index(e, tuple(write.operands_), (row, lane)) for e in write.indices.data]:
        case [(Const(place), (1, 0)), (Const(0), (0, 1))]:
            return place
        case [(Const(_), (0, 0)), (Const(0), (0, 1))]:
            return None
        case _:
            raise Diagnostic("OPW345", "a write to a buffer must be by row and lane", write)


def _write(loop: PointLoop, op: WriteOp) -> None:
    described = loop.values.of(op.value)
    place = _row_place(loop, op)
    row = loop.code.constant(_fixed_row(op) if place is None else place)
    if not described.lanes:
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


def _fixed_row(op: WriteOp) -> int:
    first = op.indices.data[0]
    assert isinstance(first, Const)
    return first.value


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
