"""A cache of tiles whose place slides with the innermost loop, looked up by the number of the place.

Before:

    scf.for %w = %first to %last step %c1 {
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) { %a = tile.read %x[%base + %w, %r, %l] ... }
    }

After: a tile that an earlier pass of the loop left in its slot is not copied again.

    scf.for %w = %first to %last step %c1 {
      %key = ... the flat place of %x[%base + %w, %n0, %d0]
      %slot = ... (%base + %w) mod 4
      %held = memref.load %x_tags[%slot]
      %miss = arith.cmpi ne, %held, %key
      scf.if %miss {
        memref.store %key, %x_tags[%slot]
        tile.load_rows %x[%key, %n0, %d0] along 1 to %x_cache[%slot * %rows] rows %rows width %width
      }
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) { %a = tile.read %x_cache[%slot * %rows + %r, %l] ... }
    }

Point loops of one stage that read the same kind of tile share a cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from ..dialect.index_expr import IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import LoadRowsOp
from .index_code import Code
from .promote_access import Access
from .promote_site import start_of
from .ragged_home import Nesting, base_values
from .ragged_loads import RaggedSite, label_of, place_before, replace_read
from .stage_view import extent
from .tile_bounds import Packed, packed_sizes

SLOTS = 4
"""Tiles that a cache holds for a sliding place: windows that overlap up to this many times are copied once."""


@dataclass(frozen=True)
class CachePlan:
    """The index of a read whose tiles come again, and how many tiles to hold."""

    position: int
    slots: int

    @staticmethod
    def analyze(access: Access, nesting: Nesting) -> "CachePlan | None":
        """Return the plan, or None where tiles do not come again.

        Either one index counts the innermost loop of the item from a base that stands outside of it, and no other
        index moves inside an item; or one index is a quotient, which neighbouring items share.
        """
        if access.outside is not None:
            return None
        loop = nesting.loop
        if loop is None:
            return CachePlan._slow(access)
        variable = loop.body.block.args[0]
        moving = [n for n in range(len(access.base)) if any(nesting.moves(v) for v in base_values(access, n))]
        if len(moving) != 1 or moving[0] in (access.row_at, access.lane_at):
            return None
        values = base_values(access, moving[0])
        inside = nesting.blocks.index(loop.body.block)
        others = [v for v in values if v is not variable]
        if variable not in values or any(nesting.depth([v]) <= inside for v in others if nesting.moves(v)):
            return None
        return CachePlan(moving[0], SLOTS)

    @staticmethod
    def _slow(access: Access) -> "CachePlan | None":
        slow = [n for n in range(len(access.base)) if any(map(_is_quotient, base_values(access, n)))]
        fits = len(slow) == 1 and slow[0] not in (access.row_at, access.lane_at)
        return CachePlan(slow[0], 1) if fits else None


def _is_quotient(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.FloorDivSIOp)


@dataclass(frozen=True)
class Cache:
    """A buffer of tiles, and memory with the number of the tile in each slot."""

    buffer: SSAValue
    tags: SSAValue


Caches = dict[tuple[object, ...], Cache]
"""The caches of a stage so far, by tensor and form of tiles."""


def _cache(site: RaggedSite, access: Access, plan: CachePlan, caches: Caches) -> Cache:
    """Return the cache for tiles of this form; reserve it for the first access."""
    rows = 1 if access.row_at is None else site.bounds.rows
    counts = [extent(site.nesting.points, dim) for dim in (0, 1)]
    key = (access.memref, access.row_at, plan, rows, site.bounds.lanes, *counts)
    if key not in caches:
        sizes = slots_of(rows, site.bounds.lanes, plan)
        buffer = site.allocate(access, "cache", "cache", sizes)
        caches[key] = Cache(buffer, _tags(site, access, plan))
    return caches[key]


def _slot(plan: CachePlan, start: SSAValue, rows: SSAValue | int, code: Code) -> tuple[SSAValue, SSAValue]:
    """Append the slot of a tile, and the row of the buffer where it starts."""
    if plan.slots == 1:
        return code.constant(0), code.constant(0)
    slot = code.binary("mod", start, code.constant(plan.slots), "slot")
    tall = code.constant(rows) if isinstance(rows, int) else rows
    return slot, code.binary("*", slot, tall, "slot_row")


def load_cached(site: RaggedSite, group: Sequence[Access], plan: CachePlan, caches: Caches) -> None:
    """Look up the tile, and copy it where it is not held."""
    first = group[0]
    by_row = first.row_at is not None
    rows = site.bounds.rows if by_row else 1
    cache = _cache(site, first, plan, caches)
    buffer, tags = cache.buffer, cache.tags
    code = site.code(first)
    start = start_of(first, first.offset, code)
    key = _flat(site, first, start, code)
    slot, row = _slot(plan, start[plan.position], rows, code)
    held = code.add(memref.LoadOp.get(tags, [slot]), "held").results[0]
    miss = code.add(arith.CmpiOp(held, key, "ne"), "miss").result
    with code.when(miss) as branch:
        branch.add(memref.StoreOp.get(key, tags, [slot]))
        count = site.count(0, branch) if by_row else branch.constant(1)
        branch.add(LoadRowsOp(first.memref, start, first.row_at or 0, buffer, row, count, site.count(1, branch)))
    place_before(code, site.nesting.points)
    dims = site.nesting.points.dims
    for access in group:
        place: list[IndexExpr] = [Ref(2) + Ref(0) if by_row else Ref(2), Ref(1)]
        replace_read(access, buffer, place, [*dims, row])


def slots_of(rows: SSAValue | int, lanes: SSAValue | int, plan: CachePlan) -> Packed:
    """Return the size of a cache of tiles."""
    sizes, operands = packed_sizes(rows, lanes)
    return pack([sizes.data[0] * plan.slots, sizes.data[1]], operands)


def _flat(site: RaggedSite, access: Access, start: list[SSAValue], code: Code) -> SSAValue:
    """Append the place of a tile's first element in the flat order of its tensor: the number of the tile."""
    place = start[0]
    for position in range(1, len(start)):
        size = site.ranges.size(access.memref, position)
        extent = code.constant(size) if isinstance(size, int) else size
        place = code.binary("+", code.binary("*", place, extent), start[position])
    place.name_hint = f"{access.memref.name_hint or 'x'}_key"
    return place


def _tags(site: RaggedSite, access: Access, plan: CachePlan) -> SSAValue:
    """Reserve the numbers of the tiles that a cache holds: none at the start of the stage."""
    item_loop = site.nesting.item.parent_op()
    assert item_loop is not None
    code = site.code(access)
    tags = code.add(memref.AllocaOp.get(IndexType(), shape=[plan.slots]), label_of(access, "tags")).results[0]
    none = code.constant(-1)
    for slot in range(plan.slots):
        code.add(memref.StoreOp.get(none, tags, [code.constant(slot)]))
    place_before(code, item_loop)
    return tags
