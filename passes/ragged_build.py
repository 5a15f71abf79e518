"""Builds a stage whose ranges or places follow from data: scalar loops around point loops."""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ..dialect.spec import ComputeOp
from ..dialect.tile import CoresOp
from .index_code import Code
from .ragged_item import RaggedItem, build_item
from .ragged_plan import RaggedPlan
from .ragged_sums_build import allocate
from .spec_scope import Scope, nest_bounds
from .stage_share import share


def build_ragged(plan: RaggedPlan, scope: Scope, code: Code, cores: SSAValue, named: Mapping[str, SSAValue]) -> None:
    """Append the stage; `named` holds the kernel's arguments by name.

    An item is a point of the outer dims, a row tile and a lane tile, the lane tile fastest.
    """
    condition = None if plan.runs_name is None else named[plan.runs_name]
    stage = code.add(CoresOp(cores, plan.label, ragged=True, streamed=plan.large, condition=condition))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.compute.location)
    tiles = _tiles(plan, scope, named)
    positions = [plan.lane, *([] if plan.row is None else [plan.row])]
    extents = {p: _extent(plan.compute, p, scope, inner) for p in positions}
    cut = [(p, tile) for p, tile in zip(positions, tiles, strict=True) if not (plan.strips and p == plan.lane)]
    counts = [_count(plan, p, tile, extents[p], inner) for p, tile in cut]
    sizes = [_extent(plan.compute, p, scope, inner) for p in plan.outer]
    items = inner.fold("*", [*sizes, *reversed(counts), *([] if sizes or counts else [inner.constant(1)])], "items")
    first, last = share(core, cores, items, inner)
    buffers = allocate(plan, tiles, scope, inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        point, starts = _point(plan, scope, (item, cut, counts), body)
        spans: dict[int, tuple[SSAValue, SSAValue | int]] = {plan.lane: (body.constant(0), extents[plan.lane])}
        for (p, tile), start in zip(cut, starts, strict=True):
            name = "width" if p == plan.lane else "rows"
            one = isinstance(tile, int)
            spans[p] = start, 1 if one else body.binary("min", tile, body.binary("-", extents[p], start), name)
        owners = {s.places.name: named[s.places.name] for s in plan.scatters if s.has_owners}
        (start, lanes), rows = spans[plan.lane], None if plan.row is None else spans[plan.row]
        assert isinstance(lanes, SSAValue)
        strip = tiles[0] if plan.strips and isinstance(tiles[0], SSAValue) else None
        build_item(RaggedItem(plan, (start, lanes), rows, buffers, owners, strip), point, body)


def _count(plan: RaggedPlan, position: int, tile: SSAValue | int, extent: SSAValue, code: Code) -> SSAValue:
    """Append the number of tiles along a dim: one at least of lanes that combine, as none still have a result.

    Lanes in chunks need none: the sum of no partial rows is a stage of its own.
    """
    if isinstance(tile, int):
        return extent
    name = f"{plan.compute.dims[position].name_hint or 'n'}_tiles"
    if position != plan.lane or not plan.combines_lanes or plan.lane_chunk is not None:
        return code.binary("ceildiv", extent, tile, name)
    return code.binary("max", code.binary("ceildiv", extent, tile), code.constant(1), name)


def _tiles(plan: RaggedPlan, scope: Scope, named: Mapping[str, SSAValue]) -> list[SSAValue | int]:
    """Return the lanes of a tile or a strip and, where there are rows, the rows of a tile."""
    chunk = plan.lane_chunk
    tiles: list[SSAValue | int] = [] if chunk is None else [scope.value(chunk)]
    tiles += [named[name] for name in plan.tile_names if name != plan.runs_name]
    return [*tiles, 1] if plan.single else tiles


def _point(
    plan: RaggedPlan,
    scope: Scope,
    item: tuple[SSAValue, Sequence[tuple[int, SSAValue | int]], Sequence[SSAValue]],
    code: Code,
) -> tuple[Scope, list[SSAValue]]:
    """Append what tells the tiles and the outer point from the number of an item; return starts of the tiles."""
    rest, cut, counts = item
    point = Scope(dict(scope.values))
    starts: list[SSAValue] = []
    for (position, tile), count in zip(cut, counts, strict=True):
        last = not plan.outer and position == cut[-1][0]
        index = rest if last else code.binary("mod", rest, count)
        name = f"{plan.compute.dims[position].name_hint or 'n'}0"
        starts.append(index if isinstance(tile, int) else code.binary("*", index, tile, name))
        rest = rest if last else code.binary("div", rest, count, "outer")
    for position in plan.outer:
        dim = plan.compute.dims[position]
        point.values[dim] = rest
        rest.name_hint = dim.name_hint or rest.name_hint
    return point, starts


def _extent(compute: ComputeOp, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(compute, compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
