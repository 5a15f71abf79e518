"""Sizes of the dims of random cases."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import SSAValue

from ..codegen.attributes import AttrValue
from ..codegen.conditions import constraints
from ..dialect.index_expr import Const, Ref
from ..dialect.spec.nests import Nest
from ..dialect.spec.ops import ComputeOp, DimOp, OperatorOp, RequireOp, WriteOp
from ..dialect.spec.signature import Signature, dim_labels
from .relations import Quotient, quotients

TINY = (1, 2, 3)
TINY_SHARE = 0.4
"""The share of dims that are 1, 2 or 3."""

LIMIT_SHARE = 0.1
"""The share of dims that are as large as a constraint allows, where there is room."""

BUDGETS = ((0.80, 1 << 13), (0.95, 1 << 16), (1.0, 1 << 21))
"""How many points a tensor or a nest spans at most: for this cumulative share of the cases, up to this many."""

ROWS = 1 << 13
"""How many rows (points of all dims but the last) there are at most: short ones take as long as others to emulate."""

SERIAL = 1 << 11
"""How many points there are at most where elements are added along the last dim too, one after the other."""

BLOCK = 64
"""Sizes above it are as often one off a multiple of it, or one, as they are anything."""

LIST_MOST = 100
"""How many elements a list has at most."""

EMPTY_SHARE = 0.1
"""The share of lists that are empty, where a call may give an empty one."""

QUOTIENT_MOST = 16
"""How many times one size fits into another that a spec divides by it, at most."""

REMAINDER_SHARE = 0.2
"""The share of sizes that leave a remainder, where the spec divides them and does not forbid it."""


@dataclass(frozen=True)
class Call:
    """What decides which constraints count for a case: attributes, and the inputs that are given."""

    attrs: Mapping[str, AttrValue]
    given: frozenset[str]


@dataclass
class Room:
    """How many points and rows are left to the dims of each tensor and nest.

    Attributes:
        groups: dims that span points together.
        points: how many each group may span, and at most ROWS rows.
        lanes: the dim along which elements lie side by side; it does not count as rows.
        dims: the sizes drawn so far.
    """

    groups: Sequence[frozenset[str]]
    points: int
    lanes: str
    dims: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, name: str) -> int:
        """Return the largest size for a dim that keeps all its groups small enough."""
        return min((self._left(group, name) for group in self.groups if name in group), default=self.points)

    def _left(self, group: frozenset[str], name: str) -> int:
        taken = math.prod(self.dims.get(other, 1) for other in group - {name})
        rows = math.prod(self.dims.get(other, 1) for other in group - {name, self.lanes})
        points = self.points // max(1, taken)
        most = ROWS if self.lanes else SERIAL
        return max(1, points if name == self.lanes else min(points, min(self.points, most) // max(1, rows)))


def draw_dims(
    operator: OperatorOp, call: Call, random: np.random.Generator, fixed: frozenset[str] = frozenset()
) -> dict[str, int]:
    """Return a size for each dim that a given tensor names and nothing defines, within what constraints allow.

    Args:
        operator: the operator.
        call: what decides which constraints count.
        random: where the sizes come from.
        fixed: dims that follow from elements of lists, and are not drawn.
    """
    names = [name for name in free_dims(operator, call.given) if name not in fixed]
    share = random.random()
    points = next(points for up_to, points in BUDGETS if share < up_to)
    room = Room(groups_of(operator, call.given, names), points, _lanes(operator))
    limits = upper_limits(operator, call)
    divided = quotients(operator, call.attrs, call.given)
    order = [str(name) for name in random.permutation(np.array(names, dtype=object))]
    for name in sorted(order, key=lambda name: name in divided):
        most = room.of(name)
        limit = limits.get(name, points)
        if name in divided and (divisors := [q for q in divided[name] if room.dims.get(q.divisor)]):
            size = _draw_multiple(random, divisors[random.integers(len(divisors))], room.dims, most)
        else:
            size = _draw(random, most, limit)
        room.dims[name] = size
    return {name: room.dims[name] for name in names}


def free_dims(operator: OperatorOp, given: frozenset[str]) -> list[str]:
    """Return the dims that the shapes of given tensors tell, and no definition."""
    signature = Signature.of(operator)
    named = {label for op in signature.inputs if op.label.data in given for label in dim_labels(op.result.type)}
    return [op.label.data for op in signature.dims if op.definition is None and op.label.data in named]


def groups_of(operator: OperatorOp, given: frozenset[str], names: Sequence[str]) -> list[frozenset[str]]:
    """Return the dims of each tensor and of each nest, as far as they are among some names."""
    signature = Signature.of(operator)
    tensors = [dim_labels(op.result.type) for op in signature.inputs if op.label.data in given]
    tensors += [dim_labels(op.type) for op in signature.outputs]
    nests = [
        [_dim_name(value) for nest in op.walk() if isinstance(nest, Nest) for value in nest.bound_values]
        for op in operator.body.block.ops
        if isinstance(op, ComputeOp)
    ]
    return [frozenset(group) & frozenset(names) for group in (*tensors, *nests)]


def list_dims(operator: OperatorOp) -> dict[str, bool]:
    """Return the dims that only lists name, and whether a list of the length 0 says what 0 elements mean."""
    inputs = Signature.of(operator).inputs
    tensors = {label for op in inputs if op.list is None for label in dim_labels(op.result.type)}
    return {
        label: op.default is None
        for op in inputs
        if op.list is not None
        for label in dim_labels(op.result.type)
        if label not in tensors
    }


def _lanes(operator: OperatorOp) -> str:
    """Return the dim along which elements lie side by side: the last one of the first tensor that has dims.

    There is none where elements are added along it: the reference does so one after the other.
    """
    tensors = (op.result.type.dims for op in Signature.of(operator).inputs)
    last = next((dims[-1] for dims in tensors if dims), "")
    return last if isinstance(last, str) and last not in _reduced(operator) else ""


def _reduced(operator: OperatorOp) -> set[str]:
    """Return the dims over which a nest combines elements."""
    found: set[str] = set()
    for compute in (op for op in operator.body.block.ops if isinstance(op, ComputeOp)):
        writes = [op for op in compute.walk() if isinstance(op, WriteOp)]
        placed = {value for write in writes for value in write.operands_}
        for nest in (op for op in compute.walk() if isinstance(op, Nest)):
            for dim, upper in zip(nest.dims, nest.upper, strict=True):
                if dim not in placed:
                    found |= {_dim_name(nest.bound_values[e.position]) for e in upper.data if isinstance(e, Ref)}
    return found


def _draw(random: np.random.Generator, room: int, limit: int) -> int:
    """Return a tiny size, the limit, or one whose logarithm is spread evenly; at most `room` and `limit`."""
    most = min(room, limit)
    share = random.random()
    if most <= TINY[-1] or share < TINY_SHARE:
        return min(most, int(random.choice(TINY)))
    if limit < room and share > 1 - LIMIT_SHARE:
        return limit
    size = int(math.exp(random.uniform(math.log(TINY[-1] + 1), math.log(most + 1))))
    if size > BLOCK and random.random() < 0.5:
        size = size // BLOCK * BLOCK + int(random.integers(-1, 2))
    return min(most, size)


def draw_length(random: np.random.Generator, most: int, *, may_be_empty: bool) -> int:
    """Return the length of a list; 0 only where a list of that length is no other list."""
    return 0 if may_be_empty and random.random() < EMPTY_SHARE else _draw(random, most, most)


def _draw_multiple(random: np.random.Generator, quotient: Quotient, dims: Mapping[str, int], most: int) -> int:
    """Return a multiple of another size, with a remainder now and then where that is allowed."""
    divisor = dims[quotient.divisor]
    times = _draw(random, QUOTIENT_MOST, max(1, QUOTIENT_MOST * most // divisor))
    rest = int(random.integers(divisor)) if not quotient.exact and random.random() < REMAINDER_SHARE else 0
    return divisor * times + rest


def upper_limits(operator: OperatorOp, call: Call) -> dict[str, int]:
    """Return the largest size of each dim that a constraint compares with a number."""
    limits: dict[str, int] = {}
    for op, counts in constraints(operator, call.attrs, call.given):
        if counts and isinstance(op, RequireOp) and op.comparison.data in ("<=", "<"):
            for name, limit in _limits(op):
                limits[name] = max(1, min(limit, limits.get(name, limit)))
    return limits


def _limits(op: RequireOp) -> Sequence[tuple[str, int]]:
    strict = op.comparison.data == "<"
    pairs = zip(op.lhs.data, op.rhs.data, strict=True)
    found = [
        (op.operands_[a.position], b.value - strict) for a, b in pairs if isinstance(a, Ref) and isinstance(b, Const)
    ]
    return [(name, limit) for value, limit in found if (name := _dim_name(value))]


def _dim_name(value: SSAValue) -> str:
    return value.owner.label.data if isinstance(value.owner, DimOp) else ""


def describe_dims(dims: Mapping[str, int]) -> str:
    """Return the sizes as a person reads them: `S=3 B=1 H=65`."""
    return " ".join(f"{name}={size}" for name, size in dims.items())
