"""size-tiles: how many rows of a tile fit on chip, from the buffers that stand in the stage.

Before:

    %n = tile.fit_rows "s" %pitch cap %cap
    ...
    %x = tile.alloc "x_in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">
    %w = tile.alloc "w_rows" temp [3, %pitch] : memref<?x?xf32, "ub">

After: (capacity - what does not grow with the rows) / what a row takes, at least 1, at most the cap.

    %row_bytes = %pitch * 4                                  // 2 copies of 2 bytes
    %fixed_bytes = %pitch * 20                               // 2 copies of 2 rows of 2 bytes, 3 rows of 4 bytes
    %n = max(1, min(%cap, (capacity - %fixed_bytes) / %row_bytes))

`tile.fit_lanes "s" cap %lanes` becomes the same in folds of lanes. `tile.fits "s"` becomes 1 where the buffers with one
row a tile are no larger than the capacity, else 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import IndexExpr, linear
from ..dialect.tile import AllocOp, CoresOp, FitLanesOp, FitRowsOp, FitsOp
from ..dialect.tile.kernel import TILING, find_kernel, find_tiling, kernel_arguments, tiling_result_names
from .chips import Chip
from .index_code import Code
from .ragged_fit import RaggedFit, linear_bound
from .stage_view import stages
from .targets import chip_of


@dataclass(frozen=True)
class StageBytes:
    """What the buffers of a stage take, in bytes.

    Attributes:
        row_lane: grows with rows x pitch.
        row: grows with rows.
        lane: grows with the pitch.
        fixed: does not grow.
        halo: the most rows a buffer has more than the tile.
    """

    row_lane: int
    row: int
    lane: int
    fixed: int
    halo: int

    @staticmethod
    def analyze(tile: "Tile", chip: Chip) -> "StageBytes":
        """Add up the buffers of a stage."""
        row_lane = row = lane = fixed = halo = 0
        for alloc in (op for op in tile.stage.body.block.ops if isinstance(op, AllocOp)):
            (rows, more), (lanes, elements) = _size(alloc, tile)
            bytes_each = _element_bytes(alloc) * alloc.times.data
            halo = max(halo, more if rows and lanes else 0)
            row_lane += rows * lanes * bytes_each
            row += rows * elements * bytes_each
            lane += more * lanes * bytes_each
            fixed += more * elements * bytes_each + chip.block_bytes * alloc.times.data * (elements > 0)
        return StageBytes(row_lane, row, lane, fixed, halo)


@dataclass(frozen=True)
class Tile:
    """A stage, and the kernel arguments that are the lanes and the rows of its tiles; equal ones have several names."""

    stage: CoresOp
    lanes: frozenset[SSAValue]
    rows: frozenset[SSAValue]

    @staticmethod
    def of(fit: FitRowsOp, module: ModuleOp) -> "Tile":
        """Find the stage of a tile.fit_rows, and the arguments through the names of the tiling function's results."""
        return Tile(_stage(fit, module), _arguments(fit.pitch, module), _arguments(fit.result, module))


def _arguments(result: SSAValue, module: ModuleOp) -> frozenset[SSAValue]:
    """Return the kernel's arguments that a value of the tiling function becomes."""
    tiling = find_tiling(module)
    returned = tiling.get_return_op()
    assert returned is not None
    arguments = {a.name: a.value for a in kernel_arguments(find_kernel(module))}
    named = zip(returned.arguments, tiling_result_names(tiling), strict=True)
    return frozenset(arguments[name] for value, name in named if value is result)


def _size(alloc: AllocOp, tile: Tile) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the size as (tile rows, more rows) x (tile lanes, more elements); a row of scalars counts as rows x 1."""
    rows, pitch = (_linear(expr, alloc, tile) for expr in alloc.sizes.data)
    if pitch.rows:
        return (pitch.rows, pitch.constant), (0, 1)
    return (rows.rows, rows.constant), (pitch.lanes, pitch.constant)


@dataclass(frozen=True)
class TileSize:
    """A sum of multiples of the rows and the lanes of a tile, and a constant."""

    rows: int
    lanes: int
    constant: int


def _linear(expr: IndexExpr, alloc: AllocOp, tile: Tile) -> TileSize:
    form = linear(linear_bound(expr))
    if form is None or not all(alloc.operands_[n] in tile.rows | tile.lanes for n in form[0]):
        text = f"the size of buffer '{alloc.label.data}' must be linear in the rows and lanes of the tile"
        raise Diagnostic("OPW338", text, alloc)
    rows, lanes = (sum(c for n, c in form[0].items() if alloc.operands_[n] in of) for of in (tile.rows, tile.lanes))
    return TileSize(rows, lanes, form[1])


def _element_bytes(alloc: AllocOp) -> int:
    element = alloc.result.type.element_type
    assert isinstance(element, FixedBitwidthType)
    return element.size


@dataclass(frozen=True)
class SizeTilesPass(ModulePass):
    """Replace every tile.fit_rows, tile.fit_lanes and tile.fits by its formula for a target."""

    name = "size-tiles"

    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chip = chip_of(self.target, op)
        fits = [inner for inner in op.walk() if isinstance(inner, FitRowsOp)]
        tiles = [Tile.of(fit, op) for fit in fits]
        ragged = [_ragged(t.stage, t.rows, op) if t.stage.ragged is not None else None for t in tiles]
        plans = [StageBytes.analyze(t, chip) if r is None else None for t, r in zip(tiles, ragged, strict=True)]
        for tile, plan in zip(tiles, plans, strict=True):
            if plan is not None:
                _check(plan, tile.stage, chip)
        for tile in _without_rows(op, tiles):
            _check(StageBytes.analyze(tile, chip), tile.stage, chip)
        for fit, plan, other in zip(fits, plans, ragged, strict=True):
            code = Code(Block(), fit.location)
            if plan is not None:
                _replace(fit, _formula(fit, plan, chip, code), code)
            elif other is not None:
                _replace(fit, other.formula(fit, chip, code), code)
        rows = {tile.stage: tile.rows for tile in tiles}
        for strip in [inner for inner in op.walk() if isinstance(inner, FitLanesOp)]:
            code, stage = Code(Block(), strip.location), _stage(strip, op)
            lanes = _arguments(strip.result, op)
            _replace(strip, _ragged(stage, lanes, op).lanes(strip, chip, code), code)
        for fits in [inner for inner in op.walk() if isinstance(inner, FitsOp)]:
            stage = _stage(fits, op)
            code = Code(Block(), fits.location)
            _replace(fits, _ragged(stage, rows.get(stage, frozenset()), op).fits(chip, code), code)


def _stage(at: FitRowsOp | FitLanesOp | FitsOp, module: ModuleOp) -> CoresOp:
    """Return the stage that an operation of the tiling function names."""
    stage = next((s for s in stages(module) if s.label.data == at.stage.data), None)
    if stage is None:
        raise Diagnostic("OPW337", f"the kernel has no stage '{at.stage.data}'", at)
    return stage


def _ragged(stage: CoresOp, rows: frozenset[SSAValue], module: ModuleOp) -> RaggedFit:
    """Connect the arguments of the kernel with the values of the tiling function."""
    tiling = find_tiling(module)
    returned = tiling.get_return_op()
    assert returned is not None
    named = dict(zip(tiling_result_names(tiling), returned.arguments, strict=True))
    named |= {a.name: a.value for a in kernel_arguments(tiling)}
    values = {a.value: named[a.name] for a in kernel_arguments(find_kernel(module)) if a.name in named}
    return RaggedFit(stage, rows, values)


def _without_rows(module: ModuleOp, tiles: Sequence[Tile]) -> list[Tile]:
    """Return the stages whose tiles have one row, so that only their lanes are computed."""
    regular = [stage for stage in stages(module) if stage.ragged is None]
    others = [stage for stage in regular if all(stage is not tile.stage for tile in tiles)]
    if not others:
        return []
    numbers = frozenset[SSAValue](a.value for a in kernel_arguments(find_kernel(module)) if a.role == TILING)
    return [Tile(stage, numbers, frozenset()) for stage in others]


def _check(plan: StageBytes, stage: CoresOp, chip: Chip) -> None:
    """Refuse a stage of which not even one row fits, in the widest tile or in what an instruction repeats."""
    if chip.staged and plan.halo >= chip.max_repeat:
        text = f"stage '{stage.label.data}' reads {plan.halo} rows more than a tile has"
        raise Diagnostic("OPW339", f"{text}; an instruction of {chip.name} repeats {chip.max_repeat} times", stage)
    widest = chip.preferred_row_bytes
    needed = (plan.row_lane + plan.lane) * widest + plan.row + plan.fixed
    if chip.staged and needed > chip.ub_bytes:
        text = f"stage '{stage.label.data}' needs {needed} bytes for one row of {widest} lanes"
        raise Diagnostic("OPW339", f"{text}; {chip.name} has {chip.ub_bytes}", stage)


def _replace(fit: FitRowsOp | FitLanesOp | FitsOp, rows: SSAValue, code: Code) -> None:
    block = fit.parent_block()
    assert block is not None
    for op in list(code.block.ops):
        op.detach()
        block.insert_op_before(op, fit)
    if not isinstance(rows, BlockArgument):
        rows.name_hint = fit.result.name_hint
    Rewriter.replace_op(fit, [], [rows])


def _formula(fit: FitRowsOp, plan: StageBytes, chip: Chip, code: Code) -> SSAValue:
    cap = fit.cap
    if chip.staged and plan.halo:
        cap = code.binary("min", cap, code.constant(chip.max_repeat - plan.halo))
    if not chip.staged or not plan.row_lane + plan.row:
        return cap
    row_bytes = code.binary("*", fit.pitch, code.constant(plan.row_lane))
    if plan.row:
        row_bytes = code.binary("+", row_bytes, code.constant(plan.row))
    fixed = code.binary("*", fit.pitch, code.constant(plan.lane), "fixed_bytes")
    row_bytes.name_hint = "row_bytes"
    free = code.binary("-", code.constant(chip.ub_bytes - plan.fixed), fixed)
    fits = code.binary("max", code.binary("div", free, row_bytes), code.constant(1))
    return code.binary("min", cap, fits)
