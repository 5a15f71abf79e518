"""The places of the true elements of each row."""

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..operands import parse_value
from .attrs import TensorType, parse_tensor_type
from .operator import Placed


@irdl_op_definition
class PositionsOp(Placed):
    """List where each row is true: `%p = spec.positions %mask : !spec.tensor<[T, K], i32>` of a mask [T, E].

    Element [..., s] of the result is the index of true element number s of the row mask[..., :], in ascending order;
    it is -1 where the row has fewer. True elements beyond the last dim of the result are left out; that dim may be
    larger than the row. Booleans are stored as bytes, of which every one but 0 is true. In a mask that a call does
    not give, no element is true.
    """

    name = "spec.positions"

    tensor = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, result_type: TensorType) -> None:
        super().__init__(operands=[tensor], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> "PositionsOp":
        tensor = parse_value(parser)
        parser.parse_punctuation(":")
        return PositionsOp(tensor, parse_tensor_type(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.tensor)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)
