"""A parser of MLIR text that gives every operation the place at which it was written."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.frontend import Frontend

from .diagnostics import Diagnostic, Location

SYNTAX = "OPW001"
"""The code of text that cannot be parsed."""

UNDEFINED = "values used but not defined"
"""How xDSL tells, at the end of the text, of values that no operation defines."""


class LocatedParser(Parser):
    """xDSL's parser, with a `FileLineColLoc` on every operation that has no `loc(...)` of its own."""

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0) -> None:
        """Create a parser of `text`; `line_offset` is the number of lines of the file that stand before it."""
        super().__init__(ctx, text, name)
        self._name = StringAttr(name)
        self._line_offset = line_offset
        self._line_starts = [0, *(i + 1 for i, char in enumerate(text) if char == "\n")]

    def parse_operation(self) -> Operation:
        """Parse an operation, and place it at its first token.

        Raises:
            Diagnostic: OPW002 where an attribute or a type refuses its parameters.
        """
        start = self._current_token.span.start
        try:
            op = super().parse_operation()
        except Diagnostic:
            raise
        except VerifyException as error:
            raise Diagnostic("OPW002", str(error), self.location(start)) from error
        self._place(op, start)
        return op

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse a module; one that the text does not hold itself is placed at the start."""
        module = super().parse_module(allow_implicit_module)
        self._place(module, 0)
        return module

    def _place(self, op: Operation, position: int) -> None:
        if isinstance(op.location, UnknownLoc):
            place = self.location(position)
            op.location = FileLineColLoc(self._name, IntAttr(place.line), IntAttr(place.column))

    def location(self, position: int) -> Location:
        """Return the place in the file of a position in the text."""
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return Location(self._name.data, line + self._line_offset, column)

    def undefined_use(self) -> Location | None:
        """Return the place of the first operation that uses a value which no operation defines."""
        values = (value for by_index in self.forward_ssa_references.values() for value in by_index.values())
        users = (use.operation for value in values for use in value.uses)
        return next((Location.of(user) for user in users), None)


def parse_module(ctx: Context, text: str, name: str, *, line_offset: int = 0, implicit_module: bool = True) -> ModuleOp:
    """Parse a module and place its operations in the file `name`.

    Args:
        line_offset: number of lines of the file before `text`.
        implicit_module: wrap operations that stand outside a module in one.

    Raises:
        Diagnostic: OPW001 for a syntax error, OPW002 for an attribute or type with bad parameters.
    """
    parser = LocatedParser(ctx, text, name, line_offset)
    try:
        return parser.parse_module(implicit_module)
    except ParseError as error:
        undefined = parser.undefined_use() if error.msg.startswith(UNDEFINED) else None
        place = undefined or parser.location(error.span.start)
        raise Diagnostic(SYNTAX, error.msg, place, _references(parser, error)) from error


def _references(parser: LocatedParser, error: ParseError) -> str:
    """Return the other places that a syntax error names."""
    if not isinstance(error, MultipleSpansParseError):
        return ""
    places = (f"{parser.location(span.start)} {text or ''}".rstrip() for span, text in error.refs)
    return f"{error.ref_text or 'see'} {', '.join(places)}"


@dataclass(frozen=True)
class LocatedFrontend(Frontend):
    """The frontend for `.mlir` files that keeps places.

    `line_offset` is the number of lines of the file before the stream's text.
    """

    name = "mlir"

    no_implicit_module: bool = False
    line_offset: int = 0

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """Parse the stream; errors as in `parse_module`, and OPW001 for text that is not UTF-8."""
        try:
            text = input.read().decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"{input_name} is not UTF-8 text: {error.reason} at byte {error.start}"
            raise Diagnostic(SYNTAX, message) from error
        implicit = not self.no_implicit_module
        return parse_module(ctx, text, input_name, line_offset=self.line_offset, implicit_module=implicit)
