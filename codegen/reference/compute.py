"""Run one compute: loops in Python over what must keep its order, NumPy arrays over the rest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ...dialect.spec.nests import Nest
from ...dialect.spec.ops import ComputeOp, EachOp, IndexOp, ReadOp, SearchOp, WriteOp
from ...passes.ragged_sums import followed
from ..dtypes import Array
from ..scalars import apply
from .lanes import Lanes
from .owners import Owners
from .scope import Scope
from .types import Types
from .windows import Combine, Index, OutOfRange, Span, leaves, read, write

LANE_BUDGET = 1 << 20
"""The number of points that are evaluated at once, at most: some MiB a value."""

FEW = 16
"""The number of points below which a reduction is a plain loop: its indices are then windows, not gathers."""

COMBINE: dict[str, Combine] = {"add": np.add, "max": np.maximum, "min": np.minimum}

T = TypeVar("T")


@dataclass(frozen=True)
class Pending:
    """A write whose operands are known."""

    op: WriteOp
    indices: tuple[Index, ...]
    value: Array
    guard: Array | None

    def stays(self) -> bool:
        """Return whether the write combines all lanes of axis 0 into one place."""
        moves = any(i.axis == 0 if isinstance(i, Span) else np.ndim(i) > 0 for i in self.indices)
        return bool(self.op.combine) and self.guard is None and not moves

    def at(self, lane: int) -> "Pending":
        """Return the part of the write that belongs to one lane of axis 0."""
        guard = None if self.guard is None else _lane(self.guard, lane)
        return Pending(self.op, tuple(_lane_index(i, lane) for i in self.indices), _lane(self.value, lane), guard)


def _lane(array: Array, lane: int) -> Array:
    return array[lane : lane + 1] if array.ndim and array.shape[0] > 1 else array


def _lane_index(index: Index, lane: int) -> Index:
    if isinstance(index, Span):
        return index.start + lane if index.axis == 0 else index
    return index if isinstance(index, int) else _lane(index, lane)


@dataclass(frozen=True)
class Stray:
    """Where a read left its tensor, and the error where a write uses it there."""

    outside: Array
    error: Diagnostic


@dataclass
class ComputeRun:
    """One compute at work: `scope` holds what it knows, `results` what it has written."""

    compute: ComputeOp
    lanes: Lanes
    types: Types
    scope: Scope
    tensors: Mapping[SSAValue, Array | None]
    results: Sequence[Array]
    chunks: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    strays: dict[ReadOp, Stray] = field(default_factory=dict[ReadOp, Stray])
    owners: Owners = field(default_factory=Owners)

    def run(self) -> None:
        """Fill the results."""
        if self.lanes.ordered is not None and self._last_extent(self.lanes.ordered) < FEW:
            self.lanes = self.lanes.with_loop()
        self._plan_chunks()
        self._run_nest(self.compute, 0)

    def _plan_chunks(self) -> None:
        """Cut the outer lanes so that the points at once stay within the budget."""
        axes = self.lanes.axes
        room = LANE_BUDGET
        for dim in sorted(axes, key=lambda dim: (dim is self.lanes.ordered, -axes[dim])):
            self.chunks[dim] = room
            room = max(1, room // max(1, self._known_extent(dim)))

    def _known_extent(self, dim: SSAValue) -> int:
        nest = next(op for op in self.compute.walk() if isinstance(op, Nest) and dim in op.dims)
        try:
            low, high = self.ends(nest, nest.dims.index(dim))
        except KeyError:
            return 1
        return high - low

    def _last_extent(self, dim: SSAValue) -> int:
        """Return the number of points of a dim of the compute at the last point of those around it."""
        around = list(self.compute.dims[: self.compute.dims.index(dim)])
        for outer in around:
            self.scope.integers[outer] = self._known_extent(outer) - 1
        extent = self._known_extent(dim)
        for outer in around:
            del self.scope.integers[outer]
        return extent

    def ends(self, nest: Nest, position: int) -> tuple[int, int]:
        """Return where a dim of a nest starts, and where it ends."""
        low, high = (
            [self._checked(nest, lambda e=e: self.scope.fixed(e, nest.bound_values)) for e in side.data[position].data]
            for side in (nest.lower, nest.upper)
        )
        return max(low), min(high)

    def _run_nest(self, nest: Nest, position: int) -> None:
        if position == len(nest.dims):
            self._run_block(nest.body.block)
            return
        dim = nest.dims[position]
        low, high = self.ends(nest, position)
        if dim not in self.lanes.axes:
            for self.scope.integers[dim] in range(low, high):
                self._run_nest(nest, position + 1)
            return
        step = self.chunks[dim]
        for start in range(low, high, step):
            self.scope.spans[dim] = Span(self.lanes.axes[dim], start, min(step, high - start))
            self._run_nest(nest, position + 1)

    def _run_block(self, block: Block) -> None:
        writes: list[Pending] = []
        for op in block.ops:
            match op:
                case WriteOp() if self.lanes.ordered is None:
                    self._write(self._pending(op))
                case WriteOp():
                    writes.append(self._pending(op))
                case EachOp():
                    self._run_nest(op, 0)
                case _:
                    self.scope.arrays[op.results[0]] = self.value(op)
        self._write_in_order(writes)

    def value(self, op: Operation) -> Array:
        """Return the result of an operation, from what the scope knows."""
        match op:
            case ReadOp():
                return self._read(op)
            case SearchOp():
                return self._search(op)
            case IndexOp():
                index = self.indices(op)[0]
                return index.array(self.lanes.rank) if isinstance(index, Span) else np.asarray(index, np.int64)
            case _:
                operands = [self.scope.array(v) for v in op.operands]
                result = apply(op, operands, self.types.scalar(op.results[0].type))
                if result is None:
                    raise Diagnostic("OPW223", f"the reference interpreter cannot run '{op.name}'", op)
                return result

    def indices(self, op: IndexOp | ReadOp | WriteOp) -> tuple[Index, ...]:
        """Return the indices of an access, from what the scope knows."""
        return self._checked(op, lambda: self.scope.indices(op.indices, op.operands_))

    def _read(self, op: ReadOp) -> Array:
        tensor = self.tensors[op.tensor]
        dtype = self.types.scalar(op.result.type)
        if tensor is None:
            assert op.absent is not None
            return self.scope.array(op.absent).astype(dtype, copy=False)
        outside = None if op.outside is None else self.scope.array(op.outside)
        indices = self.indices(op)
        try:
            found = self._checked(op, lambda: read(tensor, indices, self.lanes.rank, outside))
            self.strays.pop(op, None)
        except Diagnostic as error:
            found = read(tensor, indices, self.lanes.rank, np.zeros((), tensor.dtype))
            self.strays[op] = Stray(leaves(tensor.shape, indices, self.lanes.rank), error)
        return found.astype(dtype, copy=False)

    def _search(self, op: SearchOp) -> Array:
        entries = self.tensors[op.tensor]
        assert entries is not None
        return np.asarray(np.searchsorted(entries, self.scope.array(op.value), side="right"), np.int64)

    def _pending(self, op: WriteOp) -> Pending:
        guard = None if op.guard is None else self.scope.array(op.guard)
        value = self.scope.array(op.value).astype(self.results[op.number.data].dtype, copy=False)
        self._check_strays(op, guard)
        indices = self.indices(op)
        if op.unique is not None and op.combine:
            target = self.results[op.number.data]
            guard = self._checked(op, lambda: self.owners.claim(op, indices, guard, self.scope, target))
        return Pending(op, indices, value, guard)

    def _check_strays(self, op: WriteOp, guard: Array | None) -> None:
        """Raise where a write uses an element outside of its tensor; a point that is left out may stray."""
        for read_op, stray in self.strays.items():
            uses = stray.outside if guard is None else stray.outside & (guard != 0)
            if uses.any() and read_op.result in followed((op.value, *op.operands_)):
                raise stray.error

    def _write(self, pending: Pending) -> None:
        combine = COMBINE[pending.op.combine] if pending.op.combine else None
        target = self.results[pending.op.number.data]
        p = pending
        self._checked(p.op, lambda: write(target, p.indices, p.value, self.lanes.rank, p.guard, combine))

    def _write_in_order(self, writes: Sequence[Pending]) -> None:
        """Write point by point along axis 0."""
        if self.lanes.ordered is None:
            return
        if len(writes) == 1 and writes[0].stays():
            self._accumulate(writes[0])
            return
        for lane in range(self.scope.spans[self.lanes.ordered].count):
            for pending in writes:
                self._write(pending.at(lane))

    def _accumulate(self, pending: Pending) -> None:
        """Combine all points along axis 0 into one place, one after the other."""
        target, indices, rank = self.results[pending.op.number.data], pending.indices, self.lanes.rank
        assert self.lanes.ordered is not None
        count = self.scope.spans[self.lanes.ordered].count
        held = self._checked(pending.op, lambda: read(target, indices, rank, None))
        values = pending.value.reshape((1,) * (rank - pending.value.ndim) + pending.value.shape)
        lanes = np.broadcast_shapes(held.shape, values.shape[1:])[1:]
        parts = [np.broadcast_to(part, (n, *lanes)) for part, n in ((held, 1), (values, count))]
        combine = cast("np.ufunc", COMBINE[pending.op.combine])
        total = combine.accumulate(np.concatenate(parts), axis=0)[-1:]
        write(target, indices, total, rank, None, None)

    def _checked(self, op: Operation, action: Callable[[], T]) -> T:
        try:
            return action()
        except ZeroDivisionError as error:
            raise Diagnostic("OPW222", f"'{op.name}' divides by 0", op) from error
        except OutOfRange as error:
            text = f"index {error.position} is {error.value}, outside 0 to {error.size - 1} of its dim"
            if isinstance(op, WriteOp):
                raise Diagnostic(
                    "OPW221", text, op, "write only where a condition holds: when(...), in MLIR if %c"
                ) from error
            hint = "a read may say what stands outside: .outside(value), in MLIR else %v"
            raise Diagnostic("OPW220", text, op, hint) from error
