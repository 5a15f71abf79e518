"""What the values and loop variables of an old body stand for in a new one, and ranges of nests under that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from ..dialect.index_expr import Const, IndexExpr, Ref, substitute
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec.nests import Header, Nest


@dataclass(frozen=True)
class IndexValue:
    """An index expression together with the values its refs stand for."""

    expr: IndexExpr
    operands: tuple[SSAValue, ...] = ()

    @staticmethod
    def of(value: SSAValue | int) -> "IndexValue":
        """Return a value or an integer as an expression."""
        return IndexValue(Const(value)) if isinstance(value, int) else IndexValue(Ref(0), (value,))

    def plus(self, other: "IndexValue") -> "IndexValue":
        """Return the sum."""
        operands = (*self.operands, *other.operands)
        shifted = substitute(other.expr, [Ref(len(self.operands) + n) for n in range(len(other.operands))])
        return IndexValue(self.expr + shifted, operands)


@dataclass
class Scope:
    """What the values of an old body stand for in the new one.

    Attributes:
        values: old value to new value.
        indices: old index value to the expression that replaces it.
    """

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    indices: dict[SSAValue, IndexValue] = field(default_factory=dict[SSAValue, IndexValue])

    def inner(self) -> "Scope":
        """Return a copy, for a nested region."""
        return Scope(dict(self.values), dict(self.indices))

    def value(self, old: SSAValue) -> SSAValue:
        """Return the new value of an old one."""
        return self.values.get(old, old)

    def expression(self, old: SSAValue) -> IndexValue:
        """Return what an index operand becomes."""
        return self.indices.get(old) or IndexValue.of(self.value(old))

    def index_map(self, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> tuple[IndexMapAttr, list[SSAValue]]:
        """Return an index list with its operands replaced."""
        exprs, values = resolve(indices.data, [self.expression(o) for o in operands])
        return pack(exprs, values)


def resolve(exprs: Iterable[IndexExpr], operands: Sequence[IndexValue]) -> tuple[list[IndexExpr], list[SSAValue]]:
    """Replace each `Ref(n)` of the expressions by the n-th operand's expression."""
    values: list[SSAValue] = []
    replacement: list[IndexExpr] = []
    for operand in operands:
        base = len(values)
        values.extend(operand.operands)
        replacement.append(substitute(operand.expr, [Ref(base + n) for n in range(len(operand.operands))]))
    return [substitute(e, replacement) for e in exprs], values


Bound = tuple[Sequence[IndexExpr], Sequence[SSAValue]]
"""Several bounds of one dim, and the values that their refs stand for."""


FROM_ZERO: Bound = ((Const(0),), ())
"""The lower bound of most dims."""


def nest_header(op: Nest, scope: Scope, dims: Sequence[SSAValue]) -> tuple[Header, list[SSAValue]]:
    """Return the ranges of a nest under a scope that maps its dims to `dims`, and the operands they need."""
    every = range(len(op.dims))
    return make_header(dims, nest_bounds(op, op.lower, every, scope), nest_bounds(op, op.upper, every, scope))


def nest_bounds(op: Nest, side: Iterable[IndexMapAttr], positions: Iterable[int], scope: Scope) -> list[Bound]:
    """Return one side of the ranges of some dims of a nest under a scope."""
    maps = list(side)
    operands = [scope.expression(v) for v in op.bound_values]
    return [resolve(maps[p].data, operands) for p in positions]


def make_header(
    dims: Sequence[SSAValue], lower: Sequence[Bound], upper: Sequence[Bound]
) -> tuple[Header, list[SSAValue]]:
    """Build ranges from bounds that each bring their own operands; dims among the operands become the nest's dims."""
    operands: list[SSAValue] = []

    def place(value: SSAValue) -> IndexExpr:
        if value in dims:
            return Ref(list(dims).index(value))
        if value not in operands:
            operands.append(value)
        return Ref(len(dims) + operands.index(value))

    def side(bounds: Sequence[Bound]) -> list[list[IndexExpr]]:
        packed = [pack(exprs, values) for exprs, values in bounds]
        return [[substitute(e, [place(v) for v in values]) for e in index_map.data] for index_map, values in packed]

    return Header(side(lower), side(upper)), operands
