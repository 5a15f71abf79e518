"""Builds the stages around a scattered write: owners of places before it, zeros for what has none."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Operation, SSAValue

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, ReadOp, TensorType
from ..dialect.tile import FOLD, AllocOp, CoresOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import WriteOp as StoreOp
from .chips import Chip
from .index_code import Code
from .lane_tiles import even_lanes
from .ragged_guards import Guard, append_guard, guards_of, leading_to
from .ragged_sums_build import dim_value
from .scalar_code import append_operation
from .scatter_plan import OwnerPlan, Scatter, ZeroPlan
from .spec_scope import Scope, nest_bounds, resolve
from .stage_share import share
from .stage_sums import foreach

NOBODY = -1
"""The owner of a place that no point names."""


def build_owner(plan: OwnerPlan, scope: Scope, code: Code, cores: SSAValue, named: Mapping[str, SSAValue]) -> None:
    """Append a stage that finds the owners of a tile of places at a time, from all points in order."""
    scatter = plan.scatter
    stage = code.add(CoresOp(cores, plan.label, ragged=True))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, scatter.write.location)
    tile, places = named[plan.tile_names[0]], _size(scatter, named, inner)
    first, last = share(core, cores, inner.binary("ceildiv", places, tile, "items"), inner)
    held = inner.add(AllocOp(f"{scatter.places.name}s_held", "accumulator", *pack([Const(1), Ref(0)], [tile]), i32))
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        start = body.binary("*", item, tile, "start")
        count = body.binary("min", tile, body.binary("-", places, start), "count")
        clear, (row, lane) = foreach(body, (1, "r"), (count, "l"))
        clear.add(StoreOp(clear.scalar(i32, NOBODY), held.result, *pack([Ref(0), Ref(1)], [row, lane])))
        claim = _Claim(scatter, _point_guards(plan), held.result, start, count)
        points(scatter.compute, plan.dims, Scope(dict(scope.values)), body, claim.append)
        copy, (row, lane) = foreach(body, (1, "r"), (count, "l"))
        owner = copy.add(LoadOp(held.result, *pack([Ref(0), Ref(1)], [row, lane])), "owner").result
        copy.add(StoreOp(owner, named[scatter.places.name], *pack([Ref(0) + Ref(1)], [start, lane])))


@dataclass(frozen=True)
class _Claim:
    """Lets a point claim its place, if that lies in a tile and the point passes its tests: else it does not write."""

    scatter: Scatter
    guards: Sequence[Guard]
    held: SSAValue
    start: SSAValue
    count: SSAValue

    def append(self, number: SSAValue, point: Scope, code: Code) -> None:
        """Append the claim of a point."""
        for op in _slice_of(self.scatter, self.guards):
            append_operation(op, point, code)
        inside = append_guard(self.guards, _condition(self.scatter, point), point, code)
        with code.when(inside if inside is not None else code.scalar(i1, 1)) as branch:
            place = branch.binary("-", flat_place(self.scatter, point, branch), self.start)
            low = branch.add(arith.CmpiOp(place, branch.constant(0), "sge")).result
            high = branch.add(arith.CmpiOp(place, self.count, "slt")).result
            with branch.when(branch.add(arith.AndIOp(low, high)).result) as own:
                owner = own.add(arith.IndexCastOp(number, i32)).result
                own.add(StoreOp(owner, self.held, *pack([Const(0), Ref(0)], [place])))


def owner_tiles(plan: OwnerPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the places of a tile: a core's share, in whole blocks, up to what a core holds at once."""
    dims = [dim_of(plan.scatter, n, scope, code) for n in plan.scatter.computed]
    share_of_core = code.binary("ceildiv", code.fold("*", dims), code.block.args[-1])
    blocks = code.binary("max", code.binary("ceildiv", share_of_core, code.constant(FOLD)), code.constant(1))
    tile = code.binary("*", blocks, code.constant(FOLD))
    return {plan.tile_names[0]: code.binary("min", tile, code.constant(chip.held_places), plan.tile_names[0])}


def points(
    compute: ComputeOp,
    dims: Sequence[int],
    scope: Scope,
    code: Code,
    fill: Callable[[SSAValue, Scope, Code], None],
    number: SSAValue | None = None,
) -> None:
    """Append loops over some dims, and in them what `fill` appends for the number of a point."""
    if not dims:
        fill(number if number is not None else code.constant(0), scope, code)
        return
    upper = extent(compute, dims[0], scope, code)
    with code.loop(code.constant(0), upper, code.constant(1), compute.dims[dims[0]].name_hint) as (body, index):
        scope.values[compute.dims[dims[0]]] = index
        points(compute, dims[1:], scope, body, fill, next_number(number, upper, index, body))


def next_number(number: SSAValue | None, size: SSAValue, index: SSAValue, code: Code) -> SSAValue:
    """Return the number of a point with one more index."""
    return index if number is None else code.binary("+", code.binary("*", number, size), index)


def number_of(compute: ComputeOp, dims: Sequence[int], scope: Scope, code: Code) -> SSAValue:
    """Append the number of the point that a scope stands at."""
    number: SSAValue | None = None
    for position in dims:
        index = code.index(scope.expression(compute.dims[position]))
        number = next_number(number, extent(compute, position, scope, code), index, code)
    return number if number is not None else code.constant(0)


def extent(compute: ComputeOp, position: int, scope: Scope, code: Code) -> SSAValue:
    """Append the number of points of a dim."""
    exprs, operands = nest_bounds(compute, compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])


def _slice_of(scatter: Scatter, guards: Iterable[Guard]) -> list[Operation]:
    """Return the operations that the place, the condition and the tests of a write follow from, in order."""
    tested = [v for guard in guards for v in guard.access.operands_]
    wanted = {v for v in (*scatter.write.operands_, scatter.write.guard, *tested) if v is not None}
    return leading_to(wanted, list(scatter.compute.body.block.ops))


def _point_guards(plan: OwnerPlan) -> list[Guard]:
    """Return the tests that the place of a write and all that it reads lie in their tensors."""
    compute, write = plan.scatter.compute, plan.scatter.write
    varying: set[SSAValue] = {dim for n, dim in enumerate(compute.dims) if n not in plan.dims}
    ops = list(compute.body.block.ops)
    for op in ops:
        if any(operand in varying for operand in op.operands):
            varying.update(op.results)
    reads = [op for op in leading_to(write.operands, ops) if isinstance(op, ReadOp)]
    return guards_of([*reads, write], compute, varying)


def _condition(scatter: Scatter, scope: Scope) -> SSAValue | None:
    return None if scatter.write.guard is None else scope.value(scatter.write.guard)


def flat_place(scatter: Scatter, scope: Scope, code: Code) -> SSAValue:
    """Append the place of a write among all places: its computed indices flattened."""
    write = scatter.write
    exprs, operands = resolve(
        [write.indices.data[n] for n in scatter.computed], [scope.expression(v) for v in write.operands_]
    )
    place = code.expr(exprs[0], operands)
    for position, expr in zip(scatter.computed[1:], exprs[1:], strict=True):
        size = dim_of(scatter, position, scope, code)
        place = code.binary("+", code.binary("*", place, size), code.expr(expr, operands), "place")
    return place


def dim_of(scatter: Scatter, position: int, scope: Scope, code: Code) -> SSAValue:
    """Append the size of a dim of the scattered tensor."""
    kind = scatter.result.type
    assert isinstance(kind, TensorType)
    dim = kind.dims[position]
    return code.constant(dim) if isinstance(dim, int) else dim_value(scatter.compute, dim, scope)


def owns(scatter: Scatter, number: SSAValue, owners: SSAValue, scope: Scope, code: Code) -> SSAValue:
    """Append the test that a point owns its place."""
    place = flat_place(scatter, scope, code)
    owner = code.add(LoadOp(owners, *pack([Ref(0)], [place])), "owner").result
    return code.add(arith.CmpiOp(code.add(arith.IndexCastOp(owner, IndexType())).result, number, "eq")).result


def _size(scatter: Scatter, named: Mapping[str, SSAValue], code: Code) -> SSAValue:
    dim = scatter.places.dims[0]
    return code.constant(dim) if isinstance(dim, int) else named[dim]


def build_zero(plan: ZeroPlan, scope: Scope, code: Code, cores: SSAValue, named: Mapping[str, SSAValue]) -> None:
    """Append a stage that writes 0 to rows: all rows of a tensor of points, else those without an owner."""
    scatter = plan.scatter
    stage = code.add(CoresOp(cores, plan.label, ragged=True))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, scatter.write.location)
    kind = scatter.result.type
    assert isinstance(kind, TensorType)
    sizes = [dim_of(scatter, n, scope, inner) for n in range(kind.rank)]
    tile = named[plan.tile_names[0]]
    tiles = inner.binary("ceildiv", sizes[-1], tile, "tiles")
    first, last = share(core, cores, inner.fold("*", [*sizes[:-1], tiles], "items"), inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        start = body.binary("*", body.binary("mod", item, tiles), tile, "start")
        width = body.binary("min", tile, body.binary("-", sizes[-1], start), "width")
        row = body.binary("div", item, tiles, "row")
        if scatter.is_point:
            _zeros(scatter, scope, (row, sizes), (start, width), body)
        else:
            owner = body.add(LoadOp(named[scatter.places.name], *pack([Ref(0)], [row])), "owner").result
            free = body.add(arith.CmpiOp(owner, body.scalar(i32, 0), "slt")).result
            with body.when(free) as branch:
                _zeros(scatter, scope, (row, sizes), (start, width), branch)


def _zeros(
    scatter: Scatter, scope: Scope, place: tuple[SSAValue, list[SSAValue]], lanes: tuple[SSAValue, SSAValue], code: Code
) -> None:
    kind = scatter.result.type
    assert isinstance(kind, TensorType)
    rest, sizes = place
    indices: list[SSAValue] = []
    for size in reversed(sizes[1:-1]):
        indices.insert(0, code.binary("mod", rest, size))
        rest = code.binary("div", rest, size, "outer")
    leading = [rest, *indices]
    zero = code.scalar(kind.element_type, 0)
    body, (_, lane) = foreach(code, (1, "r"), (lanes[1], "l"))
    count = len(leading)
    exprs = [*(Ref(n) for n in range(count)), Ref(count) + Ref(count + 1)]
    body.add(StoreOp(zero, scope.value(scatter.result), *pack(exprs, [*leading, lanes[0], lane])))


def zero_tiles(plan: ZeroPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the lanes of a tile of zeros."""
    kind = plan.scatter.result.type
    assert isinstance(kind, TensorType)
    lanes = dim_of(plan.scatter, kind.rank - 1, scope, code)
    most = code.constant(chip.preferred_row_bytes)
    return {plan.tile_names[0]: even_lanes(lanes, most, code, plan.tile_names[0])}
