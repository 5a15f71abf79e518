"""Floats that differ from row to row only, computed as rows of scalars, for the pass vectorize."""

from collections.abc import Sequence

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ..dialect.index_expr import ceildiv
from ..dialect.index_map import pack
from ..dialect.tile import BinaryOp, CastOp, FillOp, ReadOp, SplatOp, UnaryOp
from ..dialect.tile.rows import RowsOp, Source
from .row_operations import BINARY, CASTS, UNARY
from .row_values import Scalars
from .tile_bounds import Packed, packed_sizes
from .vectorize_places import PointLoop, reserve

SPLAT = 8
"""Elements that a scalar is repeated to: a block of f32."""


def spread_scalars(loop: PointLoop, value: SSAValue, ahead: int) -> SSAValue | None:
    """Append a buffer with each row's scalar repeated; None where scalars do not come from rows in buffers."""
    if value.type != f32 or isinstance(loop.rows, int) or ahead or not _is_row(loop, value):
        return None
    source, place, _ = _whole_row(loop, value)
    spread = reserve(loop.stage, _groups(loop), f32, loop.values.points)
    code = loop.code
    code.add(SplatOp("", [(source, place, 1)], spread, code.constant(0), loop.count(), code.constant(SPLAT)))
    return spread


def _groups(loop: PointLoop) -> Packed:
    """Return the size of a buffer of blocks for all rows, in whole groups of rows."""
    sizes, operands = packed_sizes(loop.bounds.rows, SPLAT)
    return pack([ceildiv(sizes.data[0], SPLAT) * SPLAT, sizes.data[1]], operands)


def _whole_row(loop: PointLoop, value: SSAValue) -> Source:
    """Append the value of all rows, in a row that is 0 behind them up to the next group that a splat reads at once."""
    code = loop.code
    target = reserve(loop.stage, packed_sizes(1, loop.bounds.rows), f32, loop.values.points)
    zero, one, nothing = code.constant(0), code.constant(1), code.scalar(f32, 0)
    groups = code.binary("ceildiv", loop.count(), code.constant(SPLAT))
    code.add(FillOp("", [], target, zero, one, code.binary("*", groups, code.constant(SPLAT)), [nothing]))
    return _row(loop, value, target)


def _is_row(loop: PointLoop, value: SSAValue) -> bool:
    """Return whether row instructions compute the value from rows of scalars."""
    op = value.owner
    described = loop.values.of(value)
    if described.lanes or not isinstance(op, Operation) or op.parent_block() is not loop.values.points.body.block:
        return False
    if isinstance(op, ReadOp):
        return isinstance(described.key, Scalars) and described.shift == 0
    known = isinstance(op, CASTS) or type(op) in UNARY or type(op) in BINARY
    return known and all(_is_row(loop, operand) for operand in op.operands)


def _row(loop: PointLoop, value: SSAValue, target: SSAValue | None = None) -> Source:
    """Append the instructions that compute the value of all rows, beside one another in one row."""
    op = value.owner
    assert isinstance(op, Operation)
    described = loop.values.of(value)
    if isinstance(op, ReadOp):
        assert isinstance(described.key, Scalars)
        source = (described.key.buffer, described.key.place.append(0, loop.code), 1)
        return source if target is None else _append(loop, UnaryOp, "copy", [source], target)
    sources = [_row(loop, operand) for operand in op.operands]
    if target is None:
        target = reserve(loop.stage, packed_sizes(1, loop.bounds.rows), op.results[0].type, op)
    if isinstance(op, CASTS):
        return _append(loop, CastOp, "", sources, target)
    if type(op) in UNARY:
        return _append(loop, UnaryOp, UNARY[type(op)], sources, target)
    return _append(loop, BinaryOp, BINARY[type(op)], sources, target)


def _append(loop: PointLoop, kind: type[RowsOp], name: str, sources: Sequence[Source], target: SSAValue) -> Source:
    """Append an instruction on one row of scalars."""
    zero, one = loop.code.constant(0), loop.code.constant(1)
    loop.code.add(kind(name, sources, target, zero, one, loop.count()))
    return target, zero, 1
