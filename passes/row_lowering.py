"""Row instructions as vector instructions: counted for a single row, repeated along the rows of each column of lanes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialect.ascendc import BarrierOp, BinaryOp, CastOp, FillOp, ScalarOp, UnaryOp, VectorOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import rows as tile_rows
from ..dialect.tile.rows import RowsOp
from .chips import Chip
from .index_code import Code
from .index_facts import Facts
from .tensor_layout import Layouts, element_bytes, element_of

UNARY_APIS = {
    "exp": "Exp",
    "log": "Ln",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
    "abs": "Abs",
    "relu": "Relu",
    "recip": "Reciprocal",
    "copy": "Copy",
}
BINARY_APIS = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "max": "Max", "min": "Min"}
SCALAR_APIS = {"add": "Adds", "mul": "Muls", "max": "Maxs", "min": "Mins"}

SHORT_NAMES: dict[Attribute, str] = {
    BFloat16Type(): "bf",
    Float16Type(): "h",
    Float32Type(): "f",
    **{IntegerType(bits): f"i{bits}" for bits in (8, 16, 32, 64)},
}
"""How the dtype table of a chip names element types."""


@dataclass(frozen=True)
class Operand:
    """One tensor of a vector instruction.

    Attributes:
        tensor: the tensor.
        row: its first row.
        step: rows from one repeat to the next, 0 or 1.
    """

    tensor: SSAValue
    row: SSAValue
    step: int


Make = Callable[[Sequence[tuple[SSAValue, SSAValue]], SSAValue, SSAValue | None, Sequence[SSAValue]], VectorOp]
"""Makes an instruction of (tensors with starts, lanes, repeat, strides)."""


@dataclass(frozen=True)
class Instruction:
    """A row instruction in terms of the vector API.

    Attributes:
        api: the API's name, as the dtype table has it.
        operands: the target and the sources.
        make: makes the instruction.
        counted: whether the API has a count form on every chip.
        accumulates: whether each repeat depends on the one before.
    """

    api: str
    operands: tuple[Operand, ...]
    make: Make
    counted: bool = True
    accumulates: bool = False

    @staticmethod
    def of(op: RowsOp, code: Code) -> "Instruction":
        """Translate a row instruction; constants it needs are appended to the code.

        Raises:
            Diagnostic: OPW374 for a cast that no rounding mode describes.
        """
        target = Operand(op.target, op.row, 1)
        sources = tuple(Operand(*source) for source in op.source_list)
        kind, scalars = op.kind.data, tuple(op.scalars)
        match op:
            case tile_rows.FillOp():
                return Instruction("Duplicate", (target,), lambda p, n, r, s: FillOp("Duplicate", p, n, r, s, scalars))
            case tile_rows.CastOp():
                mode = _round_mode(op)
                return Instruction("Cast", (target, *sources), lambda p, n, r, s: CastOp(mode, p, n, r, s))
            case tile_rows.UnaryOp() if kind == "neg":
                minus = code.scalar(element_of(op.target), -1)
                return Instruction(
                    "Muls", (target, *sources), lambda p, n, r, s: ScalarOp("Muls", p, n, r, s, [minus])
                )
            case tile_rows.UnaryOp():
                api = UNARY_APIS[kind]
                return Instruction(
                    api, (target, *sources), lambda p, n, r, s: UnaryOp(api, p, n, r, s), counted=api != "Copy"
                )
            case tile_rows.ScalarOp():
                api = SCALAR_APIS[kind]
                return Instruction(api, (target, *sources), lambda p, n, r, s: ScalarOp(api, p, n, r, s, scalars))
            case tile_rows.AccumulateOp():
                api = BINARY_APIS[kind]
                sum_row = Operand(op.target, op.row, 0)
                return Instruction(
                    api, (sum_row, *sources, sum_row), lambda p, n, r, s: BinaryOp(api, p, n, r, s), accumulates=True
                )
            case _:
                api = BINARY_APIS[kind]
                return Instruction(api, (target, *sources), lambda p, n, r, s: BinaryOp(api, p, n, r, s))

    def check_dtypes(self, op: Operation, chip: Chip) -> None:
        """Refuse element types that the chip's instruction does not take.

        Raises:
            Diagnostic: OPW374.
        """
        types = [element_of(operand.tensor) for operand in self.operands]
        names = [SHORT_NAMES.get(t, str(t)) for t in types]
        if not chip.supports(self.api, *names):
            text = ", ".join(str(t) for t in types)
            raise Diagnostic(
                "OPW374",
                f"'{chip.name}' has no {self.api} of ({text})",
                op,
                "compute in f32 and convert: 16-bit and integer types have few vector instructions",
            )


def _round_mode(op: tile_rows.CastOp) -> str:
    source, target = element_of(op.sources[0]), element_of(op.target)
    wider = element_bytes(target) > element_bytes(source)
    floats = (BFloat16Type, Float16Type, Float32Type)
    if isinstance(target, floats):
        exact = wider or source == target
        return "CAST_NONE" if exact else "CAST_RINT"
    if isinstance(source, IntegerType) and wider:
        return "CAST_NONE"
    raise Diagnostic("OPW374", f"a conversion of {source} to {target} is not exact and has no rounding here", op)


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
        instruction = Instruction.of(op, code)
        instruction.check_dtypes(op, self.chip)
        if self.facts.constant(op.rows) == 1 and instruction.counted:
            with self.nonempty(code, op.width) as inner:
                self._counted(inner, instruction, op.width)
        elif self._strides_fit(instruction):
            self._repeated(code, op, instruction)
        else:
            self._row_by_row(code, op, instruction)
        return code.block

    @contextmanager
    def nonempty(self, code: Code, *counts: SSAValue) -> Iterator[Code]:
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

    def _counted(
        self, code: Code, instruction: Instruction, lanes: SSAValue, more_rows: SSAValue | None = None
    ) -> None:
        places = [self._place(code, operand, more_rows, None) for operand in instruction.operands]
        code.add(instruction.make(places, lanes, None, ()))

    def _place(
        self, code: Code, operand: Operand, more_rows: SSAValue | None, column: SSAValue | None
    ) -> tuple[SSAValue, SSAValue]:
        row = operand.row
        if more_rows is not None and operand.step:
            row = more_rows if self.facts.constant(row) == 0 else code.binary("+", row, more_rows)
        return operand.tensor, self.layouts.start(code, operand.tensor, row, column)

    def _strides_fit(self, instruction: Instruction) -> bool:
        moving = [operand for operand in instruction.operands if operand.step]
        return all(
            self.layouts.pitch_at_most(
                self.facts, operand.tensor, self.chip.max_repeat_stride * self.layouts.block_elements(operand.tensor)
            )
            for operand in moving
        )

    # Repeats along the rows

    def _repeated(self, code: Code, op: RowsOp, instruction: Instruction) -> None:
        if self.facts.at_most(op.rows, self.chip.max_repeat):
            with self.nonempty(code, op.rows) as inner:
                self._columns(inner, op, instruction, op.rows, None)
            return
        step = code.constant(self.chip.max_repeat)
        with code.loop(code.constant(0), op.rows, step, "first") as (inner, first):
            left = inner.binary("-", op.rows, first)
            repeat = inner.binary("min", left, step, "repeat")
            self._barrier(inner, instruction)
            self._columns(inner, op, instruction, repeat, first)

    def _barrier(self, code: Code, instruction: Instruction) -> None:
        """Order the instructions of a loop over one sum."""
        if instruction.accumulates and self.chip.vector_barrier:
            code.add(BarrierOp("V"))

    def _columns(
        self, code: Code, op: RowsOp, instruction: Instruction, repeat: SSAValue, first: SSAValue | None
    ) -> None:
        widest = max(element_bytes(element_of(operand.tensor)) for operand in instruction.operands)
        most = self.chip.repeat_bytes // widest
        if self.facts.at_most(op.width, most):
            with self.nonempty(code, op.width) as inner:
                self._one_column(inner, instruction, op.width, repeat, first, None)
            return
        step = code.constant(most)
        with code.loop(code.constant(0), op.width, step, "column") as (inner, column):
            left = inner.binary("-", op.width, column)
            lanes = inner.binary("min", left, step, "lanes")
            self._one_column(inner, instruction, lanes, repeat, first, column)

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
        strides = [
            self.layouts.row_blocks(operand.tensor) if operand.step else code.constant(0)
            for operand in instruction.operands
        ]
        code.add(instruction.make(places, lanes, repeat, strides))

    def _row_by_row(self, code: Code, op: RowsOp, instruction: Instruction) -> None:
        with code.loop(code.constant(0), op.rows, code.constant(1), "row") as (inner, row):
            self._barrier(inner, instruction)
            with self.nonempty(inner, op.width) as body:
                if instruction.counted:
                    self._counted(body, instruction, op.width, row)
                else:
                    self._columns(body, op, instruction, body.constant(1), row)
