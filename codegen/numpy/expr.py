"""Expressions as text, and which values become part of a larger one."""

from dataclasses import dataclass
from enum import IntEnum

from xdsl.ir import Operation, SSAValue
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, is_side_effect_free

LONGEST = 60
"""Characters of the longest expression that becomes part of another."""


class Level(IntEnum):
    """How strongly Python's operators bind, the loosest first."""

    TERNARY = 0
    COMPARE = 1
    OR = 2
    XOR = 3
    AND = 4
    SHIFT = 5
    ADD = 6
    MULTIPLY = 7
    UNARY = 8
    ATOM = 9


OPERATORS = {
    "|": Level.OR,
    "^": Level.XOR,
    "&": Level.AND,
    "<<": Level.SHIFT,
    ">>": Level.SHIFT,
    "+": Level.ADD,
    "-": Level.ADD,
    "*": Level.MULTIPLY,
    "/": Level.MULTIPLY,
    "//": Level.MULTIPLY,
    "%": Level.MULTIPLY,
}
"""The level of each infix operator; any other compares."""


@dataclass(frozen=True)
class Expr:
    """The text of an expression, and how strongly its outermost operator binds."""

    text: str
    level: Level = Level.ATOM

    def at(self, level: Level) -> str:
        """Return the text, in parentheses if it binds looser than `level`."""
        return self.text if self.level >= level else f"({self.text})"


def joins_user(value: SSAValue) -> bool:
    """Return whether a value may become part of the expression that uses it.

    It has no name of its own and one use, in the same block, and nothing is written between the two.
    """
    op, uses = value.owner, list(value.uses)
    if not isinstance(op, Operation) or value.name_hint is not None or len(uses) != 1:
        return False
    user = uses[0].operation
    if user.parent is not op.parent or op.regions:
        return False
    return op.has_trait(Pure) or (_only_reads(op) and _nothing_written(op, _statement(user)))


def _only_reads(op: Operation) -> bool:
    return op.has_trait(MemoryReadEffect) and not op.has_trait(MemoryWriteEffect)


def _statement(user: Operation) -> Operation:
    """Return the operation that will be written as the line which holds the user."""
    while len(user.results) == 1 and joins_user(user.results[0]):
        user = next(iter(user.results[0].uses)).operation
    return user


def _nothing_written(op: Operation, until: Operation) -> bool:
    between = op.next_op
    while between is not None and between is not until:
        if not (is_side_effect_free(between) or _only_reads(between)):
            return False
        between = between.next_op
    return True
