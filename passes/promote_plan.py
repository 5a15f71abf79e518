"""What the pass promote decides for each point loop before it changes anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import IndexExpr, linear
from ..dialect.index_map import pack
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .stage_view import StageView, split_index


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
        return self.op.source if isinstance(self.op, ReadOp) else self.op.target

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
                raise Diagnostic("OPW340", "the row and the lane must each count one index up by 1", op)
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


def _constant(expr: IndexExpr) -> int:
    form = linear(expr)
    return 0 if form is None else form[1]


@dataclass(frozen=True)
class Group:
    """Accesses of one tensor that share a buffer.

    Attributes:
        accesses: the accesses, at least one.
        low, high: the smallest and largest number of rows they are apart from the tile.
    """

    accesses: tuple[Access, ...]
    low: int
    high: int

    @property
    def first(self) -> Access:
        """Return one of the accesses."""
        return self.accesses[0]

    @property
    def span(self) -> int:
        """Return how many rows more than the tile the buffer holds."""
        return self.high - self.low


@dataclass(frozen=True)
class PromotionPlan:
    """The buffers of one point loop.

    Attributes:
        view: the stage.
        points: the loop.
        loads: groups of reads by rows of lanes.
        scalars: groups of reads by a scalar a row.
        stores: groups of writes.
    """

    view: StageView
    points: ForeachOp
    loads: tuple[Group, ...]
    scalars: tuple[Group, ...]
    stores: tuple[Group, ...]

    @staticmethod
    def analyze(view: StageView, points: ForeachOp) -> "PromotionPlan":
        """Sort the accesses of a point loop; raise for one that no row copy serves."""
        reads = [
            Access.analyze(op, points) for op in points.body.walk() if isinstance(op, ReadOp) and _is_global(op.source)
        ]
        writes = [
            Access.analyze(op, points) for op in points.body.walk() if isinstance(op, WriteOp) and _is_global(op.target)
        ]
        loads = [a for a in reads if a.lane_at is not None]
        scalars = [a for a in reads if a.lane_at is None]
        for access in (*loads, *writes):
            _check_lane(access)
        for access in scalars:
            _check_scalar(access)
        return PromotionPlan(view, points, _groups(loads), _groups(scalars), _groups(writes))


def _is_global(memref: SSAValue) -> bool:
    return isinstance(memref, BlockArgument)


def _check_lane(access: Access) -> None:
    last = len(access.base) - 1
    if access.lane_at != last:
        raise Diagnostic("OPW341", "the lane must count the last index, the contiguous one", access.op)
    outside = isinstance(access.op, ReadOp) and access.op.outside is not None
    if outside and _constant(access.base[last]) != 0:
        raise Diagnostic("OPW342", "a read shifted along the contiguous dim cannot leave the tensor yet", access.op)
    if isinstance(access.op, WriteOp) and (access.op.combine or access.op.guard is not None):
        raise Diagnostic("OPW343", "a write to global memory must be plain", access.op)


def _check_scalar(access: Access) -> None:
    if access.row_at is None:
        raise Diagnostic("OPW344", "a read of one element a tile cannot be promoted yet", access.op)
    if access.row_at != len(access.base) - 1:
        raise Diagnostic("OPW344", "scalars of a tile must be contiguous: the row must count the last index", access.op)


def _groups(accesses: Sequence[Access]) -> tuple[Group, ...]:
    groups: dict[tuple[object, ...], list[Access]] = {}
    for access in accesses:
        groups.setdefault(access.key(), []).append(access)
    return tuple(
        Group(tuple(members), min(a.offset for a in members), max(a.offset for a in members))
        for members in groups.values()
    )
