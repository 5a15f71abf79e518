"""Builds the tiling function: from sizes and a core count to every number the kernel needs."""

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, IndexType, UnitAttr
from xdsl.ir import Block, Region, SSAValue

from ..dialect.spec import OperatorOp
from ..dialect.tile import FitRowsOp
from ..dialect.tile.kernel import CORES, DIM, TILING, argument_attrs
from .chips import Chip
from .index_code import Code
from .kernel_signature import Argument, KernelSignature
from .lane_tiles import even_lanes
from .plans import Plan
from .positions_build import positions_tiles
from .positions_plan import PositionsPlan
from .ragged_plan import RaggedPlan
from .ragged_tiles import ragged_tiles
from .running_build import running_tiles
from .running_plan import RunningPlan
from .scatter_build import owner_tiles, zero_tiles
from .scatter_plan import OwnerPlan, ZeroPlan
from .serial_plan import SerialPlan
from .size_code import clone_scalars
from .spec_scope import Scope, nest_bounds
from .stage_plan import StagePlan

ITEMS_A_CORE = 4
"""So many items a core are enough to share work evenly."""


def build_tiling(operator: OperatorOp, signature: KernelSignature, plans: Sequence[Plan], chip: Chip) -> func.FuncOp:
    """Return `@<operator>_tiling`, whose results are the signature's tiling arguments in order."""
    given = signature.role(DIM, CORES)
    results = signature.role(TILING)
    block = Block(arg_types=[IndexType()] * len(given))
    code = Code(block, operator.location)
    scope = Scope()
    for argument, value in zip(given, block.args, strict=True):
        value.name_hint = argument.name
        if argument.value is not None:
            scope.values[argument.value] = value
    numbers = _numbers(operator, results, plans, scope, code, chip)
    code.add(func.ReturnOp(*(numbers[a.name] for a in results)))
    function = func.FuncOp(
        f"{operator.sym_name.data}_tiling",
        ([IndexType()] * len(given), [IndexType()] * len(results)),
        Region(block),
        arg_attrs=ArrayAttr([argument_attrs(a.name) for a in given]),
        res_attrs=ArrayAttr([argument_attrs(a.name) for a in results]),
    )
    function.attributes["tile.tiling"] = UnitAttr()
    function.location = operator.location
    return function


def _numbers(
    operator: OperatorOp,
    results: Sequence[Argument],
    plans: Sequence[Plan],
    scope: Scope,
    code: Code,
    chip: Chip,
) -> dict[str, SSAValue]:
    """Append the computation of every number the kernel needs; return them by name."""
    clone_scalars(operator, scope, code)
    numbers = {a.name: scope.value(a.value) for a in results if a.value is not None}
    for plan in plans:
        match plan:
            case StagePlan():
                numbers.update(_tiles(plan, scope, code, chip))
            case RaggedPlan():
                numbers.update(ragged_tiles(plan, scope, code, chip))
            case RunningPlan():
                numbers.update(running_tiles(plan, scope, code, chip))
            case ZeroPlan():
                numbers.update(zero_tiles(plan, scope, code, chip))
            case OwnerPlan():
                numbers.update(owner_tiles(plan, scope, code, chip))
            case PositionsPlan():
                numbers.update(positions_tiles(plan, scope, code, chip))
            case SerialPlan():
                pass
    return numbers


def _tiles(plan: StagePlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    lane_name, stream_name = (*plan.tile_names, "")[:2]
    lanes = _extent(plan, plan.lane, scope, code)
    most = code.constant(chip.preferred_row_bytes // plan.streamed_bytes)
    if not chip.staged:
        most = _whole_if_enough(plan, scope, code, code.block.args[-1], lanes, most)
    lane_tile = even_lanes(lanes, most, code, lane_name)
    if plan.stream is None:
        return {lane_name: lane_tile}
    rows = _extent(plan, plan.stream, scope, code)
    if not chip.staged:
        return {lane_name: lane_tile, stream_name: code.binary("max", rows, code.constant(1), stream_name)}
    cap = code.binary("min", code.binary("max", rows, code.constant(1)), code.constant(chip.max_repeat))
    fit = code.add(FitRowsOp(plan.label, lane_tile, cap), stream_name)
    return {lane_name: lane_tile, stream_name: fit.result}


def _whole_if_enough(
    plan: StagePlan, scope: Scope, code: Code, cores: SSAValue, lanes: SSAValue, most: SSAValue
) -> SSAValue:
    """Leave the lane dim whole where the outer dims alone give every core several items: prefetchers like long rows."""
    items = code.fold("*", [code.constant(1), *(_extent(plan, position, scope, code) for position in plan.outer)])
    wanted = code.binary("*", cores, code.constant(ITEMS_A_CORE))
    enough = code.add(arith.CmpiOp(items, wanted, "sge")).result
    return code.binary("max", code.add(arith.SelectOp(enough, lanes, most)).result, code.constant(1))


def _extent(plan: StagePlan, position: int, scope: Scope, code: Code) -> SSAValue:
    """Return an upper bound of the number of points of a dim, from the sizes alone."""
    compute = plan.compute
    zero = Scope(dict(scope.values))
    for dim in compute.dims:
        zero.values[dim] = code.constant(0)
    exprs, operands = nest_bounds(compute, compute.upper, [position], zero)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
