"""Row instructions whose results do not lie where their sources lie: one result a row, one element a row."""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from ..dialect.ascendc import ReduceOp, SpreadOp
from ..dialect.ascendc.lanes import SPREAD
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.divisors import constant, divisor, divisor_of
from ..dialect.tile.lane_rows import FOLD, ByRowOp, SplatOp, TreeOp
from .index_code import Code
from .row_lowering import RowLowering
from .scalar_flags import memory_of
from .tensor_layout import element_bytes, element_of
from .ub_access import accesses
from .vector_instruction import check_dtypes

REDUCE_APIS = {"add": "WholeReduceSum", "max": "WholeReduceMax", "min": "WholeReduceMin"}


@dataclass(frozen=True)
class LaneLowering:
    """Lowers trees and splats of one kernel.

    Loops over calls step by as many repeats as a block has bytes: then every operand starts at a block again.

    Attributes:
        rows: what other row instructions are lowered by; knows chip, facts and pitches.
    """

    rows: RowLowering

    def tree(self, op: TreeOp) -> Block:
        """Return the code that reduces the partial results of each row."""
        code, chip, layouts = Code(Block(), op.location), self.rows.chip, self.rows.layouts
        api, (source, row, step) = REDUCE_APIS[op.kind.data], op.source_list[0]
        check_dtypes(api, [element_of(op.target), element_of(source)], op, chip)
        if api == "WholeReduceSum" and FOLD * element_bytes(element_of(source)) != chip.repeat_bytes:
            lanes = f"{FOLD} lanes of {element_of(source)}"
            text = f"{lanes} do not fill an instruction, whose other lanes would count as 0"
            raise Diagnostic("OPW378", text, op, "add in f32")
        with self.rows.chunks(code, op.rows, chip.block_bytes) as (inner, first, rows):
            start = layouts.start(inner, source, self.rows.row(inner, row, first if step else None), None)
            places = [(op.target, layouts.start(inner, op.target, op.row, first)), (source, start)]
            strides = [inner.constant(1), layouts.row_blocks(source) if step else inner.constant(0)]
            inner.add(ReduceOp(api, places, op.width, rows, strides))
        return code.block

    def splat(self, op: SplatOp) -> Block:
        """Return the code that fills blocks of each row with its element: SPREAD rows a repeat."""
        code, facts, layouts = Code(Block(), op.location), self.rows.facts, self.rows.layouts
        (source, row, _), elements = op.source_list[0], layouts.block_elements(op.target)
        check_dtypes("Brcb", [element_of(op.target), element_of(source)], op, self.rows.chip)
        width = self._whole_width(op, elements)
        self._require_room(op)
        group = code.constant(SPREAD)
        few = facts.at_most(op.rows, SPREAD)
        groups = code.constant(1) if few else code.binary("ceildiv", op.rows, group, "groups")
        with self.rows.chunks(code, groups, self.rows.chip.block_bytes, op.rows) as (inner, first, repeat):
            ahead = None if first is None else inner.binary("*", first, group)
            begin, blocks = layouts.start(inner, source, row, ahead), layouts.row_blocks(op.target)
            strides = [blocks, inner.binary("*", blocks, group)]
            target_row = self.rows.row(inner, op.row, ahead)
            for column in range(0, width, elements):
                at = layouts.start(inner, op.target, target_row, inner.constant(column) if column else None)
                inner.add(SpreadOp("Brcb", [(op.target, at), (source, begin)], group, repeat, strides))
        return code.block

    def _whole_width(self, op: SplatOp, elements: int) -> int:
        width = self.rows.facts.constant(op.width)
        if width is None or width % elements:
            text = f"the width of '{op.name}' is not a constant multiple of {elements} elements"
            raise Diagnostic("OPW378", text, op, f"an instruction fills {self.rows.chip.block_bytes} bytes at a time")
        return width

    def _require_room(self, op: SplatOp) -> None:
        """Refuse a target in which a last group of rows may not fit."""
        memory = memory_of(op.target)
        room = divisor_of(memory.sizes.data[0], list(memory.operands_))
        if self.rows.facts.divisor(op.rows) % SPREAD and (room % SPREAD or divisor(op.row) % SPREAD):
            text = f"an instruction fills {SPREAD} rows, '{memory.label.data}' may have room for fewer"
            hint = f"reserve a multiple of {SPREAD} rows, and start at one"
            raise Diagnostic("OPW378", text, op, hint)


def check_partners(ops: Iterable[Operation], block_bytes: int) -> None:
    """Refuse a tile.by_row whose partners do not each fill a block: an instruction reads a block a row.

    Raises:
        Diagnostic: OPW378.
    """
    ops = list(ops)
    for op in ops:
        if isinstance(op, ByRowOp):
            _check_partner(op, ops, block_bytes // element_bytes(element_of(op.target)))


def _check_partner(op: ByRowOp, ops: Iterable[Operation], elements: int) -> None:
    memory = memory_of(op.sources[1])
    for other in ops:
        written = any(use.writes and memory_of(use.tensor) is memory for use in accesses(other))
        if written and not (isinstance(other, SplatOp) and _fills(other.width, elements)):
            text = f"'{op.name}' takes its partners from '{memory.label.data}', which not only tile.splat fills"
            raise Diagnostic("OPW378", text, other, f"splat them over {elements} elements, into a buffer of their own")


def _fills(width: SSAValue, elements: int) -> bool:
    known = constant(width)
    return known is not None and known >= elements
