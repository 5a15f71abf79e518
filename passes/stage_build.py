"""Builds the kernel function and its stages from the plans of the pass tile."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, UnitAttr
from xdsl.ir import Block, Region, SSAValue

from ..dialect.spec import OperatorOp
from ..dialect.spec.equations import EQUATION
from ..dialect.tile import CoresOp
from ..dialect.tile.kernel import CORES, argument_attrs
from .index_code import Code
from .kernel_signature import Argument, KernelSignature
from .plans import Plan
from .positions_build import build_positions
from .positions_plan import PositionsPlan
from .ragged_build import build_ragged
from .ragged_plan import RaggedPlan
from .running_build import build_running
from .running_plan import RunningPlan
from .scatter_build import build_owner, build_zero
from .scatter_plan import OwnerPlan, ZeroPlan
from .serial_build import build_serial
from .serial_plan import SerialPlan
from .size_code import clone_scalars
from .spec_scope import Scope, nest_bounds
from .stage_items import build_item
from .stage_plan import StagePlan
from .stage_share import share
from .stage_sums import Item


def build_kernel(operator: OperatorOp, signature: KernelSignature, plans: Sequence[Plan]) -> func.FuncOp:
    """Return the kernel function: one tile.cores region a plan, in order."""
    arguments = signature.arguments
    block = Block(arg_types=[a.type for a in arguments])
    code = Code(block, operator.location)
    named = {argument.name: value for argument, value in zip(arguments, block.args, strict=True)}
    for name, value in named.items():
        value.name_hint = name
    scope = Scope({a.value: named[a.name] for a in arguments if a.value is not None})
    clone_scalars(operator, scope, code)
    for plan in plans:
        _build(plan, scope, code, named)
    code.add(func.ReturnOp())
    function = func.FuncOp(
        operator.sym_name.data,
        ([a.type for a in arguments], []),
        Region(block),
        arg_attrs=ArrayAttr([_attrs(a) for a in arguments]),
    )
    function.attributes["tile.kernel"] = UnitAttr()
    if (equation := operator.attributes.get(EQUATION)) is not None:
        function.attributes["tile.equation"] = equation
    function.location = operator.location
    return function


def _attrs(argument: Argument) -> DictionaryAttr:
    return argument_attrs(argument.name, argument.role, argument.dims)


def _build(plan: Plan, scope: Scope, code: Code, named: Mapping[str, SSAValue]) -> None:
    cores = next(v for n, v in named.items() if n == CORES)
    match plan:
        case StagePlan():
            _build_stage(plan, scope, code, named)
        case RaggedPlan():
            build_ragged(plan, scope, code, cores, named)
        case RunningPlan():
            build_running(plan, scope, code, cores, named)
        case PositionsPlan():
            build_positions(plan, scope, code, cores, named)
        case SerialPlan():
            build_serial(plan, scope, code, cores)
        case OwnerPlan():
            build_owner(plan, scope, code, cores, named)
        case ZeroPlan():
            build_zero(plan, scope, code, cores, named)


def _build_stage(plan: StagePlan, scope: Scope, code: Code, named: Mapping[str, SSAValue]) -> None:
    cores = next(v for n, v in named.items() if n == CORES)
    stage = code.add(CoresOp(cores, plan.label))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.compute.location)
    lane_name, stream_name = (*plan.tile_names, "")[:2]
    lane, lane_tile = plan.lane_dim.name_hint or "lane", named[lane_name]
    sizes = [_outer_extent(plan, position, scope, inner) for position in plan.outer]
    lanes = _outer_extent(plan, plan.lane, scope, inner)
    lane_tiles = inner.binary("ceildiv", lanes, lane_tile, f"{lane}_tiles")
    tiles = inner.fold("*", [*sizes, lane_tiles], "tiles" if plan.shares_rows else "items")
    parts = _parts(plan, tiles, scope, inner, cores) if plan.shares_rows else None
    items = tiles if parts is None else inner.binary("*", tiles, parts, "items")
    first, last = share(core, cores, items, inner)
    accumulators = Item.allocate(plan, lane_tile, inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        part = None if parts is None else (body.binary("div", item, tiles, "part"), parts)
        tile = item if parts is None else body.binary("mod", item, tiles)
        lane_index = body.binary("mod", tile, lane_tiles)
        point = _outer_point(plan, scope, sizes, body.binary("div", tile, lane_tiles, "outer"), body)
        lane_start = body.binary("*", lane_index, lane_tile, f"{lane}0")
        width = body.binary("min", lane_tile, body.binary("-", lanes, lane_start), "width")
        build_item(Item(plan, point, lane_start, width, named.get(stream_name), accumulators, part), body)


def _parts(plan: StagePlan, tiles: SSAValue, scope: Scope, code: Code, cores: SSAValue) -> SSAValue:
    """Append the number of parts of the rows, so that each core has some: one where there are as many tiles."""
    assert plan.stream is not None
    one = code.constant(1)
    wanted = code.binary("ceildiv", cores, code.binary("max", tiles, one))
    return code.binary("max", code.binary("min", wanted, _outer_extent(plan, plan.stream, scope, code)), one, "parts")


def _outer_point(plan: StagePlan, scope: Scope, sizes: Sequence[SSAValue], rest: SSAValue, code: Code) -> Scope:
    """Append what tells the outer dims from the number of an item without its lane tile, innermost first."""
    point = Scope(dict(scope.values))
    for position, size in reversed(list(zip(plan.outer, sizes, strict=True))):
        dim = plan.compute.dims[position]
        if position == plan.outer[0]:
            rest.name_hint = dim.name_hint or rest.name_hint
            point.values[dim] = rest
        else:
            point.values[dim] = code.binary("mod", rest, size, dim.name_hint)
            rest = code.binary("div", rest, size, "outer")
    return point


def _outer_extent(plan: StagePlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
