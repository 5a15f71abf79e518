"""The places of true elements, on global memory."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ..diagnostics import Diagnostic
from ..operands import parse_value
from .divisors import constant


@irdl_op_definition
class PositionsOp(IRDLOperation):
    """List where rows are not 0: `list[..., r, s]` is the place of element number s that is not 0, or -1.

    `tile.positions %mask to %list at [%i, %row] rows %rows width %E count %K : memref<?x?x?xi8>, memref<?x?x?xi32>`

    The indices after `at` are all but the last; rows lie along the last of them, s and the places along the last dim.
    A mask of rank 1 is one row: `at []`.
    """

    name = "tile.positions"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    start = var_operand_def(IndexType)
    rows = operand_def(IndexType)
    width = operand_def(IndexType)
    count = operand_def(IndexType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        source: SSAValue,
        target: SSAValue,
        start: Sequence[SSAValue],
        rows: SSAValue,
        width: SSAValue,
        count: SSAValue,
    ) -> None:
        super().__init__(operands=[source, target, start, rows, width, count])

    @classmethod
    def parse(cls, parser: Parser) -> "PositionsOp":
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        parser.parse_keyword("at")
        start = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_value(parser))
        sizes: list[SSAValue] = []
        for keyword in ("rows", "width", "count"):
            parser.parse_keyword(keyword)
            sizes.append(parse_value(parser))
        parser.parse_punctuation(":")
        source_value = parser.resolve_operand(source, parser.parse_type())
        parser.parse_punctuation(",")
        return PositionsOp(source_value, parser.resolve_operand(target, parser.parse_type()), start, *sizes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        printer.print_string(" to ")
        printer.print_operand(self.target)
        printer.print_string(" at ")
        with printer.in_square_brackets():
            printer.print_list(self.start, printer.print_operand)
        for keyword, value in (("rows", self.rows), ("width", self.width), ("count", self.count)):
            printer.print_string(f" {keyword} ")
            printer.print_operand(value)
        printer.print_string(" : ")
        printer.print_list((self.source.type, self.target.type), printer.print_attribute)

    def verify_(self) -> None:
        for array in (self.source, self.target):
            kind = cast("MemRefType[Attribute]", array.type)
            if kind.get_num_dims() != len(self.start) + 1:
                text = f"'{self.name}' starts at {len(self.start)} indices in {kind}"
                raise Diagnostic("OPW307", text, self, "give all indices but the last")
            if kind.element_type == i1 or not isinstance(kind.element_type, IntegerType):
                hint = "the mask holds bytes, the list integers"
                raise Diagnostic("OPW312", f"'{self.name}' works on integers, not on {kind}", self, hint)
        if not self.start and constant(self.rows) != 1:
            hint = "give the constant 1"
            raise Diagnostic("OPW310", f"'{self.name}' finds more than one row in rank 1", self, hint)
