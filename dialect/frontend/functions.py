"""Functions of the notation: indices, sums, conditions, comparisons."""

from collections.abc import Iterable

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1

from ..diagnostics import Diagnostic
from .exprs import (
    INDEX,
    Apply,
    Compare,
    Expr,
    Extreme,
    Index,
    IndexArith,
    Operand,
    Reduction,
    When,
    compare,
    lift,
    to_index,
    unify,
)
from .source import here


def index(name: str, lower: Operand, upper: Operand) -> Index:
    """Return a loop index that runs from `lower` to `upper`, exclusive.

    A `maximum` of lower bounds and a `minimum` of upper bounds are taken apart. Bounds may be read from integer tensors
    and depend on other indices.
    """
    at = here()
    low, high = (to_index(lift(bound, INDEX, at)) for bound in (lower, upper))
    for bound in (low, high):
        if bound.type != INDEX:
            raise Diagnostic("OPW150", f"index {name} runs over integers, not over {bound.type}", at)
    return Index(INDEX, at, name, tuple(_parts(low, "max")), tuple(_parts(high, "min")))


def _parts(bound: Expr, kind: str) -> Iterable[Expr]:
    if isinstance(bound, Extreme) and bound.kind == kind:
        return [*_parts(bound.lhs, kind), *_parts(bound.rhs, kind)]
    return [bound]


def indices(**sizes: Operand) -> tuple[Index, ...]:
    """Return one loop index an argument, by its name, that runs from 0 to its size.

    With sizes S and B: `i, j = indices(i=S, j=B)`.
    """
    return tuple(index(name, 0, size) for name, size in sizes.items())


def where(condition: Operand, a: Operand, b: Operand) -> Expr:
    """Return a where the condition holds, else b."""
    at = here()
    test = lift(condition, i1, at)
    lhs, rhs = unify(a, b, at)
    if test.type != i1:
        raise Diagnostic("OPW150", f"where takes a boolean condition, not {test.type}", at, "compare first: x < 0")
    return Apply(lhs.type, at, lambda values: arith.SelectOp(*values), (test, lhs, rhs))


def when(condition: Expr, value: Operand) -> When:
    """Return a value that is written or combined only where the condition holds."""
    at = here()
    if condition.type != i1:
        raise Diagnostic("OPW150", f"when takes a boolean condition, not {condition.type}", at)
    if not isinstance(value, Expr):
        hint = "a number has the type of what it meets: where(condition, x, 1.0)"
        raise Diagnostic("OPW150", "when takes an expression, not a Python number", at, hint)
    return When(value.type, at, condition, value)


def sum_(over: Index | tuple[Index, ...], value: Expr) -> Reduction:
    """Return the sum over indices, added in their order, the last one fastest."""
    return _reduction("add", over, value)


def max_(over: Index | tuple[Index, ...], value: Expr) -> Reduction:
    """Return the largest value over indices."""
    return _reduction("max", over, value)


def min_(over: Index | tuple[Index, ...], value: Expr) -> Reduction:
    """Return the least value over indices."""
    return _reduction("min", over, value)


def _reduction(combiner: str, over: Index | tuple[Index, ...], value: Expr) -> Reduction:
    dims = over if isinstance(over, tuple) else (over,)
    return Reduction(value.type, here(), combiner, dims, value)


def maximum(a: Operand, b: Operand) -> Extreme:
    """Return the larger of two values."""
    return _extreme("max", a, b)


def minimum(a: Operand, b: Operand) -> Extreme:
    """Return the smaller of two values."""
    return _extreme("min", a, b)


def _extreme(kind: str, a: Operand, b: Operand) -> Extreme:
    at = here()
    lhs, rhs = unify(a, b, at)
    return Extreme(lhs.type, at, kind, lhs, rhs)


def ceildiv(a: Operand, b: Operand) -> Expr:
    """Return a / b rounded up, on integers that place elements."""
    at = here()
    lhs, rhs = (to_index(e) for e in unify(a, b, at))
    if lhs.type != INDEX:
        raise Diagnostic("OPW150", f"ceildiv takes integers, not {lhs.type}", at)
    return IndexArith(INDEX, at, "ceildiv", lhs, rhs)


def eq(a: Operand, b: Operand) -> Compare:
    """Return a == b."""
    return compare("==", a, b)


def ne(a: Operand, b: Operand) -> Compare:
    """Return a != b."""
    return compare("!=", a, b)


def between(low: Operand, value: Expr, high: Operand) -> tuple[Compare, Compare]:
    """Return low <= value and value <= high."""
    return value >= low, value <= high
