"""Attributes of random cases."""

import math
from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i1

from ..codegen.attributes import AttrValue, constant_value
from ..dialect.index_expr import Const, Ref
from ..dialect.spec.attrs import IntegersType
from ..dialect.spec.ops import AttrOp, OperatorOp
from ..dialect.spec.signature import Signature

TINY = (1, 2, 3)
TINY_SHARE = 0.4
"""The share of integers that are 1, 2 or 3."""

MOST = 64
"""Integers are at most this large: they tell sizes of windows, steps, and counts."""

STEP = 16
"""Some integers are multiples of it."""

DEFAULT_SHARE = 0.3
"""The share of calls that leave an attribute with a default to that."""


def draw_attributes(
    operator: OperatorOp, random: np.random.Generator, switches: Mapping[str, bool], most: int = MOST
) -> dict[str, AttrValue]:
    """Return a value for each attribute: booleans as told, integers from 1 to `most`, others within what is allowed."""
    return {
        op.label.data: switches[op.label.data] if op.result.type == i1 else _draw(operator, op, random, most)
        for op in Signature.of(operator).attrs
    }


def _draw(operator: OperatorOp, op: AttrOp, random: np.random.Generator, most: int) -> AttrValue:
    kind, share = op.result.type, random.random()
    if op.allowed is not None:
        values = [constant_value(value, kind) for value in op.allowed]
        return values[int(random.integers(len(values)))]
    if op.default is not None and share < DEFAULT_SHARE:
        return constant_value(op.default, kind)
    match kind:
        case IndexType() | IntegerType():
            return min(_integer(random, most), _upper_limit(operator, op))
        case IntegersType():
            return tuple(int(n) for n in random.integers(1, MOST, int(random.integers(4))))
        case _ if isinstance(kind, AnyFloat):
            return float(np.float32(random.standard_normal()))
        case _:
            return "" if op.default is None else constant_value(op.default, kind)


def _integer(random: np.random.Generator, most: int) -> int:
    if most <= TINY[-1] or random.random() < TINY_SHARE:
        return min(most, int(random.choice(TINY)))
    size = int(math.exp(random.uniform(math.log(TINY[-1] + 1), math.log(most + 1))))
    return size // STEP * STEP if size > STEP and random.random() < 0.5 else size


def _upper_limit(operator: OperatorOp, op: AttrOp) -> int:
    """Return the largest value that a constraint without conditions compares the attribute with."""
    limits = [MOST]
    for require in Signature.of(operator).requirements:
        for lhs, rhs in zip(require.lhs.data, require.rhs.data, strict=True):
            match lhs, require.comparison.data, rhs:
                case Ref(position), "<=" | "<" as sign, Const(value) if require.operands_[position] is op.result:
                    limits.append(max(1, value - (sign == "<")))
                case _:
                    pass
    return min(limits)
