"""Operands whose types the text does not repeat."""

from xdsl.ir import SSAValue
from xdsl.parser import Parser


def parse_value(parser: Parser) -> SSAValue:
    """Parse the name of a value that is defined above; its type is that of the definition."""
    operand = parser.parse_unresolved_operand()
    known = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(known):
        parser.raise_error(f"value %{operand.operand_name} is used but not defined above", operand.span)
    return known[operand.index]
