"""Pass `lower-to-ascendc`: row copies and row instructions become the calls of the Ascend C API."""

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.ascendc import AllocTensorOp, DequeOp, GetOp, StageOp, SyncAllOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import CompressOp, IotaOp, NonzeroOp, SearchOp, SelectOp, SplatOp, Tile, TreeOp
from ..dialect.tile.buffers import LoadRowsOp, StoreRowsOp
from ..dialect.tile.kernel import find_kernel, find_tiling
from ..dialect.tile.ops import CoresOp
from ..dialect.tile.rows import RowsOp
from .capacity import require_capacity
from .choice_lowering import ChoiceLowering
from .column_loops import fuse_columns
from .copy_lowering import CopyLowering, Globals
from .index_code import Code
from .index_facts import Facts
from .lane_lowering import LaneLowering, check_partners
from .loops_context import LoopContext
from .loops_search import lower_search
from .number_sinking import sink_numbers
from .row_lowering import RowLowering
from .scalar_memory import ScalarMemory
from .selection_lowering import SelectionLowering
from .targets import chip_of
from .tensor_layout import Layouts
from .ub_access import is_on_chip


@dataclass(frozen=True)
class LowerToAscendcPass(ModulePass):
    """Lower the tile dialect to the ascendc dialect, within the limits of a chip.

    Row instructions run along the rows in the repeat form, a column of lanes at a time, or in the count form for a
    single row. What the chip's limits do not allow in one call is split; what is not proven to have work gets a branch.
    Searches become loops of scalar code; where scalars use what the kernel writes, stages clean the scalar cache.

    Attributes:
        target: name of the chip.
    """

    name = "lower-to-ascendc"

    target: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chip, facts = chip_of(self.target, op), Facts.of(op)
        rows = RowLowering(chip, facts, Layouts(chip, facts))
        copies = CopyLowering(rows, Globals.of(find_kernel(op), find_tiling(op), facts))
        stages = [inner for inner in op.walk() if isinstance(inner, CoresOp)]
        for stage in stages:
            require_capacity(stage, copies.globals.requirements, chip)
            check_partners(stage.walk(), chip.block_bytes)
        ScalarMemory(copies.globals, facts).order(op)
        _lower_searches(find_kernel(op), facts)
        for inner in list(op.walk()):
            _lower(inner, rows, copies)
        for inner in list(op.walk()):
            if isinstance(inner, AllocTensorOp | DequeOp | GetOp):
                _flatten(inner.tensor)
        for stage in stages:
            fuse_columns(stage.body.block, facts)
            sink_numbers(stage.body.block)
            _lower_stage(stage)
        _refuse_rest(op)


def _lower_searches(kernel: FuncOp, facts: Facts) -> None:
    """Replace the searches of lists by loops of scalar code."""
    searches = [op for op in kernel.walk() if isinstance(op, SearchOp)]
    if searches:
        context = LoopContext(kernel, facts)
        for search in searches:
            lower_search(search, context)


def _lower(op: Operation, rows: RowLowering, copies: CopyLowering) -> None:
    """Replace one operation by what it becomes."""
    match op:
        case TreeOp():
            _replace(op, LaneLowering(rows).tree(op))
        case SplatOp():
            _replace(op, LaneLowering(rows).splat(op))
        case IotaOp() | NonzeroOp() | CompressOp():
            _replace(op, SelectionLowering(rows).lower(op))
        case SelectOp():
            _replace(op, ChoiceLowering(rows).lower(op))
        case RowsOp():
            _replace(op, rows.lower(op))
        case LoadRowsOp() | StoreRowsOp():
            _replace(op, copies.lower(op))
        case memref.LoadOp() | memref.StoreOp() if is_on_chip(op.memref):
            _flatten_access(op, rows)
        case _:
            pass


def _replace(op: Operation, block: Block) -> None:
    Rewriter.inline_block(block, InsertPoint.before(op))
    Rewriter.erase_op(op)


def _flatten_access(op: memref.LoadOp | memref.StoreOp, rows: RowLowering) -> None:
    """Let a scalar access use the place in the flat tensor."""
    code = Code(Block(), op.location)
    place = rows.layouts.start(code, op.memref, op.indices[0], op.indices[1])
    Rewriter.inline_block(code.block, InsertPoint.before(op))
    kept = op.operands[: len(op.operands) - 2]
    op.operands = [*kept, place]


def _flatten(tensor: SSAValue) -> None:
    rows = cast("MemRefType[Attribute]", tensor.type)
    flat = MemRefType(rows.element_type, [DYNAMIC_INDEX], memory_space=rows.memory_space)
    Rewriter.replace_value_with_new_type(tensor, flat)


def _lower_stage(cores: CoresOp) -> None:
    """Make a stage of a tile.cores, with a whole-kernel barrier in front of it unless it is the first."""
    stage = StageOp(cores.cores, cores.label.data, cores.detach_region(cores.body), cores.condition)
    new: list[Operation] = [stage]
    if any(isinstance(op, StageOp) for op in _before(cores)):
        new.insert(0, SyncAllOp())
    for op in new:
        op.location = cores.location
    Rewriter.replace_op(cores, new)


def _before(op: Operation) -> list[Operation]:
    block = op.parent_block()
    assert block is not None
    ops = list(block.ops)
    return ops[: ops.index(op)]


def _refuse_rest(module: ModuleOp) -> None:
    known = set(Tile.operations)
    for op in module.walk():
        if type(op) in known:
            raise Diagnostic("OPW378", f"'{op.name}' has no form in Ascend C", op, "run the passes before this one")
