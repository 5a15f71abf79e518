"""Operations that compute tensors."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    UnitAttr,
)
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, Pure

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from ..operands import parse_value
from .attrs import TensorType, parse_tensor_type
from .nests import Header, Nest, parse_nest, print_body, print_nest
from .operator import Placed


@irdl_op_definition
class ComputeOp(Nest, Placed):
    """Run the body at every point of the nest; writes in it define the results.

    A result element that no write names holds the identity of its combiner, or 0.
    """

    name = "spec.compute"

    results_ = var_result_def(TensorType)

    traits = traits_def(NoTerminator())

    def __init__(self, header: Header, bounds: Sequence[SSAValue], results: Sequence[TensorType], body: Region) -> None:
        super().__init__(
            operands=[bounds],
            properties={"lower": header.lower, "upper": header.upper},
            result_types=[results],
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "ComputeOp":
        header, bounds, arguments = parse_nest(parser)
        parser.parse_punctuation("->")
        types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        results = [parser.parse_type()] if types is None else types
        if not all(isinstance(t, TensorType) for t in results):
            parser.raise_error("expected !spec.tensor results")
        return ComputeOp(
            header, bounds, [t for t in results if isinstance(t, TensorType)], parser.parse_region(arguments)
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_nest(printer, self)
        printer.print_string(" -> ")
        if len(self.results_) == 1:
            printer.print_attribute(self.results_[0].type)
        else:
            printer.print_string("(")
            printer.print_list(self.results_.types, printer.print_attribute)
            printer.print_string(")")
        print_body(printer, self.body)


@irdl_op_definition
class EachOp(Nest, Placed):
    """An inner nest, whose ranges may depend on values read in the body around it."""

    name = "spec.each"

    traits = traits_def(NoTerminator())

    def __init__(self, header: Header, bounds: Sequence[SSAValue], body: Region) -> None:
        super().__init__(operands=[bounds], properties={"lower": header.lower, "upper": header.upper}, regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> "EachOp":
        header, bounds, arguments = parse_nest(parser)
        return EachOp(header, bounds, parser.parse_region(arguments))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_nest(printer, self)
        print_body(printer, self.body)


@irdl_op_definition
class IndexOp(Placed):
    """An index expression as a value: `%q = spec.index [%t - %begin]`."""

    name = "spec.index"

    indices = prop_def(IndexMapAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> None:
        super().__init__(operands=[operands], properties={"indices": indices}, result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> "IndexOp":
        indices = IndexListParser(parser)
        return IndexOp(indices.parse_list(), indices.resolve())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_index_list(printer, self.indices, self.operands_)


@irdl_op_definition
class ScanOp(Placed):
    """Prefix sum along a dim, of integers: `%r = spec.scan exclusive %t dim 1 : !spec.tensor<[T, E], i32>`."""

    name = "spec.scan"

    tensor = operand_def(TensorType)
    dim = prop_def(IntegerAttr)
    exclusive = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, dim: int, result_type: TensorType, *, exclusive: bool = False) -> None:
        super().__init__(
            operands=[tensor],
            properties={
                "dim": IntegerAttr(dim, 64),
                **({"exclusive": UnitAttr()} if exclusive else {}),
            },
            result_types=[result_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "ScanOp":
        exclusive = parser.parse_optional_keyword("exclusive") is not None
        tensor = parse_value(parser)
        parser.parse_keyword("dim")
        dim = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        return ScanOp(tensor, dim, parse_tensor_type(parser), exclusive=exclusive)

    def print(self, printer: Printer) -> None:
        printer.print_string(" exclusive " if self.exclusive is not None else " ")
        printer.print_operand(self.tensor)
        printer.print_string(f" dim {self.dim.value.data} : ")
        printer.print_attribute(self.result.type)
