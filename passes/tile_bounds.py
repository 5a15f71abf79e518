"""How many rows and lanes a point loop has at most: what its buffers are made for."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref, ceildiv, linear
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.tile import ForeachOp
from ..dialect.tile.divisors import constant, divisor
from ..dialect.tile.verify import PITCH
from .stage_view import extent

Packed = tuple[IndexMapAttr, list[SSAValue]]
"""Rows x pitch of a buffer, and the values that the refs stand for."""


@dataclass(frozen=True)
class TileBounds:
    """The most rows and lanes of a tile, as numbers or arguments of the kernel."""

    rows: SSAValue | int
    lanes: SSAValue | int

    @staticmethod
    def of_points(points: ForeachOp) -> "TileBounds":
        """Return the bounds of a loop from where its extents come from."""
        return TileBounds(bound_of(extent(points, 0), points), bound_of(extent(points, 1), points))

    def sizes(self, more_rows: int = 0) -> Packed:
        """Return the size of a buffer for the tile and some rows more; the pitch is in whole blocks of elements."""
        return packed_sizes(self.rows, self.lanes, more_rows)

    def fit(self, sizes: IndexMapAttr, operands: Sequence[SSAValue], more_rows: int) -> bool:
        """Return whether a buffer of a size holds the tile and some rows more."""
        wanted, values = self.sizes(more_rows)
        if (sizes.data[1], *_values(sizes.data[1], operands)) != (wanted.data[1], *_values(wanted.data[1], values)):
            return False
        have, need = linear(sizes.data[0]), linear(wanted.data[0])
        if have is None or need is None or _named(have[0], operands) != _named(need[0], values):
            return False
        return have[1] >= need[1]


def packed_sizes(rows: SSAValue | int, lanes: SSAValue | int, more_rows: int = 0) -> Packed:
    """Return rows and pitch of a buffer; the pitch is rounded up to whole blocks of elements."""
    operands = [v for v in (rows, lanes) if isinstance(v, SSAValue)]
    height, width = (Const(v) if isinstance(v, int) else Ref(operands.index(v)) for v in (rows, lanes))
    whole = lanes % PITCH == 0 if isinstance(lanes, int) else divisor(lanes) % PITCH == 0
    return pack([height + more_rows, width if whole else ceildiv(width, PITCH) * PITCH], operands)


def _values(expr: IndexExpr, operands: Sequence[SSAValue]) -> list[SSAValue]:
    form = pack([expr], operands)
    return list(form[1])


def _named(coefficients: dict[int, int], operands: Sequence[SSAValue]) -> dict[SSAValue, int]:
    return {operands[n]: c for n, c in coefficients.items() if c}


def bound_of(value: SSAValue | int, at: ForeachOp) -> SSAValue | int:
    """Return the argument of the kernel, or the number, that an extent never exceeds.

    Raises:
        Diagnostic: OPW337 where there is none.
    """
    if isinstance(value, int) or _is_argument(value):
        return value
    if (number := constant(value)) is not None:
        return number
    if isinstance(value.owner, arith.MinSIOp):
        for side in value.owner.operands:
            if _is_argument(side):
                return side
            if (number := constant(side)) is not None:
                return number
    text = "the extent of a tile must be a number, an argument of the kernel, or the minimum of one and what is left"
    raise Diagnostic("OPW337", text, at)


def _is_argument(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and isinstance(value.owner.parent_op(), FuncOp)
