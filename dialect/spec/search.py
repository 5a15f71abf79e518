"""The search for a place in an ordered list."""

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..operands import parse_value
from .attrs import TensorType
from .operator import Placed


@irdl_op_definition
class SearchOp(Placed):
    """Return how many entries of a list are at most a value: `%b = spec.search %act for %t`.

    The list is rank 1, of integers that never fall: with row ends of segments, the result is the segment of row t.
    """

    name = "spec.search"

    tensor = operand_def(TensorType)
    value = operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, value: SSAValue) -> None:
        super().__init__(operands=[tensor, value], result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> "SearchOp":
        tensor = parse_value(parser)
        parser.parse_keyword("for")
        return SearchOp(tensor, parse_value(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.tensor)
        printer.print_string(" for ")
        printer.print_operand(self.value)
