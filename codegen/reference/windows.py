"""Reads and writes of many elements at once.

Values hold one axis a lane dim (size 1 where they do not vary). An index is an integer, a `Span` along one axis, or an
array. Indices that are all integers and spans of different axes address a view; others gather and scatter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..dtypes import Array


@dataclass(frozen=True)
class Span:
    """The integers start, start + 1, ..., one for each of `count` lanes along an axis."""

    axis: int
    start: int
    count: int

    def array(self, rank: int) -> Array:
        """Return the integers, on their axis."""
        shape = [1] * rank
        shape[self.axis] = self.count
        return np.arange(self.start, self.start + self.count, dtype=np.int64).reshape(shape)


Index: TypeAlias = "int | Span | Array"
Combine: TypeAlias = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class OutOfRange(Exception):
    """An index that leaves the tensor: which one, its value, the size there."""

    position: int
    value: int
    size: int


def read(tensor: Array, indices: Sequence[Index], rank: int, outside: Array | None) -> Array:
    """Return the elements at the indices; `outside` stands for elements beyond the tensor.

    Raises:
        OutOfRange: an index leaves the tensor, and there is no `outside`.
    """
    if outside is None:
        check(tensor.shape, indices)
    if _is_window(indices):
        return _read_window(tensor, indices, rank, outside)
    return _gather(tensor, [as_array(index, rank) for index in indices], outside)


def leaves(shape: Sequence[int], indices: Sequence[Index], rank: int) -> Array:
    """Return at which points an index leaves a tensor."""
    found: Array = np.zeros((), bool)
    for index, size in zip(indices, shape, strict=True):
        places = as_array(index, rank)
        found = found | (places < 0) | (places >= size)
    return found


def _is_window(indices: Sequence[Index]) -> bool:
    axes = [index.axis for index in indices if isinstance(index, Span)]
    return len(axes) == len(set(axes)) and not any(isinstance(index, np.ndarray) for index in indices)


def as_array(index: Index, rank: int) -> Array:
    """Return the places of an index as an array of `rank` axes, or a scalar array."""
    return index.array(rank) if isinstance(index, Span) else np.asarray(index, np.int64)


def _extremes(index: Index) -> tuple[int, int]:
    match index:
        case Span(_, start, count):
            return (start, start + count - 1) if count else (0, -1)
        case int():
            return index, index
        case _:
            return (int(index.min()), int(index.max())) if index.size else (0, -1)


def check(shape: Sequence[int], indices: Sequence[Index]) -> None:
    """Raise OutOfRange where an index leaves the shape."""
    if any(isinstance(index, np.ndarray) and not index.size for index in indices):
        return
    for position, (index, size) in enumerate(zip(indices, shape, strict=True)):
        low, high = _extremes(index)
        if low < 0 or high >= size:
            raise OutOfRange(position, low if low < 0 else high, size)


def _view(tensor: Array, indices: Sequence[Index], rank: int) -> Array:
    """Return the elements at integers and spans within the tensor, spans on their axes."""
    spans = [index for index in indices if isinstance(index, Span)]
    slices = (slice(i.start, i.start + i.count) if isinstance(i, Span) else i for i in indices)
    part = tensor[(*slices, ...)]
    order = sorted(range(len(spans)), key=lambda n: spans[n].axis)
    axes = {span.axis for span in spans}
    return part.transpose(order)[(*(slice(None) if axis in axes else None for axis in range(rank)), ...)]


def _read_window(tensor: Array, indices: Sequence[Index], rank: int, outside: Array | None) -> Array:
    inner = [_clip(index, size) for index, size in zip(indices, tensor.shape, strict=True)]
    if outside is None or inner == list(indices):
        return _view(tensor, indices, rank)
    shape = [1] * rank
    where = [slice(None)] * rank
    for index, part in zip(indices, inner, strict=True):
        if isinstance(index, Span) and isinstance(part, Span):
            shape[index.axis] = index.count
            where[index.axis] = slice(part.start - index.start, part.start - index.start + part.count)
    result = np.array(np.broadcast_to(outside, np.broadcast_shapes(tuple(shape), outside.shape)))
    if all(part is not None for part in inner):
        result[tuple(where)] = _view(tensor, [part for part in inner if part is not None], rank)
    return result


def _clip(index: Index, size: int) -> "int | Span | None":
    """Return the part of an index within 0 to size; None if nothing is."""
    if isinstance(index, Span):
        low, high = max(index.start, 0), min(index.start + index.count, size)
        return Span(index.axis, low, high - low) if low < high else None
    return index if isinstance(index, int) and 0 <= index < size else None


def _gather(tensor: Array, indices: Sequence[Array], outside: Array | None) -> Array:
    if outside is None:
        return np.asarray(tensor[tuple(indices)])
    inside = _inside(tensor.shape, indices)
    if not inside.any():
        return np.broadcast_to(outside, np.broadcast_shapes(inside.shape, outside.shape))
    clipped = tuple(np.clip(index, 0, size - 1) for index, size in zip(indices, tensor.shape, strict=True))
    return np.where(inside, tensor[clipped], outside)


def _inside(shape: Sequence[int], indices: Sequence[Array]) -> Array:
    parts = [(index >= 0) & (index < size) for index, size in zip(indices, shape, strict=True)]
    inside = parts[0]
    for part in parts[1:]:
        inside = inside & part
    return inside


def write(
    tensor: Array, indices: Sequence[Index], value: Array, rank: int, guard: Array | None, combine: Combine | None
) -> None:
    """Set the elements at the indices to the value, or combine them with it; `guard` leaves points out.

    Raises:
        OutOfRange: an index leaves the tensor at a point that takes part.
    """
    if guard is None and _is_window(indices):
        check(tensor.shape, indices)
        target = _view(tensor, indices, rank)
        target[...] = value if combine is None else combine(target, value)
        return
    _scatter(tensor, [as_array(index, rank) for index in indices], value, guard, combine)


def _scatter(
    tensor: Array, indices: Sequence[Array], value: Array, guard: Array | None, combine: Combine | None
) -> None:
    mask = np.asarray(True) if guard is None else guard
    shape = np.broadcast_shapes(value.shape, mask.shape, *(index.shape for index in indices))
    taking_part = np.broadcast_to(mask, shape)
    places = tuple(np.broadcast_to(index, shape)[taking_part] for index in indices)
    values = np.broadcast_to(value, shape)[taking_part]
    check(tensor.shape, places)
    tensor[places] = values if combine is None else combine(tensor[places], values)
