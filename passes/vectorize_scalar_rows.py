"""Scalars as rows of lanes, for row instructions that take no scalar, in the pass vectorize."""

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue

from ..dialect.tile import ByRowOp, FillOp
from ..dialect.tile.rows import Source
from .tile_bounds import packed_sizes
from .vectorize_places import Destination, PointLoop, reserve
from .vectorize_rows import spread_scalars
from .vectorize_scalars import scalar_value

NOTHING = -0.0
"""What added to any number leaves it as it is, also 0 and -0."""


def lane_source(loop: PointLoop, op: Operation, value: SSAValue, to: Destination) -> Source:
    """Return where the lanes of an operand of `op` stand; those of a scalar are filled with it."""
    described = loop.values.of(value)
    if described.lanes:
        return loop.source(value, to.ahead)
    if described.shift is None:
        return _row_of(loop, value)
    return _rows_of(loop, op, value, to)


def _row_of(loop: PointLoop, value: SSAValue) -> Source:
    """Append a row of a scalar that is the same for all rows, unless one has been filled already."""
    zero, key = loop.code.constant(0), loop.values.of(value).key
    row = loop.filled.get(key)
    if row is None:
        row = loop.filled[key] = reserve(loop.stage, packed_sizes(1, loop.bounds.lanes), value.type, loop.values.points)
        loop.owners[row] = key
        scalar = scalar_value(loop, value, None, loop.code)
        loop.code.add(FillOp("", [], row, zero, loop.code.constant(1), loop.width, [scalar]))
    return row, zero, 0


def _rows_of(loop: PointLoop, op: Operation, value: SSAValue, to: Destination) -> Source:
    """Append a row of its own scalar for each row: all at once where the scalars lie in a row, else row by row."""
    code = loop.code
    span = loop.values.keys[loop.values.of(op.results[0]).key].span
    rows = reserve(loop.stage, loop.bounds.sizes(span), value.type, op)
    zero, one = code.constant(0), code.constant(1)
    spread = spread_scalars(loop, value, to.ahead)
    if spread is not None:
        assert isinstance(value.type, AnyFloat)
        nothing = code.scalar(value.type, NOTHING)
        code.add(FillOp("", [], rows, zero, to.count, loop.width, [nothing]))
        code.add(ByRowOp("add", [(rows, zero, 1), (spread, zero, 1)], rows, zero, to.count, loop.width))
        return rows, zero, 1
    with code.loop(zero, to.count, one, "q") as (body, q):
        scalar = scalar_value(loop, value, (q, to.ahead), body)
        body.add(FillOp("", [], rows, q, one, loop.width, [scalar]))
    return rows, zero, 1
