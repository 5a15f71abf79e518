"""Which vector instruction a row instruction is, and whether a chip has it for the element types at hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xdsl.dialects.builtin import AnyFloat, BFloat16Type, Float16Type, Float32Type, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.ascendc import BinaryOp, ByRowOp, CastOp, FillOp, ScalarOp, UnaryOp, VectorOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import lane_rows
from ..dialect.tile import rows as tile_rows
from ..dialect.tile.lane_rows import FOLD
from ..dialect.tile.rows import RowsOp
from .chips import Chip
from .index_code import Code
from .tensor_layout import element_bytes, element_of

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
ROUNDING = ("floor", "ceil", "rint", "trunc")
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
        pinned: whether every column uses the same lanes, the first ones.
    """

    tensor: SSAValue
    row: SSAValue
    step: int
    pinned: bool = False


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
        carries: whether each column depends on the one before.
        lanes: the most lanes of a column, where it is not what an instruction takes.
    """

    api: str
    operands: tuple[Operand, ...]
    make: Make
    counted: bool = True
    accumulates: bool = False
    carries: bool = False
    lanes: int | None = None

    @property
    def pins(self) -> bool:
        """Return whether an operand is pinned."""
        return any(operand.pinned for operand in self.operands)


def check_dtypes(api: str, types: Sequence[Attribute], op: Operation, chip: Chip) -> None:
    """Refuse element types, the target's first, that the chip's instruction does not take.

    Raises:
        Diagnostic: OPW374.
    """
    if not chip.supports(api, *(SHORT_NAMES.get(t, str(t)) for t in types)):
        text = ", ".join(str(t) for t in types)
        raise Diagnostic(
            "OPW374",
            f"'{chip.name}' has no {api} of ({text})",
            op,
            "compute in f32 and convert: 16-bit and integer types have few vector instructions",
        )


def _fill(op: tile_rows.FillOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    scalars = tuple(op.scalars)
    return Instruction("Duplicate", operands, lambda p, n, r, s: FillOp("Duplicate", p, n, r, s, scalars))


def _cast(op: tile_rows.CastOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    """Translate a conversion: exact to a wider type, toward 0 to an integer, else to the nearest."""
    source, target = element_of(op.sources[0]), element_of(op.target)
    if isinstance(source, AnyFloat) and not isinstance(target, AnyFloat):
        return _rounded("trunc", operands)
    return _converted("CAST_NONE" if element_bytes(target) > element_bytes(source) else "CAST_RINT", operands)


def _converted(mode: str, operands: tuple[Operand, ...]) -> Instruction:
    return Instruction("Cast", operands, lambda p, n, r, s: CastOp(mode, p, n, r, s))


def _rounded(kind: str, operands: tuple[Operand, ...]) -> Instruction:
    return _converted(f"CAST_{kind.upper()}", operands)


def _unary(op: tile_rows.UnaryOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    if op.kind.data == "neg":
        minus = code.scalar(element_of(op.target), -1)
        return Instruction("Muls", operands, lambda p, n, r, s: ScalarOp("Muls", p, n, r, s, [minus]))
    if op.kind.data in ROUNDING:
        return _rounded(op.kind.data, operands)
    api = UNARY_APIS[op.kind.data]
    return Instruction(api, operands, lambda p, n, r, s: UnaryOp(api, p, n, r, s), counted=api != "Copy")


def _scalar(op: tile_rows.ScalarOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    api, scalars = SCALAR_APIS[op.kind.data], tuple(op.scalars)
    return Instruction(api, operands, lambda p, n, r, s: ScalarOp(api, p, n, r, s, scalars))


def _binary(op: tile_rows.BinaryOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    api = BINARY_APIS[op.kind.data]
    return Instruction(api, operands, lambda p, n, r, s: BinaryOp(api, p, n, r, s))


def _accumulate(op: tile_rows.AccumulateOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    """Translate to `Add(sum, source, sum)` with the sum's row repeated: the one overlap that the API allows."""
    api, total = BINARY_APIS[op.kind.data], Operand(op.target, op.row, 0)
    make: Make = lambda p, n, r, s: BinaryOp(api, p, n, r, s)  # noqa: E731
    return Instruction(api, (total, operands[1], total), make, accumulates=True)


def _fold(op: lane_rows.FoldOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    """Translate to `Add(partial, source, partial)` for each column of FOLD lanes, in ascending order."""
    api, partial = BINARY_APIS[op.kind.data], Operand(op.target, op.row, 1, pinned=True)
    make: Make = lambda p, n, r, s: BinaryOp(api, p, n, r, s)  # noqa: E731
    return Instruction(api, (partial, operands[1], partial), make, counted=False, carries=True, lanes=FOLD)


def _by_row(op: lane_rows.ByRowOp, operands: tuple[Operand, ...], code: Code) -> Instruction:
    api, (target, lanes, partner) = BINARY_APIS[op.kind.data], operands
    make: Make = lambda p, n, r, s: ByRowOp(api, p, n, r, s)  # noqa: E731
    return Instruction(api, (target, lanes, replace(partner, pinned=True)), make, counted=False)


TRANSLATIONS: Mapping[type[RowsOp], Callable[[Any, tuple[Operand, ...], Code], Instruction]] = {
    tile_rows.AccumulateOp: _accumulate,
    tile_rows.BinaryOp: _binary,
    lane_rows.ByRowOp: _by_row,
    tile_rows.CastOp: _cast,
    tile_rows.FillOp: _fill,
    lane_rows.FoldOp: _fold,
    tile_rows.ScalarOp: _scalar,
    tile_rows.UnaryOp: _unary,
}


def translate(op: RowsOp, code: Code) -> Instruction:
    """Return the instruction of a row instruction; constants it needs are appended to the code."""
    target = Operand(op.target, op.row, 1)
    sources = tuple(Operand(*source) for source in op.source_list)
    return TRANSLATIONS[type(op)](op, (target, *sources), code)
