"""One access of a point loop to a global tensor, taken apart by the pass promote."""

from dataclasses import dataclass

from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import IndexExpr, linear
from ..dialect.index_map import pack
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .stage_view import split_index


@dataclass(frozen=True)
class Access:
    """One read or write of a point loop on a global tensor, taken apart.

    Attributes:
        op: the access.
        base: each index without the row and the lane.
        row_at: position of the index that counts the row, or None.
        lane_at: position of the index that counts the lane, or None.
        offset: the constant part of the index that counts the row.
    """

    op: ReadOp | WriteOp
    base: tuple[IndexExpr, ...]
    row_at: int | None
    lane_at: int | None
    offset: int

    @property
    def memref(self) -> SSAValue:
        """Return the tensor."""
        return memref_of(self.op)

    @property
    def outside(self) -> SSAValue | None:
        """Return the value outside the tensor."""
        return self.op.outside if isinstance(self.op, ReadOp) else None

    def key(self) -> tuple[object, ...]:
        """Return something equal for accesses that differ by a number of rows only."""
        packed, operands = pack(self.base, self.op.operands_)
        return self.memref, self.row_at, self.lane_at, packed, tuple(operands)

    @staticmethod
    def analyze(op: ReadOp | WriteOp, points: ForeachOp) -> "Access":
        """Take an access apart; raise where it cannot be copied a row at a time."""
        row, lane = points.dims[0], points.dims[-1]
        base: list[IndexExpr] = []
        at: dict[BlockArgument, int] = {}
        for position, expr in enumerate(op.indices.data):
            split = split_index(expr, tuple(op.operands_), (row, lane))
            if split is None and any(v in (row, lane) for v in op.operands_):
                raise Diagnostic("OPW340", "an index of a tile must be linear in the row and the lane", op)
            rest, (row_step, lane_step) = (expr, (0, 0)) if split is None else split
            if (row_step, lane_step) not in ((0, 0), (1, 0), (0, 1)):
                hint = "give a stride, or the number of terms of a sum, as an attribute"
                raise Diagnostic("OPW340", "the row and the lane must each count one index up by 1", op, hint)
            if row_step:
                at[row] = position
            if lane_step:
                at[lane] = position
            base.append(rest)
        offset = 0
        if row in at:
            offset = _constant(base[at[row]])
            base[at[row]] = base[at[row]] - offset
        return Access(op, tuple(base), at.get(row), at.get(lane), offset)


def memref_of(op: ReadOp | WriteOp) -> SSAValue:
    """Return the tensor or buffer of an access."""
    return op.source if isinstance(op, ReadOp) else op.target


def _constant(expr: IndexExpr) -> int:
    form = linear(expr)
    return 0 if form is None else form[1]
