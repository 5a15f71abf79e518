"""Operations that declare dims, attributes, tensors and outputs.

What a caller sees stays although nothing in the operator uses it: a dim that only types name, a tensor that is not
read.
So declarations are not marked as pure.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntAttr, IntegerType, StringAttr, UnitAttr, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
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
from .attrs import TensorType, parse_tensor_type, tensor_type
from .literals import Literal, literal_attribute, parse_literal, print_literal
from .operator import Placed
from .tolerance import Tolerance, parse_tolerance, print_tolerance


@irdl_op_definition
class DimOp(Placed):
    """A named size. With a definition it is computed from other sizes, and a shape that disagrees is an error.

    `%S = spec.dim "S"`, `%W = spec.dim "W" = [3]`, `%K = spec.dim "K" = [%M floordiv %T]`
    """

    name = "spec.dim"

    label = prop_def(StringAttr)
    definition = opt_prop_def(IndexMapAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(IndexType)

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
class AttrOp(Placed):
    """A scalar attribute of the operator: `%P = spec.attr "compressStride" default 16 : index`.

    `%l = spec.attr "layout" default "TND" allowed ["TND"] code 161002 : !spec.string` also says which values the
    document allows, and its error for others.
    """

    name = "spec.attr"

    label = prop_def(StringAttr)
    default = opt_prop_def(Attribute)
    allowed = opt_prop_def(ArrayAttr[Attribute])
    code = opt_prop_def(IntAttr)
    result = result_def(Attribute)

    def __init__(
        self,
        label: str,
        result_type: Attribute,
        default: Attribute | None = None,
        allowed: Sequence[Attribute] = (),
        code: int | None = None,
    ) -> None:
        properties: dict[str, Attribute] = {"label": StringAttr(label)}
        if default is not None:
            properties["default"] = default
        if allowed and code is not None:
            properties |= {"allowed": ArrayAttr(allowed), "code": IntAttr(code)}
        super().__init__(properties=properties, result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> "AttrOp":
        label = parser.parse_str_literal()
        default = parse_literal(parser) if parser.parse_optional_keyword("default") else None
        allowed: Sequence[Literal] = ()
        code: int | None = None
        if parser.parse_optional_keyword("allowed"):
            allowed = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_literal(parser))
            parser.parse_keyword("code")
            code = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        kind = parser.parse_type()

        def attribute(literal: Literal) -> Attribute:
            value = literal_attribute(literal, kind)
            if value is None:
                parser.raise_error(f"{literal!r} is not a value of type {kind}")
            return value

        first = None if default is None else attribute(default)
        return AttrOp(label, kind, first, [attribute(literal) for literal in allowed], code)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        if self.default is not None:
            printer.print_string(" default ")
            print_literal(printer, self.default)
        if self.allowed is not None and self.code is not None:
            printer.print_string(" allowed [")
            printer.print_list(self.allowed, lambda value: print_literal(printer, value))
            printer.print_string(f"] code {self.code.data}")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class InputOp(Placed):
    """A tensor parameter: `%x = spec.input "x" : !spec.tensor<[N], T>`.

    `optional` ones may be absent, `list` ones are integer lists on the host. A list may have a content for the case
    that it is absent or empty: `%act = spec.input "act" optional list default [%T] : !spec.tensor<[R], i64>`.

    What the front end lets through beside (tolerance.py): `%m = spec.input "m" accepts [i8] : !spec.tensor<[B], i1>`
    takes bytes for booleans; a `dense` tensor must be contiguous; `mismatch N code 161002` is the document's error
    where the size of that dim disagrees.
    """

    name = "spec.input"

    label = prop_def(StringAttr)
    optional = opt_prop_def(UnitAttr)
    list = opt_prop_def(UnitAttr)
    default = opt_prop_def(IndexMapAttr)
    accepts = opt_prop_def(ArrayAttr[Attribute])
    dense = opt_prop_def(UnitAttr)
    mismatch = opt_prop_def(StringAttr)
    mismatch_code = opt_prop_def(IntAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(TensorType)

    def __init__(
        self,
        label: str,
        result_type: TensorType,
        *,
        optional: bool = False,
        is_list: bool = False,
        default: IndexMapAttr | None = None,
        operands: Sequence[SSAValue] = (),
        tolerance: Tolerance | None = None,
    ) -> None:
        properties: dict[str, Attribute] = {"label": StringAttr(label)}
        properties |= {name: UnitAttr() for name, on in (("optional", optional), ("list", is_list)) if on}
        if default is not None:
            properties["default"] = default
        properties |= {} if tolerance is None else tolerance.properties()
        super().__init__(operands=[operands], properties=properties, result_types=[result_type])

    @property
    def tolerance(self) -> Tolerance:
        """Return what the front end lets through."""
        mismatch = None
        if self.mismatch is not None and self.mismatch_code is not None:
            mismatch = self.mismatch.data, self.mismatch_code.data
        return Tolerance(tuple(self.accepts or ()), self.dense is not None, mismatch)

    @property
    def may_be_absent(self) -> bool:
        """Return whether a call may have nothing in place of the tensor."""
        return self.optional is not None and self.default is None

    @classmethod
    def parse(cls, parser: Parser) -> "InputOp":
        label = parser.parse_str_literal()
        optional, is_list = (parser.parse_optional_keyword(word) is not None for word in ("optional", "list"))
        indices = IndexListParser(parser)
        default = indices.parse_list() if parser.parse_optional_keyword("default") else None
        tolerance = parse_tolerance(parser)
        parser.parse_punctuation(":")
        return InputOp(
            label,
            parse_tensor_type(parser),
            optional=optional,
            is_list=is_list,
            default=default,
            operands=indices.resolve(),
            tolerance=tolerance,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        for word, flag in (("optional", self.optional), ("list", self.list)):
            if flag is not None:
                printer.print_string(f" {word}")
        if self.default is not None:
            printer.print_string(" default ")
            print_index_list(printer, self.default, self.operands_)
        print_tolerance(printer, self.tolerance)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class GivenOp(Placed):
    """Whether a call gives an optional tensor: `%p = spec.given %probs`, an i1."""

    name = "spec.given"

    tensor = operand_def(TensorType)
    result = result_def(IntegerType(1))

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], result_types=[i1])

    @classmethod
    def parse(cls, parser: Parser) -> "GivenOp":
        return GivenOp(parse_value(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.tensor)


@irdl_op_definition
class OutputOp(Placed):
    """Name a result as an output parameter: `spec.output "y" %y : !spec.tensor<[N], T>`.

    The caller may have no place for an `optional` one; it is then not computed. The elements of a `strided` one may lie
    apart in the caller's memory.
    """

    name = "spec.output"

    label = prop_def(StringAttr)
    optional = opt_prop_def(UnitAttr)
    strided = opt_prop_def(UnitAttr)
    tensor = operand_def(TensorType)

    assembly_format = "$label (`optional` $optional^)? (`strided` $strided^)? $tensor attr-dict `:` type($tensor)"

    def __init__(self, label: str, tensor: SSAValue, *, optional: bool = False, strided: bool = False) -> None:
        wanted = (("optional", optional), ("strided", strided))
        flags: dict[str, Attribute] = {name: UnitAttr() for name, on in wanted if on}
        super().__init__(operands=[tensor], properties={"label": StringAttr(label), **flags})

    @property
    def type(self) -> TensorType:
        """Return the type of the output."""
        return tensor_type(self.tensor)
