"""C expressions as text with the precedence of their outermost operator.

Parentheses appear only where the text would otherwise be read differently:

    infix("*", Level.MULTIPLY, infix("+", Level.ADD, Expr("a"), Expr("b")), Expr("c"))      (a + b) * c
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, auto


class Level(IntEnum):
    """How tightly an operator binds, loosest first."""

    COMMA = auto()
    ASSIGN = auto()
    TERNARY = auto()
    OR = auto()
    AND = auto()
    BIT_OR = auto()
    BIT_XOR = auto()
    BIT_AND = auto()
    EQUAL = auto()
    COMPARE = auto()
    SHIFT = auto()
    ADD = auto()
    MULTIPLY = auto()
    UNARY = auto()
    POSTFIX = auto()
    ATOM = auto()


@dataclass(frozen=True)
class Expr:
    """An expression.

    Attributes:
        text: the C text.
        level: how tightly its outermost operator binds.
        literal: the text is a number; such a number has the type int where it fits.
    """

    text: str
    level: Level = Level.ATOM
    literal: bool = False

    def at(self, minimum: Level) -> str:
        """Return the text, in parentheses if it binds looser than `minimum`."""
        return self.text if self.level >= minimum else f"({self.text})"

    def __str__(self) -> str:
        return self.text


CLARIFIED = {
    (Level.OR, Level.AND),
    *((Level.EQUAL, inner) for inner in (Level.EQUAL, Level.COMPARE)),
    *((outer, inner) for outer in (Level.BIT_OR, Level.BIT_XOR, Level.BIT_AND, Level.SHIFT) for inner in Level),
}
"""(operator, operand) levels where C needs no parentheses but compilers and readers ask for them."""


def infix(symbol: str, level: Level, lhs: Expr, rhs: Expr) -> Expr:
    """Return `lhs symbol rhs`, an operator that groups to the left."""
    left = _operand(lhs, level, level)
    right = _operand(rhs, level, Level(level + 1))
    return Expr(f"{left} {symbol} {right}", level)


def _operand(operand: Expr, outer: Level, minimum: Level) -> str:
    clarify = operand.level < Level.UNARY and (outer, operand.level) in CLARIFIED
    return f"({operand.text})" if clarify else operand.at(minimum)


def prefix(symbol: str, operand: Expr) -> Expr:
    """Return `symbol operand` without a space."""
    text = operand.at(Level.UNARY)
    inner = f"({text})" if text.startswith(symbol) else text
    return Expr(f"{symbol}{inner}", Level.UNARY)


def call(function: str, arguments: Iterable[Expr]) -> Expr:
    """Return `function(arguments)`."""
    return Expr(f"{function}({', '.join(a.at(Level.ASSIGN) for a in arguments)})", Level.POSTFIX)


def subscript(base: Expr, index: Expr) -> Expr:
    """Return `base[index]`."""
    return Expr(f"{base.at(Level.POSTFIX)}[{index.text}]", Level.POSTFIX)


def member(base: Expr, name: str) -> Expr:
    """Return `base.name`."""
    return Expr(f"{base.at(Level.POSTFIX)}.{name}", Level.POSTFIX)


def ternary(condition: Expr, true: Expr, false: Expr) -> Expr:
    """Return `condition ? true : false`."""
    return Expr(f"{condition.at(Level.OR)} ? {true.at(Level.OR)} : {false.at(Level.TERNARY)}", Level.TERNARY)
