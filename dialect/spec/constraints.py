"""Operations that say which calls the document allows."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntAttr,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from .operator import Placed


@irdl_op_definition
class ColumnsOp(Placed):
    """The legal combinations of dtypes: `spec.columns ["T", "U"] [[f16, f16], [bf16, f32]] code 161002`.

    One list a column. The code is the document's error for any other combination.
    """

    name = "spec.columns"

    labels = prop_def(ArrayAttr[StringAttr])
    columns = prop_def(ArrayAttr[ArrayAttr[Attribute]])
    code = opt_prop_def(IntAttr)

    def __init__(self, labels: Sequence[str], columns: Sequence[Sequence[Attribute]], code: int | None = None) -> None:
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


def parse_comparison(parser: Parser) -> str:
    """Parse one of <= < >= > ==."""
    start = next((c for c in ("<", ">", "=") if parser.parse_optional_punctuation(c)), None)
    if start is None:
        parser.raise_error("expected one of <= < >= > ==")
    if parser.parse_optional_punctuation("="):
        return start + "="
    if start == "=":
        parser.raise_error("expected ==")
    return start


@irdl_op_definition
class RequireOp(Placed):
    """A constraint of the document, checked by the operator's front end.

    `spec.require [%B * %S] <= [524288] code 561002`. One that divides by 0 does not hold. The compiled
    kernel does not rely on it, except that a symbol required to be at least 1 may divide.
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
        comparison = parse_comparison(parser)
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
