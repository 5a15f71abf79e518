"""Places of `unique` writes that combine: of the points that name a place, the last one owns it.

    spec.write add %v to 0[%place] unique    place = [2, 0, 2]: row 0 is that of point 1, row 2 that of point 2

A point is a value of the dims that the place follows from; what its other dims, the reduction, add up stays together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...dialect.diagnostics import Diagnostic
from ...dialect.spec.ops import ComputeOp, WriteOp
from ..dtypes import Array
from .lanes import source_dims
from .scope import Scope
from .windows import Index, as_array, check

RADIX = 1 << 31
"""More than the extent of any dim of a point."""

MOST_DIMS = 2
"""How many dims of a point fit into a number of 64 bits."""


def identity(combiner: str, dtype: "np.dtype[Any]") -> float | int:
    """Return what combines with any value to that value; 0 where values are not combined."""
    if combiner not in ("max", "min"):
        return 0
    sign = -1 if combiner == "max" else 1
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        return int(limits.min if sign < 0 else limits.max)
    return sign * float("inf")


@dataclass
class Owners:
    """The owner of each place so far, of each write: the number of a point, -1 for no owner."""

    held: dict[WriteOp, Array] = field(default_factory=dict[WriteOp, Array])

    def claim(self, op: WriteOp, indices: Sequence[Index], guard: Array | None, scope: Scope, target: Array) -> Array:
        """Return which points own their places; a place that changes its owner starts anew.

        Raises:
            OutOfRange: an index leaves the tensor at a point that takes part.
            Diagnostic: OPW223, the place follows from more dims than a number holds.
        """
        number = self._number(op, scope)
        mask = np.asarray(True) if guard is None else guard != 0
        arrays = [as_array(index, scope.rank) for index in indices]
        shape = np.broadcast_shapes(number.shape, mask.shape, *(array.shape for array in arrays))
        taking_part = np.broadcast_to(mask, shape)
        places = tuple(np.broadcast_to(array, shape)[taking_part] for array in arrays)
        check(target.shape, places)
        numbers = np.broadcast_to(number, shape)[taking_part]
        held = self.held.setdefault(op, np.full(target.shape, -1, np.int64))
        before = held[places]
        np.maximum.at(held, places, numbers)
        anew = held[places] > before
        target[tuple(place[anew] for place in places)] = identity(op.combine, target.dtype)
        owned = np.zeros(shape, np.bool_)
        owned[taking_part] = held[places] == numbers
        return owned

    @staticmethod
    def _number(op: WriteOp, scope: Scope) -> Array:
        """Return a number that grows with the point in the order of the nest, over the dims its place follows from."""
        sources = {dim for value in op.operands_ for dim in source_dims(value)}
        number = np.zeros((), np.int64)
        dims = [dim for dim in _compute(op).dims if dim in sources]
        if len(dims) > MOST_DIMS:
            raise Diagnostic(
                "OPW223", f"the reference interpreter cannot run '{op.name}' of {len(dims)} computed dims", op
            )
        for dim in dims:
            number = number * RADIX + scope.array(dim)
        return number


def _compute(op: WriteOp) -> ComputeOp:
    parent = op.parent_op()
    while not isinstance(parent, ComputeOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent
