"""Operations of the tile dialect, buffer level: on-chip buffers and row copies.

A buffer is a rank-2 memref in memory space "ub": rows by pitch. Pitches are multiples of 32 elements, so every row
starts on a 32-byte block whatever the element type.

    %in = tile.alloc "x_in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">
    tile.load_rows %gm[%i0, %j, %h0] along 0 to %in[%c0] rows %rows width %width : ...
    tile.store_rows %out[%c0] to %gm[%i0, %j, %h0] along 0 rows %rows width %width : ...

The row instructions are in rows.py.
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntAttr, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect

from ..index_map import IndexListParser, IndexMapAttr, print_index_list

Border = tuple[SSAValue, SSAValue, SSAValue]
"""Lanes in front of what is copied, lanes behind it, and the value that they get."""

ROLES = ("in", "out", "resident", "accumulator", "temp", "scalars", "cache")
"""What a buffer is for: copied in a tile at a time; copied out a tile at a time; copied in once an item; summed into
over the tiles of an item, then copied out; scratch; copied in a tile at a time and read by scalars only; tiles that
were copied in and may be used again."""


@irdl_op_definition
class AllocOp(IRDLOperation):
    """Reserve an on-chip buffer of rows x pitch elements, `times` copies of it where tiles overlap in time.

    `%b = tile.alloc "x_in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">`. Content is undefined.
    """

    name = "tile.alloc"

    label = prop_def(StringAttr)
    role = prop_def(StringAttr)
    sizes = prop_def(IndexMapAttr)
    times = prop_def(IntAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect())

    def __init__(
        self,
        label: str,
        role: str,
        sizes: IndexMapAttr,
        operands: Sequence[SSAValue],
        element_type: Attribute,
        times: int = 1,
    ) -> None:
        super().__init__(
            operands=[operands],
            properties={"label": StringAttr(label), "role": StringAttr(role), "sizes": sizes, "times": IntAttr(times)},
            result_types=[MemRefType(element_type, [DYNAMIC_INDEX, DYNAMIC_INDEX], memory_space=StringAttr("ub"))],
        )
        self.result.name_hint = label

    @classmethod
    def parse(cls, parser: Parser) -> "AllocOp":
        label = parser.parse_str_literal()
        role = parser.parse_keyword_in(ROLES)
        indices = IndexListParser(parser)
        sizes = indices.parse_list()
        times = 1
        if parser.parse_optional_keyword("times"):
            times = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        result_type = parser.parse_type()
        if not isinstance(result_type, MemRefType):
            parser.raise_error("expected a memref type")
        element_type = cast("MemRefType[Attribute]", result_type).element_type
        return AllocOp(label, role, sizes, indices.resolve(), element_type, times)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(f" {self.role.data} ")
        print_index_list(printer, self.sizes, self.operands_)
        if self.times.data != 1:
            printer.print_string(f" times {self.times.data}")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        from .verify import verify_alloc

        verify_alloc(self)


@irdl_op_definition
class LoadRowsOp(IRDLOperation):
    """Copy rows from global memory: row r, element e of the buffer is `gm[start + r along dim, + e along the last]`.

    `tile.load_rows %gm[%i0, %j, %h0] along 0 to %buf[%row] rows %n width %w : memref<..>, memref<..>`. All in range.

    With `border %left, %right of %v` each row is `%left` times `%v`, then what is copied, then `%right` times `%v`; an
    element of the buffer's type. Where `%w` is 0, a row may stay as it is. A chip takes borders of at most a block.
    """

    name = "tile.load_rows"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    start = var_operand_def(IndexType)
    row = operand_def(IndexType)
    rows = operand_def(IndexType)
    width = operand_def(IndexType)
    left = opt_operand_def(IndexType)
    right = opt_operand_def(IndexType)
    beyond = opt_operand_def(Attribute)
    along = prop_def(IntAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        source: SSAValue,
        start: Sequence[SSAValue],
        along: int,
        target: SSAValue,
        row: SSAValue,
        rows: SSAValue,
        width: SSAValue,
        border: Border | None = None,
    ) -> None:
        """Build a copy; `border` is the lanes in front, the lanes behind, and their value."""
        super().__init__(
            operands=[source, target, start, row, rows, width, *(border or (None, None, None))],
            properties={"along": IntAttr(along)},
        )

    @property
    def border(self) -> Border | None:
        """Return the border, if there is one."""
        if self.left is None or self.right is None or self.beyond is None:
            return None
        return self.left, self.right, self.beyond

    @classmethod
    def parse(cls, parser: Parser) -> "LoadRowsOp":
        source = parser.parse_unresolved_operand()
        start = _parse_values(parser)
        parser.parse_keyword("along")
        along = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_keyword("to")
        target, row = _parse_place(parser)
        rows, width = parse_extent(parser)
        border = _parse_border(parser)
        source_value, target_value = _resolve_pair(parser, source, target)
        if border is None:
            return LoadRowsOp(source_value, start, along, target_value, row, rows, width)
        left, right, beyond = border
        value = parser.resolve_operand(beyond, cast("MemRefType[Attribute]", target_value.type).element_type)
        return LoadRowsOp(source_value, start, along, target_value, row, rows, width, (left, right, value))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        _print_values(printer, self.start)
        printer.print_string(f" along {self.along.data} to ")
        print_place(printer, self.target, self.row)
        print_extent(printer, self.rows, self.width)
        if self.border is not None:
            for word, value in zip((" border ", ", ", " of "), self.border, strict=True):
                printer.print_string(word)
                printer.print_operand(value)
        _print_pair(printer, self.source, self.target)

    def verify_(self) -> None:
        from .verify import verify_copy

        verify_copy(self, self.source, self.target)


@irdl_op_definition
class StoreRowsOp(IRDLOperation):
    """Copy rows to global memory: the mirror of tile.load_rows.

    `tile.store_rows %buf[%row] to %gm[%i0, %j, %h0] along 0 rows %n width %w : memref<..>, memref<..>`
    """

    name = "tile.store_rows"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    start = var_operand_def(IndexType)
    row = operand_def(IndexType)
    rows = operand_def(IndexType)
    width = operand_def(IndexType)
    along = prop_def(IntAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        source: SSAValue,
        row: SSAValue,
        target: SSAValue,
        start: Sequence[SSAValue],
        along: int,
        rows: SSAValue,
        width: SSAValue,
    ) -> None:
        super().__init__(operands=[source, target, start, row, rows, width], properties={"along": IntAttr(along)})

    @classmethod
    def parse(cls, parser: Parser) -> "StoreRowsOp":
        source, row = _parse_place(parser)
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        start = _parse_values(parser)
        parser.parse_keyword("along")
        along = parser.parse_integer(allow_boolean=False, allow_negative=False)
        rows, width = parse_extent(parser)
        source_value, target_value = _resolve_pair(parser, source, target)
        return StoreRowsOp(source_value, row, target_value, start, along, rows, width)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_place(printer, self.source, self.row)
        printer.print_string(" to ")
        printer.print_operand(self.target)
        _print_values(printer, self.start)
        printer.print_string(f" along {self.along.data}")
        print_extent(printer, self.rows, self.width)
        _print_pair(printer, self.source, self.target)

    def verify_(self) -> None:
        from .verify import verify_copy

        verify_copy(self, self.target, self.source)


def _parse_border(parser: Parser) -> tuple[SSAValue, SSAValue, UnresolvedOperand] | None:
    if parser.parse_optional_keyword("border") is None:
        return None
    left = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    parser.parse_punctuation(",")
    right = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    parser.parse_keyword("of")
    return left, right, parser.parse_unresolved_operand()


def _parse_values(parser: Parser) -> list[SSAValue]:
    operands = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    return [parser.resolve_operand(operand, IndexType()) for operand in operands]


def _print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    printer.print_string("[")
    printer.print_list(values, printer.print_operand)
    printer.print_string("]")


def _parse_place(parser: Parser) -> tuple[UnresolvedOperand, SSAValue]:
    return parser.parse_unresolved_operand(), _parse_values(parser)[0]


def print_place(printer: Printer, buffer: SSAValue, row: SSAValue) -> None:
    """Print `%buf[%row]`."""
    printer.print_operand(buffer)
    _print_values(printer, [row])


def parse_extent(parser: Parser) -> tuple[SSAValue, SSAValue]:
    """Parse `rows %n width %w`."""
    parser.parse_keyword("rows")
    rows = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    parser.parse_keyword("width")
    return rows, parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())


def print_extent(printer: Printer, rows: SSAValue, width: SSAValue) -> None:
    """Print ` rows %n width %w`."""
    printer.print_string(" rows ")
    printer.print_operand(rows)
    printer.print_string(" width ")
    printer.print_operand(width)


def _resolve_pair(parser: Parser, source: UnresolvedOperand, target: UnresolvedOperand) -> tuple[SSAValue, SSAValue]:
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_punctuation(",")
    return parser.resolve_operand(source, source_type), parser.resolve_operand(target, parser.parse_type())


def _print_pair(printer: Printer, source: SSAValue, target: SSAValue) -> None:
    printer.print_string(" : ")
    printer.print_attribute(source.type)
    printer.print_string(", ")
    printer.print_attribute(target.type)
