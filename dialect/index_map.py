"""Index maps: the attribute that holds index expressions, and their syntax over SSA names.

In an operation an index list reads `[%i + %k, %j, 2 * %h]`; the attribute `#spec.map<(d0 + d1, d2, 2 * d3)>` holds the
expressions, and the operation's operands hold the values d0, d1, ... in order of first use.
"""

import re
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Literal, TypeAlias, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Data, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer

from .index_expr import PRECEDENCE, Const, IndexExpr, Ref, binary, format_expr, refs, simplify, substitute

Leaf: TypeAlias = Callable[[], IndexExpr | None]


@irdl_attr_definition
class IndexMapAttr(Data[tuple[IndexExpr, ...]]):
    """A list of index expressions over positional operands: `#spec.map<(d0 + d1, 3)>`."""

    name = "spec.map"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[IndexExpr, ...]:
        with parser.in_angle_brackets():
            return tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _positional(parser)))

    def print_parameter(self, printer: Printer) -> None:
        names = [f"d{position}" for position in range(self.operand_count)]
        printer.print_string("<(" + ", ".join(format_expr(e, names) for e in self.data) + ")>")

    @property
    def operand_count(self) -> int:
        """Return how many operands the expressions name at least."""
        used = frozenset[int]().union(*(refs(e) for e in self.data))
        return max(used, default=-1) + 1


def _positional(parser: AttrParser) -> IndexExpr:
    return _expression(parser, lambda: _optional_positional(parser))


def _optional_positional(parser: AttrParser) -> IndexExpr | None:
    name = parser.parse_optional_identifier()
    if name is None:
        return None
    if not re.fullmatch(r"d\d+", name):
        parser.raise_error(f"expected d0, d1, ..., found '{name}'")
    return Ref(int(name[1:]))


class IndexListParser:
    """Parses index expressions over SSA names; `operands` collects the names in order of first use."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self._operands: list[UnresolvedOperand] = []
        self._dims: list[int] = []

    def parse_list(self, delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE) -> IndexMapAttr:
        """Parse a bracketed, comma-separated list of expressions."""
        return IndexMapAttr(tuple(self.parser.parse_comma_separated_list(delimiter, self.parse_expr)))

    def parse_expr(self) -> IndexExpr:
        """Parse one expression."""
        return _expression(self.parser, self._optional_name)

    def declare(self, dim: UnresolvedOperand) -> None:
        """Make a loop variable known; its uses are not operands."""
        self._dims.append(len(self._operands))
        self._operands.append(dim)

    def dims_first(self) -> list[IndexExpr]:
        """Return, for each name in order of first use, its place when the declared dims come first."""
        others = [n for n in range(len(self._operands)) if n not in self._dims]
        order = [*self._dims, *others]
        return [Ref(order.index(n)) for n in range(len(self._operands))]

    def resolve(self) -> list[SSAValue]:
        """Return the operands that are not declared dims, as index values."""
        return [
            self.parser.resolve_operand(operand, IndexType())
            for n, operand in enumerate(self._operands)
            if n not in self._dims
        ]

    def _optional_name(self) -> IndexExpr | None:
        operand = self.parser.parse_optional_unresolved_operand()
        if operand is None:
            return None
        for position, known in enumerate(self._operands):
            if (known.operand_name, known.index) == (operand.operand_name, operand.index):
                return Ref(position)
        self._operands.append(operand)
        return Ref(len(self._operands) - 1)


def _expression(parser: AttrParser, leaf: Leaf, minimum: int = 0) -> IndexExpr:
    lhs = _primary(parser, leaf)
    while (operator := _peek_operator(parser)) is not None and PRECEDENCE[operator] > minimum:
        _take_operator(parser, operator)
        rhs = _expression(parser, leaf, PRECEDENCE[operator])
        lhs = binary(operator, lhs, rhs)
    return lhs


def _primary(parser: AttrParser, leaf: Leaf) -> IndexExpr:
    if parser.parse_optional_punctuation("("):
        inner = _expression(parser, leaf)
        parser.parse_punctuation(")")
        return inner
    if (value := parser.parse_optional_integer(allow_boolean=False)) is not None:
        return Const(value)
    if parser.parse_optional_punctuation("-"):
        return binary("*", Const(-1), _primary(parser, leaf))
    expr = leaf()
    if expr is None:
        parser.raise_error("expected an index expression: a value, an integer, or ( ... )")
    return expr


def _peek_operator(parser: AttrParser) -> str | None:
    position = parser.pos
    text = parser.lexer.input.content[position : position + 9].lstrip()
    for operator in PRECEDENCE:
        if text.startswith(operator) and not text.startswith("->"):
            return operator
    return None


def _take_operator(parser: AttrParser, operator: str) -> None:
    if operator.isalpha():
        parser.parse_keyword(operator)
    else:
        parser.parse_punctuation(cast("Literal['+', '-', '*']", operator))


def print_index_list(printer: Printer, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> None:
    """Print `[%i + %k, %j]`."""
    names = [value_name(printer, value) for value in operands]
    printer.print_string("[" + ", ".join(format_expr(e, names) for e in indices.data) + "]")


def value_name(printer: Printer, value: SSAValue) -> str:
    """Return the printed name of a value, `%i`, without printing it."""
    saved, printer.stream = printer.stream, StringIO()
    try:
        printer.print_ssa_value(value)
        return printer.stream.getvalue()
    finally:
        printer.stream = saved


def pack(exprs: Sequence[IndexExpr], operands: Sequence[SSAValue]) -> tuple[IndexMapAttr, list[SSAValue]]:
    """Simplify, drop unused operands and merge equal ones; return the map and its operands in order of first use."""
    exprs = [simplify(e) for e in exprs]
    order: list[SSAValue] = []
    replacement: list[IndexExpr] = []
    used = frozenset[int]().union(*(refs(e) for e in exprs)) if exprs else frozenset[int]()
    for position, value in enumerate(operands):
        if position in used and value not in order:
            order.append(value)
        replacement.append(Ref(order.index(value)) if position in used else Const(0))
    return IndexMapAttr(tuple(simplify(substitute(e, replacement)) for e in exprs)), order
