"""Sums over lanes in chunks: a lane that counts a place by its quotient alone.

`%c * %chunks + %d floordiv %chunk` gives each chunk of the lanes d a partial row of its own, so that a tile of the
lanes is a chunk and rows may be of any length.
"""

from collections.abc import Iterable, Sequence

from xdsl.ir import SSAValue

from ..dialect.index_expr import Binary, IndexExpr, Ref
from ..dialect.spec import WriteOp
from ..dialect.tile import FOLD
from .chips import Chip


def chunk_of(expr: IndexExpr, operands: Sequence[SSAValue], lane: SSAValue) -> SSAValue | None:
    """Return what an index divides the lane by, where that is all it does with it; else None."""
    match expr:
        case Binary("floordiv", Ref(position), Ref(by)) if operands[position] is lane:
            return operands[by]
        case Binary(_, lhs, rhs):
            return chunk_of(lhs, operands, lane) or chunk_of(rhs, operands, lane)
        case _:
            return None


def chunk_of_writes(writes: Iterable[WriteOp], lane: SSAValue) -> SSAValue | None:
    """Return the lanes of a chunk, where some write combines those of a chunk into one place; else None."""
    found = (chunk_of(expr, write.operands_, lane) for write in writes if write.combine for expr in write.indices.data)
    return next((chunk for chunk in found if chunk is not None), None)


def keeps_lane(write: WriteOp, lane: SSAValue) -> bool:
    """Return whether the place of a write tells lanes apart, and not only chunks of them."""
    return any(
        write.operands_[n] is lane and chunk_of(expr, write.operands_, lane) is None
        for expr in write.indices.data
        for n in _positions(expr)
    )


def _positions(expr: IndexExpr) -> Iterable[int]:
    match expr:
        case Ref(position):
            yield position
        case Binary(_, lhs, rhs):
            yield from (*_positions(lhs), *_positions(rhs))
        case _:
            pass


def most_lanes(chip: Chip) -> int:
    """Return the lanes of the widest f32 rows that one instruction repeats over, in whole folds."""
    f32_bytes = 4
    return chip.max_repeat_stride * chip.block_bytes // f32_bytes // FOLD * FOLD
