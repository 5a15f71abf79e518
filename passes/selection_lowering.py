"""Row instructions that select lanes, as vector instructions in the count form."""

from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialect.ascendc import CompareOp, GatherMaskOp, IndexOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.selection import CompressOp, IotaOp, NonzeroOp
from .chips import Chip
from .index_code import Code
from .row_lowering import RowLowering
from .tensor_layout import element_bytes, element_of
from .vector_instruction import SHORT_NAMES, check_dtypes

BITS = "u8"
"""How the dtype table calls the bytes that comparisons write."""


def check_selection(op: Operation, types: list[Attribute], chip: Chip) -> None:
    """Refuse element types, the target's first, that a chip's selecting instruction does not take.

    Raises:
        Diagnostic: OPW374.
    """
    match op:
        case CompareOp() | NonzeroOp():
            if not chip.supports("Compares", BITS, SHORT_NAMES.get(types[1], str(types[1]))):
                text = f"'{chip.name}' has no CompareScalar of {types[1]}"
                raise Diagnostic("OPW374", text, op, "convert to f16 or f32 first")
        case GatherMaskOp() | CompressOp():
            check_dtypes("GatherMask", types[:2], op, chip)
        case _:
            check_dtypes("CreateVecIndex", types[:1], op, chip)


@dataclass(frozen=True)
class SelectionLowering:
    """Lowers tile.iota, tile.nonzero and tile.compress of one kernel.

    Attributes:
        rows: what other row instructions are lowered by; knows chip, facts and pitches.
    """

    rows: RowLowering

    def lower(self, op: IotaOp | NonzeroOp | CompressOp) -> Block:
        """Return the code that does what the row instruction does."""
        check_selection(op, [element_of(t) for t in (op.target, *op.sources)], self.rows.chip)
        code = Code(Block(), op.location)
        if isinstance(op, NonzeroOp) and self._is_contiguous(op):
            lanes = code.binary("*", op.rows, op.width, "lanes")
            with self.rows.nonempty(code, lanes) as inner:
                self._row(inner, op, None, lanes)
            return code.block
        if self.rows.facts.constant(op.rows) == 1:
            with self.rows.nonempty(code, op.width) as inner:
                self._row(inner, op, None, op.width)
            return code.block
        with (
            code.loop(code.constant(0), op.rows, code.constant(1), "row") as (body, row),
            self.rows.nonempty(body, op.width) as inner,
        ):
            self._row(inner, op, row, op.width)
        return code.block

    def _is_contiguous(self, op: NonzeroOp) -> bool:
        """Return whether the lanes of a row fill its pitch, and so do their bits."""
        facts, layouts = self.rows.facts, self.rows.layouts
        source, _, step = op.source_list[0]
        width, bits = facts.form(op.width), facts.form(layouts.pitch(op.target))
        filled = facts.form(layouts.pitch(source)).plus(width, -1), width.plus(bits, -8)
        return step == 1 and all(facts.at_least(f, 0) and facts.at_most(f, 0) for f in filled)

    def _row(self, code: Code, op: IotaOp | NonzeroOp | CompressOp, row: SSAValue | None, lanes: SSAValue) -> None:
        """Append the instruction for a row, or for the lanes of all of them where they lie side by side."""
        layouts = self.rows.layouts
        places = [(op.target, op.row, 1), *op.source_list]
        starts = [
            (tensor, layouts.start(code, tensor, self.rows.row(code, first, row if step else None), None))
            for tensor, first, step in places
        ]
        match op:
            case IotaOp():
                code.add(IndexOp("CreateVecIndex", starts, lanes, scalars=[code.scalar(element_of(op.target), 0)]))
            case NonzeroOp():
                code.add(CompareOp("NE", starts, lanes, scalars=[code.scalar(element_of(op.sources[0]), 0)]))
            case CompressOp():
                code.add(GatherMaskOp("GatherMask", starts, lanes))


def fills_repeats(op: CompareOp, divisor: int, chip: Chip) -> bool:
    """Return whether a number of lanes with a divisor fills instructions; chips disagree on a part of one."""
    return divisor * element_bytes(element_of(op.tensors[1])) % chip.repeat_bytes == 0
