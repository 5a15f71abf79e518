"""Builds a stage of running sums: a point loop for the terms of a tile, a scalar loop that adds them up, a point loop
that rounds and writes the sums.

    scf.for %h0 = %c0 to %H step %y_h_tile iter_args(%before = %zero) -> (f32) {
      tile.foreach (%r: 0 to 1, %l: 0 to %terms) { ... tile.write %a to %y_sums[%r, %l] }
      %total = scf.for %e = %c0 to %terms step %c1 iter_args(%sum = %before) -> (f32) {
        %a = tile.read %y_sums[0, %e]
        tile.write %sum to %y_sums[0, %e]
        %after = arith.addf %sum, %a : f32
        scf.yield %after : f32
      }
      tile.foreach (%r: 0 to 1, %l: 0 to %width) { ... tile.write %rounded to %y[%t, %h0 + %l] }
      scf.yield %total : f32
    }

The last sum of a row without its own term has one term less than places.
"""

from collections.abc import Callable, Mapping

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import WriteOp
from ..dialect.tile import AllocOp, CoresOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import WriteOp as StoreOp
from .chips import Chip
from .index_code import Code
from .lane_tiles import even_lanes
from .ragged_sums_build import rounded
from .running_plan import RunningPlan
from .scalar_code import append_operation
from .spec_scope import IndexValue, Scope, nest_bounds
from .stage_share import share
from .stage_sums import foreach

F32_BYTES = 4

Step = Callable[[Code, SSAValue, SSAValue], SSAValue]
"""Appends the body of a loop for its index and the sum so far; returns the sum behind it."""


def running_tiles(plan: RunningPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the lanes of a tile."""
    most = code.constant(chip.preferred_row_bytes // F32_BYTES)
    name = plan.tile_names[0]
    return {name: even_lanes(_extent(plan, plan.place, scope, code), most, code, name)}


def build_running(plan: RunningPlan, scope: Scope, code: Code, cores: SSAValue, named: Mapping[str, SSAValue]) -> None:
    """Append the stage; an item is a row."""
    stage = code.add(CoresOp(cores, plan.label, ragged=True))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner, tile = Code(stage.body.block, plan.write.location), named[plan.tile_names[0]]
    sizes = [_extent(plan, position, scope, inner) for position in plan.outer]
    length = _extent(plan, plan.place, scope, inner)
    first, last = share(core, cores, inner.fold("*", [inner.constant(1), *sizes], "items"), inner)
    label = f"{plan.results[0].name_hint or plan.label}_sums"
    sums = inner.add(AllocOp(label, "accumulator", *pack([Const(1), Ref(0)], [tile]), plan.kind)).result
    zero = inner.scalar(plan.kind, 0)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        point = Scope(dict(scope.values))
        rest = item
        for position, size in reversed(list(zip(plan.outer, sizes, strict=True))):
            dim = plan.compute.dims[position]
            point.values[dim] = body.binary("mod", rest, size, dim.name_hint)
            rest = body.binary("div", rest, size, "outer")

        def row(each: Code, start: SSAValue, before: SSAValue) -> SSAValue:
            width = each.binary("min", tile, each.binary("-", length, start), "width")
            terms = width
            if not plan.inclusive:
                left = each.binary("-", each.binary("-", length, each.constant(1)), start)
                terms = each.binary("min", tile, left, "terms")
            return _tile(plan, point.inner(), (start, width, terms), (sums, before), each)

        start = f"{plan.compute.dims[plan.place].name_hint or 'h'}0"
        _carry(body, (body.constant(0), length, tile), zero, (start, "before"), row)


def _tile(
    plan: RunningPlan,
    scope: Scope,
    lanes: tuple[SSAValue, SSAValue, SSAValue],
    sums: tuple[SSAValue, SSAValue],
    code: Code,
) -> SSAValue:
    """Append the work of one tile; return the sum behind it."""
    (start, width, terms), (buffer, before) = lanes, sums
    _terms(plan, scope, (start, terms), buffer, code)

    def step(inner: Code, lane: SSAValue, before: SSAValue) -> SSAValue:
        place = pack([Const(0), Ref(0)], [lane])
        value = inner.add(LoadOp(buffer, *place), "term").result
        add = arith.AddfOp if isinstance(plan.kind, AnyFloat) else arith.AddiOp
        after = inner.add(add(before, value), "after").results[0]
        inner.add(StoreOp(after if plan.inclusive else before, buffer, *place))
        return after

    total = _carry(code, (code.constant(0), terms, code.constant(1)), before, ("e", "sum"), step)
    if not plan.inclusive:
        with code.when(code.add(arith.CmpiOp(terms, width, "slt")).result) as branch:
            branch.add(StoreOp(total, buffer, *pack([Const(0), Ref(0)], [terms])))
    _results(plan, scope, (start, width), buffer, code)
    return total


def _terms(plan: RunningPlan, scope: Scope, lanes: tuple[SSAValue, SSAValue], buffer: SSAValue, code: Code) -> None:
    """Append the terms of a tile: what is the same for all of them first, then a point loop."""
    varying: set[SSAValue] = {plan.compute.dims[plan.term]}
    points: list[Operation] = []
    for op in plan.compute.body.block.ops:
        if isinstance(op, WriteOp):
            continue
        if any(operand in varying for operand in op.operands):
            varying.update(op.results)
            points.append(op)
        else:
            append_operation(op, scope, code)
    body, (row, lane) = foreach(code, (1, "r"), (lanes[1], "l"))
    inner = scope.inner()
    inner.indices[plan.compute.dims[plan.term]] = IndexValue.of(lanes[0]).plus(IndexValue.of(lane))
    for op in points:
        append_operation(op, inner, body)
    body.add(StoreOp(inner.value(plan.write.value), buffer, *pack([Ref(0), Ref(1)], [row, lane])))


def _results(plan: RunningPlan, scope: Scope, lanes: tuple[SSAValue, SSAValue], buffer: SSAValue, code: Code) -> None:
    """Append the point loop that rounds the sums of a tile and writes them."""
    body, (row, lane) = foreach(code, (1, "r"), (lanes[1], "l"))
    inner, target = scope.inner(), plan.results[0]
    inner.indices[plan.compute.dims[plan.place]] = IndexValue.of(lanes[0]).plus(IndexValue.of(lane))
    load = body.add(LoadOp(buffer, *pack([Ref(0), Ref(1)], [row, lane])), "sum").result
    place = inner.index_map(plan.write.indices, plan.write.operands_)
    body.add(StoreOp(rounded(load, target, body), scope.value(target), *place))


def _carry(
    code: Code, bounds: tuple[SSAValue, SSAValue, SSAValue], first: SSAValue, names: tuple[str, str], step: Step
) -> SSAValue:
    """Append a loop that carries a sum."""
    block = Block(arg_types=[IndexType(), first.type])
    index, carried = block.args
    index.name_hint, carried.name_hint = names
    inner = Code(block, code.location)
    inner.add(scf.YieldOp(step(inner, index, carried)))
    return code.add(scf.ForOp(*bounds, [first], Region(block)), "total").results[0]


def _extent(plan: RunningPlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
