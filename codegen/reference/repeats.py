"""Places that several points of a call name: the last point in the order of the nest owns such a place.

    spec.write add %v to 0[%place] unique    place = [2, 0, 2]: points 0 and 2 name place 2, and point 0 is lost

That is defined, and still seldom what a caller means: `opwright run` and `opwright verify` report it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialect.diagnostics import Location
from ...dialect.index_expr import refs
from ...dialect.index_map import IndexMapAttr
from ...dialect.spec.ops import ComputeOp, OperatorOp, OutputOp, PositionsOp, ReadOp, ScanOp, WriteOp
from ...passes.ragged_sums import followed
from ..binding import Binding
from ..dtypes import Array
from ..symbols import symbol_values
from .compute import ComputeRun
from .evaluate import OperatorRun
from .lanes import Lanes, source_dims
from .scope import Scope
from .types import Types
from .windows import Span, as_array


@dataclass(frozen=True)
class Repeat:
    """A place of an output that several points name.

    Attributes:
        output: the output.
        place: its computed indices.
        points: the first and the last of its points, each by the indices that the place follows from.
        count: how many places of the output several points name.
        location: where the spec writes it.
    """

    output: str
    place: tuple[int, ...]
    points: tuple[tuple[int, ...], tuple[int, ...]]
    count: int
    location: Location | None

    def __str__(self) -> str:
        """Return a warning, with the place in the spec in front."""
        at = f"{self.location}: " if self.location is not None else ""
        first, last = ("(" + ", ".join(map(str, point)) + ")" for point in self.points)
        more = f"; {self.count} places are named more than once" if self.count > 1 else ""
        text = f"points {first} and {last} both name place {list(self.place)} of '{self.output}'"
        return f"{at}warning: {text}: the last one counts{more}"


def repeated_places(operator: OperatorOp, binding: Binding, arrays: Mapping[str, Array]) -> list[Repeat]:
    """Return one finding for each output with a place that several points of a call name.

    Only what places and conditions follow from is computed. Points outside of a tensor take no part.

    Args:
        operator: the operator.
        binding: the call.
        arrays: what `bound_arrays` returns.
    """
    writes = list(_scattered(operator))
    if not writes:
        return []
    run = OperatorRun(binding, Types(binding.dtypes, "f32"), symbol_values(operator, binding.dims, binding.attrs))
    needed = _needed(operator, [value for compute, write in writes for value in _sources(compute, write)])
    with np.errstate(all="ignore"):
        for op in operator.body.block.ops:
            if op in needed:
                run.step(op, arrays)
        found = (_repeat(operator, compute, write, run) for compute, write in writes)
        return [repeat for repeat in found if repeat is not None]


def _scattered(operator: OperatorOp) -> Iterator[tuple[ComputeOp, WriteOp]]:
    """Yield each write at places that follow from data."""
    for compute in operator.body.block.ops:
        if isinstance(compute, ComputeOp):
            for write in compute.body.block.ops:
                if isinstance(write, WriteOp) and write.unique is not None and _computed(compute, write):
                    yield compute, write


def _computed(compute: ComputeOp, write: WriteOp) -> list[int]:
    """Return the positions of the indices that follow from data."""
    inside = {result for op in compute.body.block.ops for result in op.results}
    return [n for n, expr in enumerate(write.indices.data) if any(write.operands_[p] in inside for p in refs(expr))]


def _values(compute: ComputeOp, write: WriteOp) -> list[SSAValue]:
    """Return what the computed indices and the condition of a write name."""
    named = {write.operands_[p] for n in _computed(compute, write) for p in refs(write.indices.data[n])}
    return [*named, *([write.guard] if write.guard is not None else [])]


def _sources(compute: ComputeOp, write: WriteOp) -> list[SSAValue]:
    """Return the tensors that the places of a write follow from."""
    slices = followed(_values(compute, write))
    return [op.tensor for op in compute.body.block.ops if isinstance(op, ReadOp) and op.result in slices]


def _needed(operator: OperatorOp, tensors: Sequence[SSAValue]) -> set[Operation]:
    """Return the operations of the operator to run: of those that make tensors only what some tensors follow from."""
    wanted = {tensor.owner for tensor in tensors}
    found: set[Operation] = set()
    for op in reversed(list(operator.body.block.ops)):
        if op in wanted:
            wanted |= {v.owner for inner in op.walk() for v in inner.operands}
        if op in wanted or not isinstance(op, OutputOp | ComputeOp | ScanOp | PositionsOp):
            found.add(op)
    return found


def _repeat(operator: OperatorOp, compute: ComputeOp, write: WriteOp, run: OperatorRun) -> Repeat | None:
    sources = {dim for value in _values(compute, write) for dim in source_dims(value)}
    dims = [dim for dim in compute.dims if dim in sources]
    lanes = Lanes({dim: axis for axis, dim in enumerate(dims)}, None)
    scope = Scope(lanes.rank, dict(run.integers), dict(run.scalars))
    points = ComputeRun(compute, lanes, run.types, scope, run.tensors, [])
    for axis, dim in enumerate(dims):
        low, high = points.ends(compute, compute.dims.index(dim))
        scope.spans[dim] = Span(axis, low, max(high - low, 0))
    sizes = [scope.spans[dim].count for dim in dims]
    if not prod(sizes):
        return None
    slices = followed(_values(compute, write))
    for op in compute.body.block.ops:
        if slices.intersection(op.results):
            scope.arrays[op.results[0]] = points.value(op)
    found = _twice(*_places(compute, write, points, sizes))
    if found is None:
        return None
    place, first, last, count = found
    starts = [scope.spans[dim].start for dim in dims]
    ends = tuple(
        tuple(int(n) + start for n, start in zip(np.unravel_index(point, sizes), starts, strict=True))
        for point in (first, last)
    )
    return Repeat(_output(operator, compute, write), place, (ends[0], ends[1]), count, Location.of(write))


def _places(compute: ComputeOp, write: WriteOp, points: ComputeRun, sizes: Sequence[int]) -> tuple[list[Array], Array]:
    """Return the computed indices of the points that take part, and the numbers of these points."""
    guard = np.asarray(True) if write.guard is None else points.scope.array(write.guard) != 0
    computed = IndexMapAttr(tuple(write.indices.data[n] for n in _computed(compute, write)))
    indices = points.scope.indices(computed, write.operands_)
    flat = [np.broadcast_to(as_array(index, points.scope.rank), sizes).ravel() for index in indices]
    part = np.flatnonzero(np.broadcast_to(guard, sizes).ravel())
    return [index[part] for index in flat], part


def _twice(indices: Sequence[Array], points: Array) -> tuple[tuple[int, ...], int, int, int] | None:
    """Return a place that several points name: the place, its first and last point, and how many there are."""
    order = np.lexsort((points, *reversed(indices)))
    ordered = np.stack([index[order] for index in indices])
    same = np.all(ordered[:, 1:] == ordered[:, :-1], axis=0)
    repeated = np.flatnonzero(same)
    if not repeated.size:
        return None
    first = int(repeated[0])
    last = first + int(np.argmin(np.append(same[first:], False)))
    count = int(np.count_nonzero(np.diff(np.append(False, same).astype(np.int8)) == 1))
    return tuple(int(n) for n in ordered[:, first]), int(points[order[first]]), int(points[order[last]]), count


def _output(operator: OperatorOp, compute: ComputeOp, write: WriteOp) -> str:
    result = compute.results_[write.number.data]
    outputs = (op.label.data for op in operator.body.block.ops if isinstance(op, OutputOp) and op.tensor is result)
    return next(outputs, result.name_hint or "?")
