"""What the front end of an operator lets through for an input, beside what its type says."""

from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer


@dataclass(frozen=True)
class Tolerance:
    """What a front end does with one input.

    Attributes:
        accepts: element types that are allowed beside the declared one, whose bytes mean the same: i8 for i1.
        dense: whether a tensor that is not contiguous is refused.
        mismatch: a dim, and the document's error where its size disagrees with the tensor before.
    """

    accepts: tuple[Attribute, ...] = ()
    dense: bool = False
    mismatch: tuple[str, int] | None = None

    def properties(self) -> dict[str, Attribute]:
        """Return the properties that say so."""
        found: dict[str, Attribute] = {}
        if self.accepts:
            found["accepts"] = ArrayAttr(self.accepts)
        if self.dense:
            found["dense"] = UnitAttr()
        if self.mismatch is not None:
            found |= {"mismatch": StringAttr(self.mismatch[0]), "mismatch_code": IntAttr(self.mismatch[1])}
        return found


def parse_tolerance(parser: Parser) -> Tolerance:
    """Parse `accepts [i8] dense mismatch N code 161002`, each part optional."""
    accepts: list[Attribute] = []
    mismatch = None
    if parser.parse_optional_keyword("accepts"):
        accepts = list(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_type))
    dense = parser.parse_optional_keyword("dense") is not None
    if parser.parse_optional_keyword("mismatch"):
        dim = parser.parse_identifier(context_msg=" for a dim")
        parser.parse_keyword("code")
        mismatch = dim, parser.parse_integer(allow_boolean=False, allow_negative=False)
    return Tolerance(tuple(accepts), dense, mismatch)


def print_tolerance(printer: Printer, tolerance: Tolerance) -> None:
    """Print a tolerance as `parse_tolerance` reads it."""
    if tolerance.accepts:
        printer.print_string(" accepts [")
        printer.print_list(tolerance.accepts, printer.print_attribute)
        printer.print_string("]")
    if tolerance.dense:
        printer.print_string(" dense")
    if tolerance.mismatch is not None:
        printer.print_string(f" mismatch {tolerance.mismatch[0]} code {tolerance.mismatch[1]}")
