"""Index expressions: affine forms over loop variables, with products and quotients by symbols.

An `IndexExpr` names its operands by position (`Ref(0)` is the first SSA operand of the op that holds it). Python's
operators build it and fold constants: `Ref(0) + 2`, `Ref(0) // Ref(1)`, `ceildiv(Ref(0), 4)`, `Ref(0) % 8`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class IndexExpr:
    """The base of all index expressions."""

    def __add__(self, other: "IndexExpr | int") -> "IndexExpr":
        return binary("+", self, lift(other))

    def __radd__(self, other: int) -> "IndexExpr":
        return binary("+", lift(other), self)

    def __sub__(self, other: "IndexExpr | int") -> "IndexExpr":
        return binary("-", self, lift(other))

    def __rsub__(self, other: int) -> "IndexExpr":
        return binary("-", lift(other), self)

    def __mul__(self, other: "IndexExpr | int") -> "IndexExpr":
        return binary("*", self, lift(other))

    def __rmul__(self, other: int) -> "IndexExpr":
        return binary("*", lift(other), self)

    def __floordiv__(self, other: "IndexExpr | int") -> "IndexExpr":
        return binary("floordiv", self, lift(other))

    def __mod__(self, other: "IndexExpr | int") -> "IndexExpr":
        return binary("mod", self, lift(other))


@dataclass(frozen=True)
class Const(IndexExpr):
    """An integer."""

    value: int


@dataclass(frozen=True)
class Ref(IndexExpr):
    """The operand at a position."""

    position: int


@dataclass(frozen=True)
class Binary(IndexExpr):
    """`lhs kind rhs`, with kind one of + - * floordiv ceildiv mod."""

    kind: str
    lhs: IndexExpr
    rhs: IndexExpr


PRECEDENCE = {"+": 10, "-": 10, "*": 20, "floordiv": 20, "ceildiv": 20, "mod": 20}

EVALUATE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
}


def lift(value: IndexExpr | int) -> IndexExpr:
    """Return the value as an expression."""
    return Const(value) if isinstance(value, int) else value


def ceildiv(lhs: IndexExpr | int, rhs: IndexExpr | int) -> IndexExpr:
    """Return lhs / rhs rounded up."""
    return binary("ceildiv", lift(lhs), lift(rhs))


def binary(kind: str, lhs: IndexExpr, rhs: IndexExpr) -> IndexExpr:
    """Build `lhs kind rhs`, folded where both are constants or one is neutral."""
    if isinstance(lhs, Const) and isinstance(rhs, Const) and not (kind not in "+-*" and rhs.value == 0):
        return Const(EVALUATE[kind](lhs.value, rhs.value))
    if isinstance(rhs, Const) and _neutral(kind, rhs.value):
        return lhs
    if isinstance(lhs, Const) and ((kind == "+" and lhs.value == 0) or (kind == "*" and lhs.value == 1)):
        return rhs
    return Binary(kind, lhs, rhs)


def _neutral(kind: str, value: int) -> bool:
    return (kind in "+-" and value == 0) or (kind in ("*", "floordiv", "ceildiv") and value == 1)


def evaluate(expr: IndexExpr, values: Sequence[int]) -> int:
    """Return the expression's value; also works on integer arrays, element by element.

    Raises:
        ZeroDivisionError: a divisor is 0.
    """
    match expr:
        case Const(value):
            return value
        case Ref(position):
            return values[position]
        case Binary(kind, lhs, rhs):
            return EVALUATE[kind](evaluate(lhs, values), evaluate(rhs, values))
        case _:
            raise TypeError(f"not an index expression: {expr}")


def substitute(expr: IndexExpr, values: Sequence[IndexExpr]) -> IndexExpr:
    """Replace each `Ref(n)` by `values[n]`."""
    match expr:
        case Ref(position):
            return values[position]
        case Binary(kind, lhs, rhs):
            return binary(kind, substitute(lhs, values), substitute(rhs, values))
        case _:
            return expr


def refs(expr: IndexExpr) -> frozenset[int]:
    """Return the positions the expression uses."""
    match expr:
        case Ref(position):
            return frozenset({position})
        case Binary(_, lhs, rhs):
            return refs(lhs) | refs(rhs)
        case _:
            return frozenset()


def format_expr(expr: IndexExpr, names: Sequence[str], outer: int = 0) -> str:
    """Print with parentheses only where needed."""
    match expr:
        case Const(value):
            return str(value)
        case Ref(position):
            return names[position]
        case Binary(kind, lhs, rhs):
            level = PRECEDENCE[kind]
            text = f"{format_expr(lhs, names, level)} {kind} {format_expr(rhs, names, level + 1)}"
            return f"({text})" if level < outer else text
        case _:
            raise TypeError(f"not an index expression: {expr}")


def linear(expr: IndexExpr) -> tuple[dict[int, int], int] | None:
    """Return (coefficient of each operand, constant), or None where the expression is not linear."""
    match expr:
        case Const(value):
            return {}, value
        case Ref(position):
            return {position: 1}, 0
        case Binary("+" | "-" as kind, lhs, rhs):
            return _combine(linear(lhs), linear(rhs), 1 if kind == "+" else -1)
        case Binary("*", lhs, Const(value)) | Binary("*", Const(value), lhs):
            return _combine(({}, 0), linear(lhs), value)
        case _:
            return None


Linear = tuple[dict[int, int], int] | None


def _combine(a: Linear, b: Linear, scale: int) -> Linear:
    if a is None or b is None:
        return None
    terms = dict(a[0])
    for position, coefficient in b[0].items():
        terms[position] = terms.get(position, 0) + scale * coefficient
    return {p: c for p, c in terms.items() if c}, a[1] + scale * b[1]


def simplify(expr: IndexExpr) -> IndexExpr:
    """Return a linear expression as a sum, the constant last unless all else is subtracted; leave other forms alone."""
    if isinstance(expr, Const | Ref):
        return expr
    form = linear(expr)
    if form is None:
        assert isinstance(expr, Binary)
        return binary(expr.kind, simplify(expr.lhs), simplify(expr.rhs))
    terms, constant = form
    if terms and all(coefficient < 0 for coefficient in terms.values()):
        total: IndexExpr = Const(constant)
        constant = 0
    else:
        total = Const(0)
    for position, coefficient in sorted(terms.items(), key=lambda term: (term[1] < 0, term[0])):
        term = Ref(position) * abs(coefficient)
        total = total + term if coefficient > 0 else total - term
    return total - -constant if constant < 0 else total + constant
