"""Which dims of a compute may be evaluated all at once.

A dim becomes an axis of NumPy arrays (a lane dim) when its order cannot be seen: each of its values lands at a place of
its own. All other dims are loops in Python, in order of the nest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialect.index_expr import linear, refs
from ...dialect.spec.nests import Nest
from ...dialect.spec.ops import ComputeOp, OperatorOp, WriteOp

Landing: TypeAlias = tuple[int, frozenset[tuple[SSAValue, int]], int]
"""Position of an index of a write, with its linear form over values."""


@dataclass(frozen=True)
class Lanes:
    """The plan of one compute.

    `axes` numbers the lane dims outermost first. `ordered` is a dim on axis 0 whose values are computed together but
    combined one after the other.
    """

    axes: Mapping[SSAValue, int]
    ordered: SSAValue | None

    @property
    def rank(self) -> int:
        """Return the number of axes of every value."""
        return max(self.axes.values(), default=-1) + 1

    def with_loop(self) -> "Lanes":
        """Return the plan in which the ordered dim is a loop; its axis stays empty."""
        return Lanes({dim: axis for dim, axis in self.axes.items() if dim is not self.ordered}, None)


def plan_lanes(compute: ComputeOp) -> Lanes:
    """Return which dims of the compute are lanes."""
    nests = list(_nests(compute))
    fixed = {value for nest in nests for value in _bound_sources(nest)}
    lanes = [dim for nest in nests for dim in nest.dims if dim not in fixed and _separated(nest, dim)]
    ordered = _ordered_dim(compute, nests, lanes, fixed)
    dims = ([ordered] if ordered is not None else []) + lanes
    return Lanes({dim: axis for axis, dim in enumerate(dims)}, ordered)


def _nests(compute: ComputeOp) -> Iterator[Nest]:
    return (op for op in compute.walk() if isinstance(op, Nest))


def _bound_sources(nest: Nest) -> set[SSAValue]:
    """Return the dims that the ranges of a nest depend on."""
    used = {position for side in (nest.lower, nest.upper) for bound in side for e in bound.data for position in refs(e)}
    return {dim for position in used for dim in source_dims(nest.bound_values[position])}


def source_dims(value: SSAValue) -> set[SSAValue]:
    """Return the loop indices that a value follows from."""
    if isinstance(value, BlockArgument):
        return {value}
    if isinstance(value, OpResult) and _at_operator_level(value.op):
        return set()
    operands: Iterable[SSAValue] = value.owner.operands if isinstance(value.owner, Operation) else ()
    return {dim for operand in operands for dim in source_dims(operand)}


def _at_operator_level(op: Operation) -> bool:
    return isinstance(op.parent_op(), OperatorOp)


def _separated(nest: Nest, dim: SSAValue) -> bool:
    """Return whether the writes below put each value of the dim at a place of its own."""
    landings: dict[int, Landing] = {}
    for write in nest.body.walk():
        if not isinstance(write, WriteOp) or not write.combine:
            continue
        landing = _landing(write, dim)
        if landing is None or landings.setdefault(write.number.data, landing) != landing:
            return False
    return True


def _landing(write: WriteOp, dim: SSAValue) -> Landing | None:
    """Return the index that tells the values of the dim apart: linear in it, and in nothing else that varies."""
    for position, expr in enumerate(write.indices.data):
        form = linear(expr)
        if form is None:
            continue
        terms = frozenset((write.operands_[p], c) for p, c in form[0].items())
        if all(value is dim or _is_symbol(value) for value, _ in terms) and any(value is dim for value, _ in terms):
            return position, terms, form[1]
    return None


def _is_symbol(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and _at_operator_level(value.owner)


def _ordered_dim(
    compute: ComputeOp, nests: Sequence[Nest], lanes: Sequence[SSAValue], fixed: set[SSAValue]
) -> SSAValue | None:
    """Return the innermost loop of a single nest, unless a range depends on it."""
    loops = [dim for dim in compute.dims if dim not in lanes]
    if len(nests) > 1 or not loops or loops[-1] in fixed:
        return None
    return loops[-1]
