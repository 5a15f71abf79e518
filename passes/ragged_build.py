"""Builds a stage whose ranges or places follow from data: scalar loops around point loops."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
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
    stage = code.add(CoresOp(cores, plan.label, ragged=True))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.compute.location)
    chunk = plan.lane_chunk
    tiles: list[SSAValue | int] = [] if chunk is None else [scope.value(chunk)]
    tiles += [named[name] for name in plan.tile_names]
    if plan.row is not None and plan.wide:
        tiles.append(1)
    positions = [plan.lane, *([] if plan.row is None else [plan.row])]
    extents = [_extent(plan.compute, p, scope, inner) for p in positions]
    counts = [
        extent
        if isinstance(tile, int)
        else inner.binary("ceildiv", extent, tile, f"{plan.compute.dims[p].name_hint or 'n'}_tiles")
        for p, extent, tile in zip(positions, extents, tiles, strict=True)
    ]
    sizes = [_extent(plan.compute, p, scope, inner) for p in plan.outer]
    items = _active(plan, extents[0], inner.fold("*", [*sizes, *reversed(counts)], "items"), inner)
    first, last = share(core, cores, items, inner)
    buffers = allocate(plan, tiles, scope, inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        point, starts = _point(plan, scope, (item, positions, counts, tiles), body)
        widths = [
            1 if isinstance(tile, int) else body.binary("min", tile, body.binary("-", extent, start), name)
            for tile, extent, start, name in zip(tiles, extents, starts, ("width", "rows"), strict=False)
        ]
        assert isinstance(widths[0], SSAValue)
        rows = None if plan.row is None else (starts[1], widths[1])
        owners = {s.places.name: named[s.places.name] for s in plan.scatters if s.has_owners}
        build_item(RaggedItem(plan, (starts[0], widths[0]), rows, buffers, owners), point, body)


def _point(
    plan: RaggedPlan,
    scope: Scope,
    item: tuple[SSAValue, Sequence[int], Sequence[SSAValue], Sequence[SSAValue | int]],
    code: Code,
) -> tuple[Scope, list[SSAValue]]:
    """Append what tells the tiles and the outer point from the number of an item; return starts of the tiles."""
    rest, positions, counts, tiles = item
    point = Scope(dict(scope.values))
    starts: list[SSAValue] = []
    for position, count, tile in zip(positions, counts, tiles, strict=True):
        last = not plan.outer and position == positions[-1]
        index = rest if last else code.binary("mod", rest, count)
        name = f"{plan.compute.dims[position].name_hint or 'n'}0"
        starts.append(index if isinstance(tile, int) else code.binary("*", index, tile, name))
        rest = rest if last else code.binary("div", rest, count)
    for position in plan.outer:
        dim = plan.compute.dims[position]
        point.values[dim] = rest
        rest.name_hint = dim.name_hint or rest.name_hint
    return point, starts


def _active(plan: RaggedPlan, lanes: SSAValue, items: SSAValue, code: Code) -> SSAValue:
    """Return the items of a plan: none where the rows are of a width that another plan is for."""
    if plan.limit is None:
        return items
    fits = code.add(arith.CmpiOp(lanes, code.constant(plan.limit), "sgt" if plan.wide else "sle")).result
    return code.add(arith.SelectOp(fits, items, code.constant(0)), "items").result


def _extent(compute: ComputeOp, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(compute, compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
