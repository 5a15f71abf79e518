"""The search for a place in an ordered list."""

from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect

from ..diagnostics import Diagnostic
from ..operands import parse_value


@irdl_op_definition
class SearchOp(IRDLOperation):
    """Return how many entries of a list are at most a value: `%b = tile.search %act for %t : memref<?xi64>`.

    The list is rank 1, of integers that never fall. A binary search reads few of them.
    """

    name = "tile.search"

    source = operand_def(MemRefType)
    value = operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(MemoryReadEffect())

    def __init__(self, source: SSAValue, value: SSAValue) -> None:
        super().__init__(operands=[source, value], result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> "SearchOp":
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("for")
        value = parse_value(parser)
        parser.parse_punctuation(":")
        return SearchOp(parser.resolve_operand(source, parser.parse_type()), value)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        printer.print_string(" for ")
        printer.print_operand(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    def verify_(self) -> None:
        source = cast("MemRefType[Attribute]", self.source.type)
        if source.get_num_dims() != 1:
            text = f"'{self.name}' searches a list, the memref has rank {source.get_num_dims()}"
            raise Diagnostic("OPW306", text, self, "give a memref of rank 1")
        element = source.element_type
        if element == i1 or not isinstance(element, IntegerType | IndexType):
            text = f"'{self.name}' searches integers, the memref holds {source.element_type}"
            raise Diagnostic("OPW309", text, self, "convert them first")
