"""The tile sizes of a ragged stage, as code of the tiling function."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ..dialect.tile import FOLD, FitLanesOp, FitRowsOp, FitsOp
from .chips import Chip
from .index_code import Code
from .lane_tiles import even_lanes
from .ragged_plan import RaggedPlan
from .spec_scope import Scope, nest_bounds

TILE_ELEMENTS = 4096
"""Elements of a tile where nothing is staged: its sums then stay in the first-level cache."""


def ragged_tiles(plan: RaggedPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the numbers that a stage has for itself.

    The lanes of a tile or a strip, all of them where a result combines those in a tile; the rows of a tile; whether the
    stage runs.
    """
    names = plan.tile_names
    chunk = plan.lane_chunk
    lane_tile = _lanes(plan, names[0], scope, code, chip) if chunk is None else scope.value(chunk)
    tiles = [lane_tile] if chunk is None else []
    tiles += _rows(plan, names[len(tiles) :], lane_tile, scope, code, chip)
    if plan.gate is not None:
        kept = _kept(plan, plan.gate, scope, code)
        tiles.append(code.binary("-", code.constant(1), kept) if plan.large else kept)
    return dict(zip(names, tiles, strict=True))


def _kept(plan: RaggedPlan, gate: str, scope: Scope, code: Code) -> SSAValue:
    """Append 1 where the stage that keeps what it can on chip runs, else 0."""
    fits = code.add(FitsOp(gate)).result
    if plan.limit is None:
        return fits
    narrow = code.add(arith.CmpiOp(_extent(plan, plan.lane, scope, code), code.constant(plan.limit), "sle")).result
    return code.add(arith.SelectOp(narrow, fits, code.constant(0))).result


def _lanes(plan: RaggedPlan, lane_name: str, scope: Scope, code: Code, chip: Chip) -> SSAValue:
    lanes = _extent(plan, plan.lane, scope, code)
    if plan.strips:
        return code.add(FitLanesOp(plan.label, lanes), lane_name).result
    if plan.combines_lanes:
        folds = code.binary("max", code.binary("ceildiv", lanes, code.constant(FOLD)), code.constant(1))
        lane_tile = code.binary("*", folds, code.constant(FOLD), lane_name)
        if plan.limit is not None and not plan.large:
            lane_tile = code.binary("min", lane_tile, code.constant(plan.limit), lane_name)
        return lane_tile
    most = code.constant(chip.preferred_row_bytes // plan.streamed_bytes)
    return even_lanes(lanes, most, code, lane_name)


def _rows(
    plan: RaggedPlan, names: Sequence[str], lane_tile: SSAValue, scope: Scope, code: Code, chip: Chip
) -> list[SSAValue]:
    """Append the rows of a tile, where it may have several; their name comes first of the names."""
    if plan.row is None or plan.single:
        return []
    name = names[0]
    rows = code.binary("max", _extent(plan, plan.row, scope, code), code.constant(1))
    if chip.staged:
        cap = code.binary("min", rows, code.constant(chip.max_repeat))
        return [code.add(FitRowsOp(plan.label, lane_tile, cap), name).result]
    fits = code.binary("max", code.binary("div", code.constant(TILE_ELEMENTS), lane_tile), code.constant(1))
    return [code.binary("min", rows, fits, name)]


def _extent(plan: RaggedPlan, position: int, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = nest_bounds(plan.compute, plan.compute.upper, [position], scope)[0]
    return code.fold("min", [code.expr(e, operands) for e in exprs])
