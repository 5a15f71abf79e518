"""Operations of the spec dialect: what an operator computes, in index notation.

    spec.operator @Blur {
      %N = spec.dim "N"
      %x = spec.input "x" : !spec.tensor<[N], T>
      spec.columns ["T"] [[f16], [f32]]
      %zero = arith.constant 0.0 : f32
      %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
        %a = spec.read %x[%i] : f32
        %b = spec.read %x[%i + 1] else %zero : f32
        %s = arith.addf %a, %b : f32
        spec.write %s to 0[%i]
      }
      spec.output "y" %y : !spec.tensor<[N], T>
    }

Reads widen 16-bit floats to f32; a write into a 16-bit result rounds once, to nearest even, when the element is
complete. Rules that the structure cannot say are in verify.py.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, Pure, SymbolOpInterface

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from ..operands import parse_value
from .attrs import TensorType, tensor_type
from .nests import Header, Nest, parse_nest, print_body, print_nest


@irdl_op_definition
class OperatorOp(IRDLOperation):
    """One operator: its parameters, dims, dtype columns, constraints and computes, in order of definition."""

    name = "spec.operator"

    sym_name = prop_def(SymbolNameConstraint())
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, body: Region | None = None) -> None:
        super().__init__(properties={"sym_name": StringAttr(name)}, regions=[body or Region(Block())])

    @classmethod
    def parse(cls, parser: Parser) -> "OperatorOp":
        name = parser.parse_symbol_name()
        return OperatorOp(name.data, parser.parse_region())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_body(printer, self.body)

    def verify_(self) -> None:
        from .verify import verify_operator

        verify_operator(self)


@irdl_op_definition
class DimOp(IRDLOperation):
    """A named size. With a definition it is computed from other sizes, and a shape that disagrees is an error.

    `%S = spec.dim "S"`, `%W = spec.dim "W" = [3]`, `%K = spec.dim "K" = [%M floordiv %T]`
    """

    name = "spec.dim"

    label = prop_def(StringAttr)
    definition = opt_prop_def(IndexMapAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, label: str, definition: IndexMapAttr | None = None, operands: Sequence[SSAValue] = ()) -> None:
        super().__init__(
            operands=[operands],
            properties={"label": StringAttr(label), **({"definition": definition} if definition else {})},
            result_types=[IndexType()],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "DimOp":
        label = parser.parse_str_literal()
        if not parser.parse_optional_punctuation("="):
            return DimOp(label)
        indices = IndexListParser(parser)
        definition = indices.parse_list()
        return DimOp(label, definition, indices.resolve())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        if self.definition is not None:
            printer.print_string(" = ")
            print_index_list(printer, self.definition, self.operands_)


@irdl_op_definition
class AttrOp(IRDLOperation):
    """A scalar attribute of the operator: `%P = spec.attr "compressStride" default 16 : index`."""

    name = "spec.attr"

    label = prop_def(StringAttr)
    default = opt_prop_def(Attribute)
    result = result_def(Attribute)

    traits = traits_def(Pure())
    assembly_format = "$label (`default` $default^)? attr-dict `:` type($result)"

    def __init__(self, label: str, result_type: Attribute, default: Attribute | None = None) -> None:
        super().__init__(
            properties={"label": StringAttr(label), **({"default": default} if default else {})},
            result_types=[result_type],
        )


@irdl_op_definition
class InputOp(IRDLOperation):
    """A tensor parameter: `%x = spec.input "x" : !spec.tensor<[N], T>`; `optional` ones may be absent, `list` ones are
    integer lists on the host."""

    name = "spec.input"

    label = prop_def(StringAttr)
    optional = opt_prop_def(UnitAttr)
    list = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$label (`optional` $optional^)? (`list` $list^)? attr-dict `:` type($result)"

    def __init__(self, label: str, result_type: TensorType, *, optional: bool = False, is_list: bool = False) -> None:
        flags = {name: UnitAttr() for name, on in (("optional", optional), ("list", is_list)) if on}
        super().__init__(properties={"label": StringAttr(label), **flags}, result_types=[result_type])


@irdl_op_definition
class ColumnsOp(IRDLOperation):
    """The legal combinations of dtypes: `spec.columns ["T", "U"] [[f16, f16], [bf16, f32]] code 161002`.

    One list a column. The code is the document's error for any other combination.
    """

    name = "spec.columns"

    labels = prop_def(ArrayAttr[StringAttr])
    columns = prop_def(ArrayAttr[ArrayAttr[Attribute]])
    code = opt_prop_def(IntAttr)

    def __init__(
        self, labels: Sequence[str], columns: Sequence[Sequence[Attribute]], code: int | None = None
    ) -> None:
        super().__init__(
            properties={
                "labels": ArrayAttr([StringAttr(label) for label in labels]),
                "columns": ArrayAttr([ArrayAttr(column) for column in columns]),
                **({} if code is None else {"code": IntAttr(code)}),
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> "ColumnsOp":
        square = parser.Delimiter.SQUARE
        labels = parser.parse_comma_separated_list(square, parser.parse_str_literal)
        columns = parser.parse_comma_separated_list(
            square, lambda: parser.parse_comma_separated_list(square, parser.parse_type)
        )
        if not parser.parse_optional_keyword("code"):
            return ColumnsOp(labels, columns)
        return ColumnsOp(labels, columns, parser.parse_integer(allow_boolean=False, allow_negative=False))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.labels)
        printer.print_string(" ")
        printer.print_attribute(self.columns)
        if self.code is not None:
            printer.print_string(f" code {self.code.data}")


def _parse_comparison(parser: Parser) -> str:
    start = next((c for c in ("<", ">", "=") if parser.parse_optional_punctuation(c)), None)
    if start is None:
        parser.raise_error("expected one of <= < >= > ==")
    if parser.parse_optional_punctuation("="):
        return start + "="
    if start == "=":
        parser.raise_error("expected ==")
    return start


@irdl_op_definition
class RequireOp(IRDLOperation):
    """A constraint of the document, checked by the operator's front end.

    `spec.require [%B * %S] <= [524288] code 561002`. The compiled kernel does not rely on it, except that a symbol
    required to be at least 1 may divide.
    """

    name = "spec.require"

    lhs = prop_def(IndexMapAttr)
    rhs = prop_def(IndexMapAttr)
    comparison = prop_def(StringAttr)
    code = prop_def(IntAttr)
    operands_ = var_operand_def(IndexType)

    def __init__(
        self, lhs: IndexMapAttr, comparison: str, rhs: IndexMapAttr, operands: Sequence[SSAValue], code: int
    ) -> None:
        super().__init__(
            operands=[operands],
            properties={"lhs": lhs, "comparison": StringAttr(comparison), "rhs": rhs, "code": IntAttr(code)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> "RequireOp":
        indices = IndexListParser(parser)
        lhs = indices.parse_list()
        comparison = _parse_comparison(parser)
        rhs = indices.parse_list()
        parser.parse_keyword("code")
        code = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return RequireOp(lhs, comparison, rhs, indices.resolve(), code)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_index_list(printer, self.lhs, self.operands_)
        printer.print_string(f" {self.comparison.data} ")
        print_index_list(printer, self.rhs, self.operands_)
        printer.print_string(f" code {self.code.data}")


@irdl_op_definition
class ComputeOp(Nest):
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
class EachOp(Nest):
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
class IndexOp(IRDLOperation):
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
class ReadOp(IRDLOperation):
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
class WriteOp(IRDLOperation):
    """Write or combine one element of a result of the enclosing compute.

    `spec.write %v to 0[%i, %h]` writes; `spec.write add %v to 1[%h]` combines, points taken in order of the nest;
    `unique` promises that a computed place is named once; `if %c` leaves points out.
    """

    name = "spec.write"

    value = operand_def(Attribute)
    operands_ = var_operand_def(IndexType)
    guard = opt_operand_def(i1)
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


@irdl_op_definition
class ScanOp(IRDLOperation):
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
        result_type = parser.parse_type()
        if not isinstance(result_type, TensorType):
            parser.raise_error("expected a !spec.tensor type")
        return ScanOp(tensor, dim, result_type, exclusive=exclusive)

    def print(self, printer: Printer) -> None:
        printer.print_string(" exclusive " if self.exclusive is not None else " ")
        printer.print_operand(self.tensor)
        printer.print_string(f" dim {self.dim.value.data} : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class OutputOp(IRDLOperation):
    """Name a result as an output parameter: `spec.output "y" %y : !spec.tensor<[N], T>`."""

    name = "spec.output"

    label = prop_def(StringAttr)
    tensor = operand_def(TensorType)

    assembly_format = "$label $tensor attr-dict `:` type($tensor)"

    def __init__(self, label: str, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], properties={"label": StringAttr(label)})

    @property
    def type(self) -> TensorType:
        """Return the type of the output."""
        return tensor_type(self.tensor)
