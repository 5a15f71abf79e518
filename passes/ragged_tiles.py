"""The tile sizes of a ragged stage, as code of the tiling function."""

from xdsl.ir import SSAValue

from ..dialect.tile import FOLD, FitRowsOp
from .chips import Chip
from .index_code import Code
from .lane_tiles import even_lanes
from .ragged_plan import RaggedPlan
from .spec_scope import Scope, nest_bounds

TILE_ELEMENTS = 4096
"""Elements of a tile where nothing is staged: its sums then stay in the first-level cache."""


def ragged_tiles(plan: RaggedPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the lanes of a tile, all of them where a result combines them, and the rows of a tile."""
    lane_name, *row_names = plan.tile_names
    lanes = _extent(plan, plan.lane, scope, code)
    if plan.combines_lanes:
        folds = code.binary("max", code.binary("ceildiv", lanes, code.constant(FOLD)), code.constant(1))
        lane_tile = code.binary("*", folds, code.constant(FOLD), lane_name)
        if plan.limit is not None and not plan.wide:
            lane_tile = code.binary("min", lane_tile, code.constant(plan.limit), lane_name)
    else:
        most = code.constant(chip.preferred_row_bytes // plan.streamed_bytes)
        lane_tile = even_lanes(lanes, most, code, lane_name)
    if plan.row is None or plan.wide:
        return {lane_name: lane_tile}
    rows = code.binary("max", _extent(plan, plan.row, scope, code), code.constant(1))
    if chip.staged:
        cap = code.binary("min", rows, code.constant(chip.max_repeat))
        row_tile = code.add(FitRowsOp(plan.label, lane_tile, cap), row_names[0]).result
    else:
        fits = code.binary("max", code.binary("div", code.constant(TILE_ELEMENTS), lane_tile), code.constant(1))
        row_tile = code.binary("min", rows, fits, row_names[0])
    return {lane_name: lane_tile, row_names[0]: row_tile}


def _extent(plan: RaggedPlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
