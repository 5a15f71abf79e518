"""Values of attributes as text: `16`, `0.5`, `true`, `"TND"`, `[2, 3]`; the type that follows says what they are."""

from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from .attrs import IntegersType, StringType

Literal: TypeAlias = bool | int | float | str | tuple[int, ...]


def parse_literal(parser: Parser) -> Literal:
    """Parse a literal."""
    if (text := parser.parse_optional_str_literal()) is not None:
        return text
    if (flag := parser.parse_optional_boolean()) is not None:
        return flag
    values = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return parser.parse_number() if values is None else tuple(values)


def literal_attribute(literal: Literal, kind: Attribute) -> Attribute | None:
    """Return a literal as an attribute of the type; None where the type has no such value."""
    if isinstance(literal, str | tuple):
        return _host_attribute(literal, kind)
    match literal, kind:
        case bool(), _:
            return IntegerAttr(int(literal), 1) if kind == i1 else None
        case int() | float(), BFloat16Type() | Float16Type() | Float32Type() | Float64Type():
            return FloatAttr(literal, kind)
        case int(), IndexType():
            return IntegerAttr.from_index_int_value(literal)
        case int(), IntegerType(width=IntAttr(data=width)) if width > 1:
            return IntegerAttr(literal, width)
        case _:
            return None


def _host_attribute(literal: str | tuple[int, ...], kind: Attribute) -> Attribute | None:
    """Return the value of an attribute that only the host knows."""
    if isinstance(literal, str):
        return StringAttr(literal) if isinstance(kind, StringType) else None
    return ArrayAttr([IntegerAttr(value, 64) for value in literal]) if isinstance(kind, IntegersType) else None


def print_literal(printer: Printer, value: Attribute) -> None:
    """Print a value without its type."""
    match value:
        case StringAttr(data=text):
            printer.print_string_literal(text)
        case ArrayAttr(data=values):
            printer.print_string("[")
            printer.print_list(values, lambda each: print_literal(printer, each))
            printer.print_string("]")
        case FloatAttr(value=number, type=kind):
            printer.print_float(number.data, kind)
        case IntegerAttr(value=number):
            printer.print_string(str(number.data != 0).lower() if value.type == i1 else str(number.data))
        case _:
            printer.print_attribute(value)
