"""What a caller promises of the elements of an integer tensor, which lies on the device."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from ..operands import parse_value
from .attrs import TensorType
from .front_end import FrontEndOp


@irdl_op_definition
class PlacesOp(FrontEndOp):
    """The elements of an integer input are places: `spec.places %slot below [%M] unused distinct`.

    Each is at least 0 and less than `below`. Where `unused` stands, it may also be negative, and then names nothing.
    Where `distinct` stands, no two name the same place.

    Whoever runs the operator on arrays tests this before anything is computed. A kernel cannot: it leaves out rows at
    places outside of a tensor, and a place that is named twice belongs to the last point that names it.
    """

    name = "spec.places"

    tensor = operand_def(TensorType)
    operands_ = var_operand_def(IndexType)
    below = prop_def(IndexMapAttr)
    unused = opt_prop_def(UnitAttr)
    distinct = opt_prop_def(UnitAttr)

    def __init__(
        self,
        tensor: SSAValue,
        below: IndexMapAttr,
        operands: Sequence[SSAValue],
        *,
        unused: bool = False,
        distinct: bool = False,
    ) -> None:
        flags: dict[str, Attribute] = {
            name: UnitAttr() for name, on in (("unused", unused), ("distinct", distinct)) if on
        }
        super().__init__(operands=[tensor, operands], properties={"below": below, **flags})

    @classmethod
    def parse(cls, parser: Parser) -> "PlacesOp":
        tensor = parse_value(parser)
        parser.parse_keyword("below")
        indices = IndexListParser(parser)
        below = indices.parse_list()
        unused, distinct = (parser.parse_optional_keyword(word) is not None for word in ("unused", "distinct"))
        return PlacesOp(tensor, below, indices.resolve(), unused=unused, distinct=distinct)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.tensor)
        printer.print_string(" below ")
        print_index_list(printer, self.below, self.operands_)
        for word, flag in (("unused", self.unused), ("distinct", self.distinct)):
            if flag is not None:
                printer.print_string(f" {word}")
