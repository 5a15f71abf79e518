"""Buffers and copies of a ragged stage, for the pass promote.

Rows whose place an outer loop fixes are copied there. Rows whose place slides with an innermost loop, or that several
point loops read, go through a cache of a few tiles that the kernel looks up by number. Rows that the stage itself
writes are copied in whenever they are read. Scalars of a row whose place
moves inside an item are read from rows that stay on chip for the item, or, in a streamed stage, come when they are
wanted. What a point loop writes is copied out behind
it.
"""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from xdsl.ir import Block

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import CoresOp, ForeachOp, ReadOp, WriteOp
from .promote_access import Access, memref_of
from .promote_build import erase_if_moved
from .promote_plan import check_lane
from .promote_ranges import Ranges
from .ragged_cache import CachePlan, Caches, load_cached
from .ragged_home import Nesting, base_values, home_of
from .ragged_loads import RaggedSite, global_tensors, load_plain, load_resident, load_row_of_scalars, store
from .scalar_access import lower_scalars
from .stage_view import verify_rows_and_lanes
from .tile_bounds import TileBounds


@dataclass(frozen=True)
class RaggedPromotion:
    """The buffers of one point loop of a ragged stage.

    Attributes:
        site: the loop and what surrounds it.
        loads: groups of equal reads by lanes, each with the block it is copied in.
        cached: groups of reads by lanes that slide, each with its cache.
        scalars: groups of equal reads by a scalar a row.
        stores: the writes.
    """

    site: RaggedSite
    loads: tuple[tuple[Sequence[Access], Block], ...]
    cached: tuple[tuple[Sequence[Access], CachePlan], ...]
    scalars: tuple[Sequence[Access], ...]
    stores: tuple[Access, ...]

    @staticmethod
    def analyze(stage: CoresOp, points: ForeachOp, ranges: Ranges) -> "RaggedPromotion":
        """Sort the accesses of a point loop; raise for one that no row copy serves."""
        verify_rows_and_lanes(points)
        nesting = Nesting.of(points)
        site = RaggedSite(stage, nesting, TileBounds.of_points(points), ranges)
        ops = [op for op in points.body.walk() if isinstance(op, ReadOp | WriteOp)]
        accesses = [Access.analyze(op, points) for op in ops if memref_of(op) in site.globals]
        by_lanes = [a for a in accesses if isinstance(a.op, ReadOp) and a.lane_at is not None]
        scalars = [a for a in accesses if isinstance(a.op, ReadOp) and a.lane_at is None]
        writes = tuple(a for a in accesses if isinstance(a.op, WriteOp))
        written = {op.target for op in stage.body.walk() if isinstance(op, WriteOp)}
        for access in (*by_lanes, *writes):
            check_lane(access)
        for access in scalars:
            _check_scalar(access, nesting)
        loads: list[tuple[Sequence[Access], Block]] = []
        cached: list[tuple[Sequence[Access], CachePlan]] = []
        for group in equal_accesses(by_lanes):
            changing = group[0].memref in written
            plan = None if changing else CachePlan.analyze(group[0], nesting)
            if plan is not None:
                cached.append((group, plan))
            else:
                loads.append((group, nesting.blocks[0] if changing else home_of(group[0], nesting, ranges)))
        return RaggedPromotion(site, tuple(loads), tuple(cached), tuple(equal_accesses(scalars)), writes)

    def sharing(self, again: Set[object]) -> "RaggedPromotion":
        """Return the plan in which tiles that other point loops of the item read again go through a cache."""
        shared = [group for group, _ in self.loads if _key(group[0]) in again]
        loads = tuple((group, block) for group, block in self.loads if _key(group[0]) not in again)
        return replace(self, loads=loads, cached=(*self.cached, *((group, CachePlan(0, 1)) for group in shared)))

    def build(self, caches: Caches) -> None:
        """Insert the buffers and copies, and let the point loop work on them; `caches` are the stage's."""
        for group in self.scalars:
            moving = [n for n in range(len(group[0].base)) if self._moves(group[0], n)]
            if not moving:
                load_row_of_scalars(self.site, group, self.site.nesting.item)
            elif self.site.stage.streamed is None:
                load_resident(self.site, group, moving[0])
            else:
                load_row_of_scalars(self.site, group, self.site.nesting.blocks[0])
        for group, block in self.loads:
            load_plain(self.site, group, block)
        for group, plan in self.cached:
            load_cached(self.site, group, plan, caches)
        for access in reversed(self.stores):
            store(self.site, access)
        erase_if_moved(self.site.nesting.points)

    def _moves(self, access: Access, position: int) -> bool:
        return any(self.site.nesting.moves(v) for v in base_values(access, position))


def _key(access: Access) -> object:
    return (*access.key(), access.offset)


def _read_again(plans: Sequence[RaggedPromotion]) -> set[object]:
    """Return the tiles that several point loops of an item copy, each in a branch of its own."""
    found = Counter[object]()
    for plan in plans:
        nesting = plan.site.nesting
        if nesting.loop is None:
            branched = [group[0] for group, block in plan.loads if block is not nesting.item]
            found.update({_key(access) for access in branched if access.outside is None})
    return {key for key, count in found.items() if count > 1}


def equal_accesses(accesses: Sequence[Access]) -> list[list[Access]]:
    """Group accesses of the same elements."""
    groups: dict[tuple[object, ...], list[Access]] = {}
    for access in accesses:
        groups.setdefault((*access.key(), access.offset, access.outside), []).append(access)
    return list(groups.values())


def _check_scalar(access: Access, nesting: Nesting) -> None:
    if access.row_at != len(access.base) - 1:
        text = "scalars of a tile must be contiguous: the row must count the last index"
        raise Diagnostic("OPW344", text, access.op)
    moving = [n for n in range(len(access.base)) if any(nesting.moves(v) for v in base_values(access, n))]
    if len(moving) > 1 or access.outside is not None:
        text = "scalars of a tile whose place moves along several indices cannot be promoted yet"
        raise Diagnostic("OPW344", text, access.op)


def promote_ragged(stage: CoresOp, ranges: Ranges) -> None:
    """Promote all accesses of a ragged stage."""
    loops = [op for op in stage.body.walk() if isinstance(op, ForeachOp)]
    plans = [RaggedPromotion.analyze(stage, points, ranges) for points in loops]
    again = _read_again(plans)
    plans = [plan.sharing(again) for plan in plans]
    caches: Caches = {}
    for plan in plans:
        plan.build(caches)
    lower_scalars(stage, ranges, global_tensors(stage))
