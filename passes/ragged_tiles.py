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
    """Append the lanes of a tile, all of them or a chunk where a result combines them, and the rows of a tile."""
    names = plan.tile_names
    if plan.lane_chunk is not None:
        return dict(zip(names, _rows(plan, scope.value(plan.lane_chunk), scope, code, chip), strict=True))
    lane_tile = _lanes(plan, names[0], scope, code, chip)
    return dict(zip(names, (lane_tile, *_rows(plan, lane_tile, scope, code, chip)), strict=True))


def _lanes(plan: RaggedPlan, lane_name: str, scope: Scope, code: Code, chip: Chip) -> SSAValue:
    lanes = _extent(plan, plan.lane, scope, code)
    if plan.combines_lanes:
        folds = code.binary("max", code.binary("ceildiv", lanes, code.constant(FOLD)), code.constant(1))
        lane_tile = code.binary("*", folds, code.constant(FOLD), lane_name)
        if plan.limit is not None and not plan.wide:
            lane_tile = code.binary("min", lane_tile, code.constant(plan.limit), lane_name)
        return lane_tile
    most = code.constant(chip.preferred_row_bytes // plan.streamed_bytes)
    return even_lanes(lanes, most, code, lane_name)


def _rows(plan: RaggedPlan, lane_tile: SSAValue, scope: Scope, code: Code, chip: Chip) -> list[SSAValue]:
    """Append the rows of a tile, where it may have several."""
    if plan.row is None or plan.wide:
        return []
    name = plan.tile_names[-1]
    rows = code.binary("max", _extent(plan, plan.row, scope, code), code.constant(1))
    if chip.staged:
        cap = code.binary("min", rows, code.constant(chip.max_repeat))
        return [code.add(FitRowsOp(plan.label, lane_tile, cap), name).result]
    fits = code.binary("max", code.binary("div", code.constant(TILE_ELEMENTS), lane_tile), code.constant(1))
    return [code.binary("min", rows, fits, name)]


def _extent(plan: RaggedPlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
