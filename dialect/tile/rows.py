"""Row instructions of the tile dialect.

A row instruction works on `rows` rows of the first `width` elements of each operand, from a start row on:

    tile.fill (%zero) to %g[%r] rows %rows width %width : (f32) -> memref<?x?xf32, "ub">
    tile.cast %in[%c0] to %g[%c0] rows %rows width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
    tile.unary "exp" %x[%c0] to %y[%c0] rows ...
    tile.binary "mul" %g[%c2], %w[%c0] step 0 to %p[%c0] rows ...
    tile.scalar "mul" %g[%c0] (%scale) to %p[%c0] rows ...
    tile.accumulate "add" %p[%c0] to %acc[%c1] rows ...

`step 0` after a source uses its start row for every row (a broadcast). A source overlaps the target only if it is the
same buffer at the same start row with step 1.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from .buffers import parse_extent, print_extent, print_place

Source = tuple[SSAValue, SSAValue, int]
"""A buffer, its start row and its row step (1, or 0 for a broadcast)."""


class RowsOp(IRDLOperation, ABC):
    """For r in 0..rows, e in 0..width: `target[row + r, e] = f(source[source_row + r * step, e]..., scalars...)`."""

    sources = var_operand_def(MemRefType)
    source_rows = var_operand_def(IndexType)
    scalars = var_operand_def(Attribute)
    target = operand_def(MemRefType)
    row = operand_def(IndexType)
    rows = operand_def(IndexType)
    width = operand_def(IndexType)
    kind = prop_def(StringAttr)
    steps = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    KINDS: ClassVar[tuple[str, ...]] = ("",)
    SOURCES: ClassVar[int]
    SCALARS: ClassVar[int] = 0

    def __init__(
        self,
        kind: str,
        sources: Sequence[Source],
        target: SSAValue,
        row: SSAValue,
        rows: SSAValue,
        width: SSAValue,
        scalars: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(
            operands=[[s[0] for s in sources], [s[1] for s in sources], scalars, target, row, rows, width],
            properties={"kind": StringAttr(kind), "steps": DenseArrayBase.from_list(i64, [s[2] for s in sources])},
        )

    @property
    def source_list(self) -> list[Source]:
        """Return each source with its start row and step."""
        return list(zip(self.sources, self.source_rows, self.steps.get_values(), strict=True))

    @classmethod
    def parse(cls, parser: Parser) -> "RowsOp":
        kind = parser.parse_optional_str_literal() or ""
        sources: list[tuple[UnresolvedOperand, UnresolvedOperand, int]] = []
        while (buffer := parser.parse_optional_unresolved_operand()) is not None:
            sources.append((buffer, _bracketed(parser), _parse_step(parser)))
            parser.parse_optional_punctuation(",")
        scalars = (
            parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand) or []
        )
        parser.parse_keyword("to")
        target, row = parser.parse_unresolved_operand(), _bracketed(parser)
        rows, width = parse_extent(parser)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        target_value = parser.resolve_operand(target, parser.parse_type())
        values = parser.resolve_operands([s[0] for s in sources] + scalars, types, parser.pos)
        resolved = [
            (value, parser.resolve_operand(start, IndexType()), step)
            for value, (_, start, step) in zip(values, sources, strict=False)
        ]
        return cls(
            kind,
            resolved,
            target_value,
            parser.resolve_operand(row, IndexType()),
            rows,
            width,
            values[len(sources) :],
        )

    def print(self, printer: Printer) -> None:
        if self.kind.data or self.sources or self.scalars:
            printer.print_string(" ")
        if self.kind.data:
            printer.print_string_literal(self.kind.data)
            printer.print_string(" ")
        printer.print_list(self.source_list, lambda source: _print_source(printer, source))
        if self.scalars:
            printer.print_string(" (" if self.sources else "(")
            printer.print_list(self.scalars, printer.print_operand)
            printer.print_string(")")
        printer.print_string(" to ")
        print_place(printer, self.target, self.row)
        print_extent(printer, self.rows, self.width)
        printer.print_string(" : (")
        printer.print_list([v.type for v in (*self.sources, *self.scalars)], printer.print_attribute)
        printer.print_string(") -> ")
        printer.print_attribute(self.target.type)

    def verify_(self) -> None:
        from .verify_rows import verify_rows

        verify_rows(self)


def _bracketed(parser: Parser) -> UnresolvedOperand:
    with parser.in_square_brackets():
        return parser.parse_unresolved_operand()


def _parse_step(parser: Parser) -> int:
    if parser.parse_optional_keyword("step"):
        return parser.parse_integer(allow_boolean=False, allow_negative=False)
    return 1


def _print_source(printer: Printer, source: Source) -> None:
    print_place(printer, source[0], source[1])
    if source[2] != 1:
        printer.print_string(f" step {source[2]}")


@irdl_op_definition
class FillOp(RowsOp):
    """Set rows to a scalar."""

    name = "tile.fill"
    SOURCES: ClassVar[int] = 0
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class CastOp(RowsOp):
    """Convert rows: exactly where the target is wider, to nearest even to other floats, toward 0 to an integer.

    A float that the integer type does not hold, NaN among them, gives any integer.
    """

    name = "tile.cast"
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class UnaryOp(RowsOp):
    """Apply a function to each element.

    `floor`, `ceil`, `rint` (to nearest, ties to even) and `trunc` (toward 0) round to an integer, as a float; the sign
    of a zero they give is not defined.
    """

    name = "tile.unary"
    KINDS: ClassVar[tuple[str, ...]] = (
        *("exp", "log", "sqrt", "rsqrt", "abs", "neg", "relu", "recip", "copy"),
        *("floor", "ceil", "rint", "trunc"),
    )
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class BinaryOp(RowsOp):
    """Combine two buffers element by element, each result rounded once."""

    name = "tile.binary"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "sub", "mul", "div", "max", "min")
    SOURCES: ClassVar[int] = 2


@irdl_op_definition
class ScalarOp(RowsOp):
    """Combine each element with a scalar (on the right)."""

    name = "tile.scalar"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "mul", "max", "min")
    SOURCES: ClassVar[int] = 1
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class AccumulateOp(RowsOp):
    """Combine rows into the one target row, in ascending order: `target[row] = target[row] + source[r]` for each r."""

    name = "tile.accumulate"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "max", "min")
    SOURCES: ClassVar[int] = 1
