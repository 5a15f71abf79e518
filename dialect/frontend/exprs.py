"""Expressions of a spec file: trees that know their type and their place in the file.

Integers that place elements (dims, attributes, loop indices, elements of integer tensors and what + - * // % make of
them) have type index. Elements of float tensors are f32, of boolean tensors i1, of integer tensors their own type until
they meet an index. Python numbers take the type of what they meet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ..diagnostics import Diagnostic, Location
from ..spec.attrs import is_integer
from .source import here

if TYPE_CHECKING:
    from .tensors import Tensor

Operand: TypeAlias = "Expr | bool | int | float"
Build: TypeAlias = Callable[[Sequence[SSAValue]], Operation]

INDEX = IndexType()


@dataclass(frozen=True, eq=False)
class Expr:
    """The base of all expressions."""

    type: Attribute
    at: Location

    @property
    def operands(self) -> tuple["Expr", ...]:
        """Return the expressions that this one is made of."""
        return ()

    def __add__(self, other: Operand) -> "Expr":
        return arithmetic("+", self, other)

    def __radd__(self, other: Operand) -> "Expr":
        return arithmetic("+", other, self)

    def __sub__(self, other: Operand) -> "Expr":
        return arithmetic("-", self, other)

    def __rsub__(self, other: Operand) -> "Expr":
        return arithmetic("-", other, self)

    def __mul__(self, other: Operand) -> "Expr":
        return arithmetic("*", self, other)

    def __rmul__(self, other: Operand) -> "Expr":
        return arithmetic("*", other, self)

    def __truediv__(self, other: Operand) -> "Expr":
        return arithmetic("/", self, other)

    def __rtruediv__(self, other: Operand) -> "Expr":
        return arithmetic("/", other, self)

    def __floordiv__(self, other: Operand) -> "Expr":
        return arithmetic("floordiv", self, other)

    def __rfloordiv__(self, other: Operand) -> "Expr":
        return arithmetic("floordiv", other, self)

    def __mod__(self, other: Operand) -> "Expr":
        return arithmetic("mod", self, other)

    def __rmod__(self, other: Operand) -> "Expr":
        return arithmetic("mod", other, self)

    def __neg__(self) -> "Expr":
        return arithmetic("-", 0, self) if not isinstance(self.type, AnyFloat) else apply(arith.NegfOp, self)

    def __le__(self, other: Operand) -> "Compare":
        return compare("<=", self, other)

    def __lt__(self, other: Operand) -> "Compare":
        return compare("<", self, other)

    def __ge__(self, other: Operand) -> "Compare":
        return compare(">=", self, other)

    def __gt__(self, other: Operand) -> "Compare":
        return compare(">", self, other)

    def __and__(self, other: Operand) -> "Expr":
        return logical(arith.AndIOp, self, other)

    def __or__(self, other: Operand) -> "Expr":
        return logical(arith.OrIOp, self, other)

    def __invert__(self) -> "Expr":
        return logical(arith.XOrIOp, self, True)

    def __bool__(self) -> bool:
        hint = (
            "write where(condition, a, b) for a choice, maximum(a, b) and minimum(a, b) for max and min, "
            "a & b for and, between(low, x, high) for a chain of comparisons in spec.require"
        )
        raise Diagnostic("OPW150", "an expression is neither true nor false while it is traced", here(), hint)


@dataclass(frozen=True, eq=False)
class Constant(Expr):
    """A Python number."""

    value: bool | int | float


@dataclass(frozen=True, eq=False)
class Symbol(Expr):
    """A dim or an attribute of the operator."""

    label: str
    value: SSAValue


@dataclass(frozen=True, eq=False)
class Index(Expr):
    """A loop index; it runs from the largest of `lower` to the least of `upper`, exclusive."""

    name: str
    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class IndexArith(Expr):
    """`lhs kind rhs` on integers that place elements; kind as in `index_expr.Binary`."""

    kind: str
    lhs: Expr
    rhs: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Read(Expr):
    """An element of a tensor; `element` is the same one in its own type, for one that is read as an index."""

    tensor: "Tensor"
    indices: tuple[Expr, ...]
    outside_value: Expr | None = None
    absent_value: Expr | None = None
    element: "Read | None" = None

    @property
    def operands(self) -> tuple[Expr, ...]:
        others = (self.outside_value, self.absent_value)
        return self.indices + tuple(e for e in others if e is not None)

    def outside(self, value: Operand) -> "Read":
        """Say what stands beyond the tensor."""
        return replace(self, outside_value=lift(value, self.type, here()))

    def absent(self, value: Operand) -> "Read":
        """Say what stands for an optional tensor that is not given."""
        return replace(self, absent_value=lift(value, self.type, here()))

    @cached_property
    def as_index(self) -> "Read":
        """Return the same element of an integer tensor as an index."""
        values = (self.outside_value, self.absent_value)
        outside, absent = (None if v is None else to_index(v) for v in values)
        return replace(self, type=INDEX, outside_value=outside, absent_value=absent, element=self)


@dataclass(frozen=True, eq=False)
class Search(Expr):
    """How many entries of an ordered list are at most a value."""

    tensor: "Tensor"
    value: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.value,)


@dataclass(frozen=True, eq=False)
class Apply(Expr):
    """An operation on scalars; `kind` is set for those that index expressions know as well."""

    build: Build
    arguments: tuple[Expr, ...]
    kind: str = ""

    @property
    def operands(self) -> tuple[Expr, ...]:
        return self.arguments


@dataclass(frozen=True, eq=False)
class Compare(Expr):
    """A comparison: <=, <, >=, >, == or !=."""

    comparison: str
    lhs: Expr
    rhs: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Extreme(Expr):
    """The maximum or minimum of two values; as a bound of an index, of two bounds."""

    kind: str
    lhs: Expr
    rhs: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Reduction(Expr):
    """A sum, maximum or minimum over indices, in their order."""

    combiner: str
    indices: tuple[Index, ...]
    value: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.value,)


@dataclass(frozen=True, eq=False)
class When(Expr):
    """A value that counts only where the condition holds."""

    condition: Expr
    value: Expr

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.condition, self.value)


FLOATS: dict[str, type[Operation]] = {
    "+": arith.AddfOp,
    "-": arith.SubfOp,
    "*": arith.MulfOp,
    "/": arith.DivfOp,
}

INTEGERS: dict[str, type[Operation]] = {
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
    "floordiv": arith.FloorDivSIOp,
    "ceildiv": arith.CeilDivSIOp,
}

SIGNS = {"floordiv": "//", "mod": "%"}


def arithmetic(kind: str, a: Operand, b: Operand) -> Expr:
    """Return `a kind b`.

    Raises:
        Diagnostic: OPW150 for types that do not meet.
    """
    at = here()
    lhs, rhs = unify(a, b, at)
    if lhs.type == INDEX and _places(lhs) and _places(rhs) and kind != "/":
        return IndexArith(INDEX, at, kind, lhs, rhs)
    table = FLOATS if isinstance(lhs.type, AnyFloat) else {} if lhs.type == i1 else INTEGERS
    if kind not in table:
        raise Diagnostic("OPW150", f"'{SIGNS.get(kind, kind)}' has no meaning on {lhs.type}", at, _advice(lhs.type))
    return Apply(lhs.type, at, _builder(table[kind]), (lhs, rhs), kind if table is INTEGERS else "")


def _advice(value_type: Attribute) -> str:
    if value_type == i1:
        return "booleans know & | ~ and where(condition, a, b)"
    return "floats know + - * /; integers know + - * // and, where they place elements, %"


def apply(op: type[Operation], *arguments: Expr) -> Expr:
    """Return an operation whose result has the type of its first argument."""
    return Apply(arguments[0].type, here(), _builder(op), arguments)


def _builder(op: type[Operation]) -> Build:
    return lambda values: op(*values)


def compare(comparison: str, a: Operand, b: Operand) -> Compare:
    """Return a comparison; integers that can place elements are compared as such."""
    at = here()
    lhs, rhs = unify(a, b, at)
    placed = to_index(lhs), to_index(rhs)
    if all(side.type == INDEX and _places(side) for side in placed):
        lhs, rhs = placed
    return Compare(i1, at, comparison, lhs, rhs)


def logical(op: type[Operation], a: Operand, b: Operand) -> Expr:
    """Return an operation on booleans."""
    at = here()
    lhs, rhs = unify(a, b, at)
    if lhs.type != i1:
        raise Diagnostic("OPW150", f"& | ~ take booleans, not {lhs.type}", at, "compare first: (a < b) & (c < d)")
    return Apply(i1, at, _builder(op), (lhs, rhs))


def unify(a: Operand, b: Operand, at: Location) -> tuple[Expr, Expr]:
    """Return both as expressions of one type.

    Raises:
        Diagnostic: OPW150 where they have none in common.
    """
    like = a if isinstance(a, Expr) else b
    if not isinstance(like, Expr):
        hint = "cast(1, f32) gives one a type; cast(condition, f32) makes 1 and 0 of a boolean"
        raise Diagnostic("OPW150", "two Python numbers make no expression", at, hint)
    lhs, rhs = lift(a, like.type, at), lift(b, like.type, at)
    if INDEX in (lhs.type, rhs.type):
        lhs, rhs = to_index(lhs), to_index(rhs)
    if lhs.type != rhs.type:
        hint = "cast(value, dtype) converts between floats and integers"
        if INDEX in (lhs.type, rhs.type):
            hint = "cast(D, f32) makes a float of a dim D or an index"
        raise Diagnostic("OPW150", f"types do not meet: {lhs.type} and {rhs.type}", at, hint)
    return lhs, rhs


def lift(value: Operand, like: Attribute, at: Location) -> Expr:
    """Return a number as a constant of the type; an expression as it is.

    Raises:
        Diagnostic: OPW150 for a number that the type cannot hold.
    """
    if isinstance(value, Expr):
        return value
    fits = isinstance(value, bool) == (like == i1) and not (isinstance(value, float) and not isinstance(like, AnyFloat))
    if not fits:
        raise Diagnostic("OPW150", f"{value!r} is not a value of type {like}", at)
    return Constant(like, at, value)


def to_index(value: Expr) -> Expr:
    """Return an integer as one that places elements; other values as they are."""
    match value:
        case Expr(type=IndexType()):
            return value
        case Read() if is_integer(value.type):
            return value.as_index
        case Constant(value=number) if is_integer(value.type):
            return Constant(INDEX, value.at, number)
        case Apply(kind=kind) if kind and is_integer(value.type):
            lhs, rhs = (to_index(argument) for argument in value.arguments)
            return _index_arithmetic(value.at, kind, lhs, rhs)
        case _ if is_integer(value.type):
            return Apply(INDEX, value.at, lambda values: arith.IndexCastOp(values[0], INDEX), (value,))
        case _:
            return value


def _index_arithmetic(at: Location, kind: str, lhs: Expr, rhs: Expr) -> Expr:
    if _places(lhs) and _places(rhs):
        return IndexArith(INDEX, at, kind, lhs, rhs)
    return Apply(INDEX, at, _builder(INTEGERS[kind]), (lhs, rhs))


def _places(value: Expr) -> bool:
    """Return whether an index expression may contain the value."""
    return isinstance(value, Constant | Symbol | Index | IndexArith | Read | Search)
