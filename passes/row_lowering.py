"""Row instructions as vector instructions: counted for a single row, else repeated along the rows of each column.

What uses the same lanes of a tensor in every column has no count form: a single row of it repeats along its columns.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from ..dialect.ascendc import BarrierOp
from ..dialect.tile.rows import RowsOp
from .chips import Chip
from .column_loops import mark_columns
from .index_code import Code
from .index_facts import Facts
from .tensor_layout import Layouts, element_bytes, element_of
from .vector_instruction import Instruction, Operand, check_dtypes, translate


@dataclass(frozen=True)
class RowLowering:
    """Lowers row instructions of one kernel.

    Attributes:
        chip: limits and dtype table.
        facts: what is known of index values.
        layouts: pitches of the tensors.
    """

    chip: Chip
    facts: Facts
    layouts: Layouts

    def lower(self, op: RowsOp) -> Block:
        """Return the code that does what the row instruction does."""
        code = Code(Block(), op.location)
        instruction = translate(op, code)
        check_dtypes(instruction.api, [element_of(o.tensor) for o in instruction.operands], op, self.chip)
        single = self.facts.constant(op.rows) == 1
        if single and instruction.counted:
            with self.nonempty(code, op.width) as inner:
                self._counted(inner, instruction, op.width)
        elif single and instruction.pins:
            self._along(code, op, instruction, None)
        elif self._strides_fit(instruction):
            self._repeated(code, op, instruction)
        else:
            self._row_by_row(code, op, instruction)
        return code.block

    @contextmanager
    def nonempty(self, code: Code, *counts: SSAValue) -> Generator[Code]:
        """Yield code that runs only where no count is 0; without a branch where that is proven."""
        open_counts = [count for count in counts if not self.facts.at_least(count, 1)]
        if not open_counts:
            yield code
            return
        zero = code.constant(0)
        tests = [code.add(arith.CmpiOp(count, zero, "sgt")).result for count in open_counts]
        condition = tests[0]
        for test in tests[1:]:
            condition = code.add(arith.AndIOp(condition, test)).result
        with code.when(condition) as inner:
            yield inner

    @contextmanager
    def chunks(
        self, code: Code, count: SSAValue, unit: int = 1, items: SSAValue | None = None
    ) -> Generator[tuple[Code, SSAValue | None, SSAValue]]:
        """Yield code that runs for all of a count of repeats, or for multiples of `unit` that one call takes.

        Besides the code these are the first repeat (None is 0) and how many. There are repeats if there are `items`.
        """
        most = self.chip.max_repeat
        if self.facts.at_most(count, most):
            with self.nonempty(code, items or count) as inner:
                yield inner, None, count
            return
        step = code.constant(most // unit * unit)
        with code.loop(code.constant(0), count, step, "first") as (inner, first):
            left = inner.binary("-", count, first)
            yield inner, first, inner.binary("min", left, step, "repeat")

    def row(self, code: Code, row: SSAValue, more: SSAValue | None) -> SSAValue:
        """Return a row, or one some rows behind it."""
        if more is None:
            return row
        return more if self.facts.constant(row) == 0 else code.binary("+", row, more)

    def _counted(
        self, code: Code, instruction: Instruction, lanes: SSAValue, more_rows: SSAValue | None = None
    ) -> None:
        places = [self._place(code, operand, more_rows, None) for operand in instruction.operands]
        code.add(instruction.make(places, lanes, None, ()))

    def _place(
        self, code: Code, operand: Operand, more_rows: SSAValue | None, column: SSAValue | None
    ) -> tuple[SSAValue, SSAValue]:
        row = self.row(code, operand.row, more_rows if operand.step else None)
        return operand.tensor, self.layouts.start(code, operand.tensor, row, None if operand.pinned else column)

    def _strides_fit(self, instruction: Instruction) -> bool:
        moving = [operand.tensor for operand in instruction.operands if operand.step]
        most = self.chip.max_repeat_stride
        return all(self.layouts.pitch_at_most(t, most * self.layouts.block_elements(t)) for t in moving)

    # Repeats along the rows

    def _repeated(self, code: Code, op: RowsOp, instruction: Instruction) -> None:
        with self.chunks(code, op.rows) as (inner, first, repeat):
            if first is not None and instruction.accumulates:
                self.barrier(inner)
            self._columns(inner, op, instruction, repeat, first)

    def barrier(self, code: Code) -> None:
        """Order the instructions of a loop that depend on each other."""
        if self.chip.vector_barrier:
            code.add(BarrierOp("V"))

    def _lanes(self, instruction: Instruction) -> int:
        """Return the lanes of a column."""
        widest = max(element_bytes(element_of(operand.tensor)) for operand in instruction.operands)
        most = self.chip.repeat_bytes // widest
        return most if instruction.lanes is None else min(instruction.lanes, most)

    def _columns(
        self, code: Code, op: RowsOp, instruction: Instruction, repeat: SSAValue, first: SSAValue | None
    ) -> None:
        most = self._lanes(instruction)
        if self.facts.at_most(op.width, most):
            with self.nonempty(code, op.width) as inner:
                self._one_column(inner, instruction, op.width, repeat, first, None)
            return
        step = code.constant(most)
        with code.loop(code.constant(0), op.width, step, "column") as (inner, column):
            left = inner.binary("-", op.width, column)
            lanes = inner.binary("min", left, step, "lanes")
            if instruction.carries:
                self.barrier(inner)
            self._one_column(inner, instruction, lanes, repeat, first, column)
        mark_columns(code.block.last_op)

    def _one_column(
        self,
        code: Code,
        instruction: Instruction,
        lanes: SSAValue,
        repeat: SSAValue,
        first: SSAValue | None,
        column: SSAValue | None,
    ) -> None:
        places = [self._place(code, operand, first, column) for operand in instruction.operands]
        once = self.facts.constant(repeat) == 1
        strides = [
            code.constant(0) if once or not operand.step else self.layouts.row_blocks(operand.tensor)
            for operand in instruction.operands
        ]
        code.add(instruction.make(places, lanes, repeat, strides))

    # Repeats along one row

    def _along(self, code: Code, op: RowsOp, instruction: Instruction, row: SSAValue | None) -> None:
        """Repeat along the columns of a single row; what is pinned stays where it is."""
        lanes = self._lanes(instruction)
        if self.facts.at_most(op.width, lanes):
            with self.nonempty(code, op.width) as inner:
                self._one_column(inner, instruction, op.width, inner.constant(1), row, None)
            return
        size = code.constant(lanes)
        columns = code.binary("div", op.width, size, "columns")
        with self.chunks(code, columns) as (inner, first, repeat):
            column = None if first is None else inner.binary("*", first, size)
            if first is not None and instruction.carries:
                self.barrier(inner)
            places = [self._place(inner, operand, row, column) for operand in instruction.operands]
            strides = [
                inner.constant(0 if operand.pinned else lanes // self.layouts.block_elements(operand.tensor))
                for operand in instruction.operands
            ]
            inner.add(instruction.make(places, size, repeat, strides))
        if self.facts.divisor(op.width) % lanes:
            start = code.binary("*", columns, size)
            rest = code.binary("mod", op.width, size, "rest")
            with self.nonempty(code, rest) as inner:
                if instruction.carries:
                    self.barrier(inner)
                self._one_column(inner, instruction, rest, inner.constant(1), row, start)

    def _row_by_row(self, code: Code, op: RowsOp, instruction: Instruction) -> None:
        with code.loop(code.constant(0), op.rows, code.constant(1), "row") as (inner, row):
            if instruction.accumulates:
                self.barrier(inner)
            if instruction.pins:
                self._along(inner, op, instruction, row)
                return
            with self.nonempty(inner, op.width) as body:
                if instruction.counted:
                    self._counted(body, instruction, op.width, row)
                else:
                    self._columns(body, op, instruction, body.constant(1), row)
