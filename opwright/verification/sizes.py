"""Sizes of the dims of random cases."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ..dialect.index_expr import Const, Ref
from ..dialect.spec.ops import DimOp, OperatorOp, RequireOp
from ..dialect.spec.signature import Signature

TINY = (1, 2, 3)
TINY_SHARE = 0.4
"""The share of dims that are 1, 2 or 3."""

LIMIT_SHARE = 0.1
"""The share of dims that are as large as a constraint allows, where there is room."""

BUDGETS = ((0.80, 1 << 13), (0.95, 1 << 16), (1.0, 1 << 21))
"""How many points the dims of a case span at most: for this cumulative share of the cases, up to this many."""

ROWS = 1 << 13
"""How many rows (points of all dims but the last) there are at most: short ones take as long as others to emulate."""

BLOCK = 64
"""Sizes above it are as often one off a multiple of it, or one, as they are anything."""


def draw_dims(operator: OperatorOp, random: np.random.Generator) -> dict[str, int]:
    """Return a size for each dim that the spec does not define, at least 1, at most what a constraint allows."""
    free = [op.label.data for op in Signature.of(operator).dims if op.definition is None]
    limits, lanes = upper_limits(operator), _lanes(operator)
    share = random.random()
    room = next(points for up_to, points in BUDGETS if share < up_to)
    rows = min(room, ROWS)
    dims: dict[str, int] = {}
    for name in random.permutation(np.array(free, dtype=object)):
        most = room if name == lanes else min(room, rows)
        dims[name] = _draw(random, most, limits.get(name, most))
        room = max(1, room // dims[name])
        rows = rows if name == lanes else max(1, rows // dims[name])
    return {name: dims[name] for name in free}


def _lanes(operator: OperatorOp) -> str:
    """Return the dim along which elements lie side by side: the last one of the first tensor that has dims."""
    tensors = (op.result.type.dims for op in Signature.of(operator).inputs)
    last = next((dims[-1] for dims in tensors if dims), "")
    return last if isinstance(last, str) else ""


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


def upper_limits(operator: OperatorOp) -> dict[str, int]:
    """Return the largest size of each dim that a constraint compares with a number."""
    limits: dict[str, int] = {}
    for op in Signature.of(operator).requirements:
        if op.comparison.data in ("<=", "<"):
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
