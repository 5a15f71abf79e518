"""Builds the kernel function and its stages from the plans of the pass tile."""

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, UnitAttr
from xdsl.ir import Block, Region, SSAValue

from ..dialect.spec import OperatorOp
from ..dialect.tile import CoresOp
from ..dialect.tile.kernel import CORES, argument_attrs
from .index_code import Code
from .kernel_signature import Argument, KernelSignature, tile_names
from .spec_rewrite import Scope, nest_bounds
from .specialize import EQUATION
from .stage_items import Item, build_item
from .stage_plan import StagePlan


def build_kernel(operator: OperatorOp, signature: KernelSignature, plans: Sequence[StagePlan]) -> func.FuncOp:
    """Return the kernel function: one tile.cores region a plan, in order."""
    arguments = signature.arguments
    block = Block(arg_types=[a.type for a in arguments])
    code = Code(block, operator.location)
    scope = Scope()
    named: dict[str, SSAValue] = {}
    for argument, value in zip(arguments, block.args, strict=True):
        value.name_hint = argument.name
        named[argument.name] = value
        if argument.value is not None:
            scope.values[argument.value] = value
    _clone_constants(operator, scope, code)
    for plan in plans:
        _build_stage(plan, scope, code, named)
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


def _clone_constants(operator: OperatorOp, scope: Scope, code: Code) -> None:
    for op in operator.body.block.ops:
        if isinstance(op, arith.ConstantOp):
            scope.values[op.result] = code.add(op.clone(), op.result.name_hint).result


def _build_stage(plan: StagePlan, scope: Scope, code: Code, named: dict[str, SSAValue]) -> None:
    cores = next(v for n, v in named.items() if n == CORES)
    stage = code.add(CoresOp(cores, plan.label))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.compute.location)
    lane_name, stream_name = tile_names(plan)
    lane_tile = named[lane_name]
    sizes = [_outer_extent(plan, position, scope, inner) for position in plan.outer]
    lanes = _outer_extent(plan, plan.lane, scope, inner)
    lane_tiles = inner.binary("ceildiv", lanes, lane_tile, f"{plan.lane_dim.name_hint or 'lane'}_tiles")
    items = inner.fold("*", [*sizes, lane_tiles], "items")
    first, last = _share(core, cores, items, inner)
    accumulators = Item.allocate(plan, lane_tile, inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        point = Scope(dict(scope.values))
        rest = item
        lane_index = body.binary("mod", rest, lane_tiles)
        rest = body.binary("div", rest, lane_tiles)
        for position, size in reversed(list(zip(plan.outer, sizes, strict=True))):
            dim = plan.compute.dims[position]
            is_outermost = position == plan.outer[0]
            point.values[dim] = rest if is_outermost else body.binary("mod", rest, size, dim.name_hint)
            if is_outermost:
                rest.name_hint = dim.name_hint or rest.name_hint
            else:
                rest = body.binary("div", rest, size)
        lane_start = body.binary("*", lane_index, lane_tile, f"{plan.lane_dim.name_hint or 'lane'}0")
        width = body.binary("min", lane_tile, body.binary("-", lanes, lane_start), "width")
        row_tile = named.get(stream_name)
        build_item(Item(plan, point, lane_start, width, row_tile, accumulators), body)


def _outer_extent(plan: StagePlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])


def _share(core: SSAValue, cores: SSAValue, items: SSAValue, code: Code) -> tuple[SSAValue, SSAValue]:
    """Give core c the items from c * items / cores to (c + 1) * items / cores: shares differ by one item at most."""
    first = code.binary("div", code.binary("*", core, items), cores, "first")
    after = code.binary("+", core, code.constant(1))
    return first, code.binary("div", code.binary("*", after, items), cores, "last")
