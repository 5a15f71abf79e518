"""Choices between lanes as vector instructions: row by row, as many lanes at a time as an instruction compares."""

from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialect import ascendc
from ..dialect.tile.choices import SelectOp
from .chips import Chip
from .index_code import Code
from .row_lowering import RowLowering
from .tensor_layout import element_bytes, element_of
from .vector_instruction import check_dtypes

COMPARE = "CompareRegister"
"""How the dtype table calls a comparison whose result stays in the vector unit."""


def check_choice(element: Attribute, op: Operation, chip: Chip) -> None:
    """Refuse an element type that a chip does not compare or select.

    Raises:
        Diagnostic: OPW374.
    """
    check_dtypes(COMPARE, [element] * 2, op, chip)
    check_dtypes("Select", [element] * 3, op, chip)


@dataclass(frozen=True)
class ChoiceLowering:
    """Lowers tile.select of one kernel.

    Attributes:
        rows: what other row instructions are lowered by; knows chip, facts and pitches.
    """

    rows: RowLowering

    def lower(self, op: SelectOp) -> Block:
        """Return the code that does what the row instruction does."""
        code, element = Code(Block(), op.location), element_of(op.target)
        check_choice(element, op, self.rows.chip)
        if self.rows.facts.constant(op.rows) == 1:
            self._row(code, op, None)
            return code.block
        with code.loop(code.constant(0), op.rows, code.constant(1), "row") as (body, row):
            self._row(body, op, row)
        return code.block

    def _row(self, code: Code, op: SelectOp, row: SSAValue | None) -> None:
        most = self.rows.chip.repeat_bytes // element_bytes(element_of(op.target))
        if self.rows.facts.at_most(op.width, most):
            with self.rows.nonempty(code, op.width) as inner:
                self._lanes(inner, op, row, None, op.width)
            return
        step = code.constant(most)
        with code.loop(code.constant(0), op.width, step, "column") as (inner, column):
            left = inner.binary("-", op.width, column)
            self._lanes(inner, op, row, column, inner.binary("min", left, step, "lanes"))

    def _lanes(self, code: Code, op: SelectOp, row: SSAValue | None, column: SSAValue | None, lanes: SSAValue) -> None:
        layouts = self.rows.layouts
        if row is not None or column is not None:
            self.rows.barrier(code)
        places = [
            (tensor, layouts.start(code, tensor, self.rows.row(code, first, row if step else None), column))
            for tensor, first, step in ((op.target, op.row, 1), *op.source_list)
        ]
        code.add(ascendc.SelectOp(op.kind.data.upper(), places, lanes))
