"""Lists of random cases, and the dims that a spec says they determine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ..codegen.attributes import AttrValue
from ..codegen.binding import Binding
from ..codegen.dtypes import Array, numpy_dtype
from ..codegen.reference import computed_sides
from ..codegen.reference.checks import sources
from ..dialect.spec.ops import CheckOp, ComputeOp, DimOp, InputOp, OperatorOp, WriteOp
from ..dialect.spec.signature import Signature, dim_labels

RISING_SHARE = 0.7
"""The share of lists that never fall; others are lengths that add up to a size, or any numbers up to one."""

EMPTY_SHARES = (0.0, 0.3, 0.7)
"""How many of the parts that a rising list cuts a size into are empty; one of these a list."""

SHORT_SHARE = 0.4
SHORT_MOST = 5
"""The share of parts that are short, and the length of the longest of those."""

CONSTANTS = (0, 3, 40)
CONSTANT_SHARE = 0.1
"""Numbers up to which this share of the lists go; others go up to the size of a dim."""


@dataclass(frozen=True)
class Determined:
    """A dim that a check says to be equal to what is computed from lists."""

    dim: str
    value: SSAValue


def input_lists(operator: OperatorOp) -> list[InputOp]:
    """Return the lists among the parameters."""
    return [op for op in Signature.of(operator).inputs if op.list is not None]


def determined_dims(operator: OperatorOp) -> list[Determined]:
    """Return the dims that follow from lists, in the order of the checks."""
    found: dict[str, Determined] = {}
    for op in operator.body.block.ops:
        if isinstance(op, CheckOp) and op.comparison.data == "==":
            for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                if (name := _copied_dim(side)) and not _copied_dim(other):
                    found.setdefault(name, Determined(name, other))
    return list(found.values())


def _copied_dim(side: SSAValue) -> str:
    """Return the dim without definition that a side of a check holds; nothing where it holds something else."""
    if not isinstance(side.owner, ComputeOp):
        return ""
    write = next(op for op in side.owner.walk() if isinstance(op, WriteOp))
    cast = write.value.owner
    dim = cast.input.owner if isinstance(cast, arith.IndexCastOp) else cast
    return dim.label.data if isinstance(dim, DimOp) and dim.definition is None and not write.combine else ""


def bounds(operator: OperatorOp, dims: Mapping[str, int]) -> list[int]:
    """Return the sizes up to which lists may go: those that checks compare with, all where there are none."""
    lists = {label for op in input_lists(operator) for label in dim_labels(op.result.type)}
    read = {value.owner for op in sources(operator) for inner in op.walk() for value in inner.operands}
    names = [op.label.data for op in read if isinstance(op, DimOp)]
    compared = [dims[name] for name in sorted(names) if name in dims and name not in lists]
    return compared or [size for name, size in dims.items() if name not in lists]


def draw_list(op: InputOp, length: int, sizes: Sequence[int], random: np.random.Generator) -> Array:
    """Return a list of some length, which goes up to one of some sizes, or now and then to a small number."""
    choices = CONSTANTS if not sizes or random.random() < CONSTANT_SHARE else sizes
    limit = int(choices[int(random.integers(len(choices)))])
    share = random.random()
    if share < RISING_SHARE:
        content = _rising(random, length, limit)
    elif share < (1 + RISING_SHARE) / 2:
        content = np.diff(_rising(random, length, limit), prepend=0)
    else:
        content = random.integers(0, limit + 1, length)
    return content.astype(numpy_dtype(op.result.type.element_type))


def _rising(random: np.random.Generator, length: int, limit: int) -> Array:
    """Return the ends of parts of a range: many empty or short, and often something behind the last one."""
    end = limit if random.random() < 0.5 else int(random.integers(0, limit + 1))
    empty = random.random(length) < random.choice(EMPTY_SHARES)
    short = ~empty & (random.random(length) < SHORT_SHARE)
    lengths = np.where(short, random.integers(1, SHORT_MOST + 1, length), 0)
    long = ~empty & ~short
    if long.any() and lengths.sum() < end:
        shares = random.random(int(long.sum()))
        lengths[long] = random.multinomial(end - lengths.sum(), shares / shares.sum())
    return np.minimum(np.cumsum(lengths), end)


def determine(
    operator: OperatorOp,
    column: int,
    dims: Mapping[str, int],
    attrs: Mapping[str, AttrValue],
    arrays: Mapping[str, Array],
) -> dict[str, int]:
    """Return the dims that follow from lists.

    Args:
        operator: the operator.
        column: the number of the dtype column.
        dims: all dims; those that follow may be anything.
        attrs: all attributes.
        arrays: the lists, with defaults for those that are absent.
    """
    known = dict(dims)
    wanted = determined_dims(operator)
    for each in wanted:
        sides = computed_sides(operator, binding_of(operator, column, known, attrs, arrays), arrays)
        side = sides[each.value]
        assert side is not None
        known[each.dim] = int(side.ravel()[0]) if side.size else 0
    return {each.dim: known[each.dim] for each in wanted}


def binding_of(
    operator: OperatorOp,
    column: int,
    dims: Mapping[str, int],
    attrs: Mapping[str, AttrValue],
    arrays: Mapping[str, Array],
) -> Binding:
    """Return the binding of a call of which only the lists exist yet."""
    return Binding(column, Signature.of(operator).dtype_columns[column], frozenset(arrays), dims, attrs)
