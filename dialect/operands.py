"""Operands whose types the text does not repeat."""

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer


def parse_value(parser: Parser) -> SSAValue:
    """Parse the name of a value that is defined above; its type is that of the definition."""
    operand = parser.parse_unresolved_operand()
    known = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(known):
        parser.raise_error(f"value %{operand.operand_name} is used but not defined above", operand.span)
    return known[operand.index]


def parse_cores(parser: Parser) -> tuple[SSAValue, SSAValue | None, Parser.Argument]:
    """Parse `%cores (%core)` or `%cores when %n (%core)`: the count of cores, the condition, and a core's number."""
    cores = parse_value(parser)
    condition = parse_value(parser) if parser.parse_optional_keyword("when") is not None else None
    parser.parse_punctuation("(")
    core = parser.parse_argument(expect_type=False).resolve(IndexType())
    parser.parse_punctuation(")")
    return cores, condition, core


def print_cores(printer: Printer, cores: SSAValue, condition: SSAValue | None, core: SSAValue) -> None:
    """Print what `parse_cores` reads."""
    printer.print_string(" ")
    printer.print_operand(cores)
    if condition is not None:
        printer.print_string(" when ")
        printer.print_operand(condition)
    printer.print_string(" (")
    printer.print_ssa_value(core)
    printer.print_string(")")
