"""Operations on single elements."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IndexType,
    IntAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from ..operands import parse_value
from .attrs import TensorType
from .computes import ComputeOp
from .operator import Placed


@irdl_op_definition
class ReadOp(Placed):
    """Read one element: `%v = spec.read %t[%i + 1, %h] else %zero : f32`.

    `else` is the value outside the tensor (without it an index out of range is an error of the spec); `absent` the
    value when the optional tensor is not given. An element read from an integer tensor as `index` may be an index.
    """

    name = "spec.read"

    tensor = operand_def(TensorType)
    operands_ = var_operand_def(IndexType)
    outside = opt_operand_def(Attribute)
    absent = opt_operand_def(Attribute)
    indices = prop_def(IndexMapAttr)
    result = result_def(Attribute)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        tensor: SSAValue,
        indices: IndexMapAttr,
        operands: Sequence[SSAValue],
        result_type: Attribute,
        outside: SSAValue | None = None,
        absent: SSAValue | None = None,
    ) -> None:
        super().__init__(
            operands=[tensor, operands, outside, absent],
            properties={"indices": indices},
            result_types=[result_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "ReadOp":
        tensor = parse_value(parser)
        indices = IndexListParser(parser)
        index_map = indices.parse_list()
        outside = parse_value(parser) if parser.parse_optional_keyword("else") else None
        absent = parse_value(parser) if parser.parse_optional_keyword("absent") else None
        parser.parse_punctuation(":")
        return ReadOp(tensor, index_map, indices.resolve(), parser.parse_type(), outside, absent)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.tensor)
        print_index_list(printer, self.indices, self.operands_)
        for keyword, value in (("else", self.outside), ("absent", self.absent)):
            if value is not None:
                printer.print_string(f" {keyword} ")
                printer.print_operand(value)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


COMBINERS = ("add", "max", "min")


@irdl_op_definition
class WriteOp(Placed):
    """Write or combine one element of a result of the enclosing compute.

    `spec.write %v to 0[%i, %h]` writes; `spec.write add %v to 1[%h]` combines, points taken in order of the nest;
    `unique` gives a computed place that several points name to the last of them; `if %c` leaves points out.
    """

    name = "spec.write"

    value = operand_def(Attribute)
    operands_ = var_operand_def(IndexType)
    guard = opt_operand_def(Attribute)
    combiner = opt_prop_def(StringAttr)
    unique = opt_prop_def(UnitAttr)
    number = prop_def(IntAttr)
    indices = prop_def(IndexMapAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        value: SSAValue,
        number: int,
        indices: IndexMapAttr,
        operands: Sequence[SSAValue],
        combiner: str | None = None,
        guard: SSAValue | None = None,
        *,
        unique: bool = False,
    ) -> None:
        flags: dict[str, Attribute] = {"combiner": StringAttr(combiner)} if combiner else {}
        if unique:
            flags["unique"] = UnitAttr()
        super().__init__(
            operands=[value, operands, guard],
            properties={"number": IntAttr(number), "indices": indices, **flags},
        )

    @property
    def combine(self) -> str:
        """Return the combiner's name, or an empty string for a plain write."""
        return self.combiner.data if self.combiner is not None else ""

    @property
    def compute(self) -> ComputeOp:
        """Return the compute whose result this writes."""
        place: Operation | None = self.parent_op()
        while place is not None and not isinstance(place, ComputeOp):
            place = place.parent_op()
        if place is None:
            from .verify import outside_compute

            raise outside_compute(self)
        return place

    @classmethod
    def parse(cls, parser: Parser) -> "WriteOp":
        combiner = parser.parse_optional_keyword_in(COMBINERS)
        value = parse_value(parser)
        parser.parse_keyword("to")
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        indices = IndexListParser(parser)
        index_map = indices.parse_list()
        unique = parser.parse_optional_keyword("unique") is not None
        guard = parse_value(parser) if parser.parse_optional_keyword("if") else None
        return WriteOp(value, number, index_map, indices.resolve(), combiner, guard, unique=unique)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.combine} " if self.combine else " ")
        printer.print_operand(self.value)
        printer.print_string(f" to {self.number.data}")
        print_index_list(printer, self.indices, self.operands_)
        if self.unique is not None:
            printer.print_string(" unique")
        if self.guard is not None:
            printer.print_string(" if ")
            printer.print_operand(self.guard)
