"""What the pass promote decides for each point loop before it changes anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import ConstantOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .promote_access import Access, memref_of
from .promote_borders import lane_shift
from .promote_ranges import Ranges
from .stage_view import StageView, verify_rows_and_lanes


@dataclass(frozen=True)
class Group:
    """Accesses of one tensor that share a buffer.

    Attributes:
        accesses: the accesses, at least one.
        low, high: the smallest and largest number of rows they are apart from the tile.
        size: how many rows the tensor has; 0 where the accesses name no row.
        outside: the value outside the tensor, or None where no access leaves it.
        leads: rows may lie before the start of the tensor.
        shift: how far the lanes lie from those of the tile, where they may leave the tensor, or 0.
        length: how many lanes a row of the tensor has.
    """

    accesses: tuple[Access, ...]
    low: int
    high: int
    size: SSAValue | int
    outside: SSAValue | None
    leads: bool
    shift: int
    length: SSAValue | int

    @staticmethod
    def of(accesses: Sequence[Access], points: ForeachOp, ranges: Ranges) -> "Group":
        """Join reads that differ by a number of rows only."""
        first = accesses[0]
        low, high = min(a.offset for a in accesses), max(a.offset for a in accesses)
        outside = next((a.outside for a in accesses if a.outside is not None), None)
        shift = next((s for a in accesses if (s := lane_shift(a, points, ranges))), 0)
        lanes = (shift, ranges.size(first.memref, len(first.base) - 1))
        if first.row_at is None:
            return Group(tuple(accesses), low, high, 0, outside if shift else None, False, *lanes)
        leads = not ranges.not_negative(first.base[first.row_at] + low, first.op.operands_)
        return Group(tuple(accesses), low, high, ranges.size(first.memref, first.row_at), outside, leads, *lanes)

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
        stores: the writes.
    """

    view: StageView
    points: ForeachOp
    loads: tuple[Group, ...]
    scalars: tuple[Group, ...]
    stores: tuple[Access, ...]

    @staticmethod
    def analyze(view: StageView, points: ForeachOp, ranges: Ranges) -> "PromotionPlan":
        """Sort the accesses of a point loop; raise for one that no row copy serves."""
        verify_rows_and_lanes(points)
        ops = [op for op in points.body.walk() if isinstance(op, ReadOp | WriteOp)]
        accesses = [Access.analyze(op, points) for op in ops if isinstance(memref_of(op), BlockArgument)]
        writes = tuple(a for a in accesses if isinstance(a.op, WriteOp))
        loads = [a for a in accesses if isinstance(a.op, ReadOp) and a.lane_at is not None]
        scalars = [a for a in accesses if isinstance(a.op, ReadOp) and a.lane_at is None]
        for access in (*loads, *writes):
            check_lane(access)
        for access in scalars:
            _check_scalar(access)
        for access in (*loads, *scalars):
            _check_outside(access, ranges)
        rows, single = (_groups(each, points, ranges) for each in (loads, scalars))
        plan = PromotionPlan(view, points, rows, single, writes)
        for group in plan.scalars:
            if group.leads and group.outside is not None:
                text = "scalars before the start of a tensor cannot be promoted yet"
                raise Diagnostic("OPW344", text, group.first.op)
        return plan


def check_lane(access: Access) -> None:
    """Refuse an access by lanes that no row copy serves."""
    last = len(access.base) - 1
    if access.lane_at != last:
        raise Diagnostic("OPW341", "the lane must count the last index, the contiguous one", access.op)
    if isinstance(access.op, WriteOp) and (access.op.combine or access.op.guard is not None):
        raise Diagnostic("OPW343", "a write to global memory must be plain", access.op)


def _check_scalar(access: Access) -> None:
    if access.row_at is None:
        raise Diagnostic("OPW344", "a read of one element a tile cannot be promoted yet", access.op)
    if access.row_at != len(access.base) - 1:
        raise Diagnostic("OPW344", "scalars of a tile must be contiguous: the row must count the last index", access.op)


def _check_outside(access: Access, ranges: Ranges) -> None:
    """Refuse a read with an `else` that may leave its tensor along another index than those of the row and the lane."""
    if access.outside is None:
        return
    for position, expr in enumerate(access.base):
        if position in (access.row_at, access.lane_at):
            continue
        size = ranges.size(access.memref, position)
        if not (ranges.not_negative(expr, access.op.operands_) and ranges.below(expr, access.op.operands_, size)):
            text = f"a read that may leave the tensor along index {position} cannot be promoted yet"
            raise Diagnostic(
                "OPW342", text, access.op, "only the indices that count the rows and the lanes of a tile may leave it"
            )


def _groups(accesses: Sequence[Access], points: ForeachOp, ranges: Ranges) -> tuple[Group, ...]:
    """Group reads that differ by a number of rows only and agree on the value outside."""
    groups: dict[tuple[object, ...], list[Access]] = {}
    for access in accesses:
        groups.setdefault(access.key(), []).append(access)
    return tuple(Group.of(part, points, ranges) for members in groups.values() for part in _by_outside(members))


def _by_outside(members: Sequence[Access]) -> list[list[Access]]:
    """Split where the values outside differ; reads that stay inside go with the first."""
    keys = list(dict.fromkeys(_outside_key(a.outside) for a in members if a.outside is not None))
    if len(keys) < 2:
        return [list(members)]
    inside = [a for a in members if a.outside is None]
    parts = [[a for a in members if a.outside is not None and _outside_key(a.outside) == key] for key in keys]
    return [[*inside, *parts[0]], *parts[1:]]


def _outside_key(value: SSAValue) -> object:
    return value.owner.value if isinstance(value.owner, ConstantOp) else value
