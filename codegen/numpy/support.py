"""Functions that emitted modules carry: the emitter copies the source of those that are used, without annotations.

An `Array` may also be a scalar, unless a docstring says otherwise. No function looks at anything but its arguments,
NumPy, the standard library's math and other functions of this file. The head of a function stands on one line.
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]
Binary: TypeAlias = Callable[[Array, Array], Array]
Place: TypeAlias = tuple[Any, ...]


def poisoned(shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Return an array that shows where it is used before it is defined: NaN, or bytes of 0x7f for integers."""
    array = np.empty(shape, dtype)
    array.fill(int.from_bytes(b"\x7f" * array.itemsize, "little") if array.dtype.kind in "iu" else np.nan)
    return array


def quotient(a: Array, b: Array) -> Array:
    """Return the integer a / b, rounded toward zero."""
    below = a // b
    return below + ((below < 0) & (below * b != a))


def ceil_quotient(a: Array, b: Array) -> Array:
    """Return the integer a / b, rounded up."""
    below = a // b
    return below + (below * b != a)


def remainder(a: Array, b: Array) -> Array:
    """Return what the integer a / b, rounded toward zero, leaves."""
    return a - b * quotient(a, b)


def signed(a: int) -> int:
    """Return the value of the 64 bits of an int that is not negative."""
    return (a ^ 1 << 63) - (1 << 63)


def maximum(a: Array, b: Array) -> Array:
    """Return the larger float: NaN wins, and 0 is larger than -0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b))[()]


def minimum(a: Array, b: Array) -> Array:
    """Return the smaller float: NaN wins, and -0 is smaller than 0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b))[()]


def maximum_number(a: Array, b: Array) -> Array:
    """Return the larger float: a number wins over NaN, and 0 is larger than -0."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, maximum(a, b)))[()]


def minimum_number(a: Array, b: Array) -> Array:
    """Return the smaller float: a number wins over NaN, and -0 is smaller than 0."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, minimum(a, b)))[()]


def round_half_away(a: Array) -> Array:
    """Return the nearest integer, a tie away from zero."""
    whole = np.floor(np.abs(a))
    return np.copysign(whole + (np.abs(a) - whole >= 0.5).astype(whole.dtype), a)


def in_double(function: Callable[..., Array], *values: Array) -> Array:
    """Return function(values), computed in float64 and rounded once."""
    return function(*(value.astype(np.float64) for value in values)).astype(values[0].dtype)


def rsqrt(a: Array) -> Array:
    """Return the reciprocal square root."""
    return 1 / np.sqrt(a)


def erf(a: Array) -> Array:
    """Return the error function of float64 numbers."""
    return np.array([math.erf(value) for value in np.ravel(a)]).reshape(np.shape(a))[()]


def multiply_add(a: Array, b: Array, c: Array) -> Array:
    """Return a * b + c of float32 or narrower numbers, rounded once: the sum is rounded to odd before the type of a."""
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    even = np.asarray(total).view(np.int64) & 1 == 0
    exact = np.where((error != 0) & even, np.nextafter(total, np.where(error > 0, np.inf, -np.inf)), total)
    return exact.astype(a.dtype)[()]


def leading_zeros(a: Array) -> Array:
    """Return how many bits above the highest set one are 0, for unsigned integers."""
    bits = 8 * a.itemsize
    for shift in (1, 2, 4, 8, 16, 32)[: bits.bit_length() - 1]:
        a = a | (a >> shift)
    return bits - np.bitwise_count(a)


def trailing_zeros(a: Array) -> Array:
    """Return how many bits below the lowest set one are 0, for unsigned integers."""
    return np.bitwise_count(~a & (a - 1))


def add_in_order(start: Array, values: Array) -> Array:
    """Return start + values[0] + values[1] + ..., each sum rounded to the type of the values."""
    terms = np.concatenate((np.array([start], values.dtype), values))
    return np.add.accumulate(terms, dtype=values.dtype)[-1]


def reduce_pairs(function: Binary, start: Array, values: Array) -> Array:
    """Return function(start, values[0], values[1], ...) for an associative, commutative function of two arrays."""
    values = np.concatenate((np.array([start], values.dtype), values))
    while len(values) > 1:
        half = len(values) // 2
        values = np.concatenate((function(values[:half], values[half : 2 * half]), values[2 * half :]))
    return values[0]


def fold(reduce: Binary, target: Array, values: Array, start: int = 0) -> None:
    """Combine values[..., n] into target[..., (start + n) % lanes], n ascending, for the lanes of the last dim.

    `reduce` combines an array with the items of another one, in order.
    """
    lanes, width = target.shape[-1], values.shape[-1]
    values = np.broadcast_to(values, (*target.shape[:-1], width))
    first = start % lanes
    head = min(-first % lanes, width)
    blocks = (width - head) // lanes
    tail = head + blocks * lanes
    middle = values[..., head:tail].reshape(*values.shape[:-1], blocks, lanes)
    for place, part in (
        (slice(first, first + head), values[None, ..., :head]),
        (slice(None), np.moveaxis(middle, -2, 0)),
        (slice(width - tail), values[None, ..., tail:]),
    ):
        if part.size:
            target[..., place] = reduce(target[..., place], part)


def tree(function: Binary, values: Array) -> Array:
    """Combine the elements of the last dim, a power of two of them: neighbours, then neighbouring results."""
    while values.shape[-1] > 1:
        values = function(values[..., ::2], values[..., 1::2])
    return values[..., 0]


def padded(source: Array, place: Place, outside: Array) -> Array:
    """Return a copy of source[place] for integers and one rising slice, `outside` where an index is out of range."""
    axis = next(n for n, index in enumerate(place) if isinstance(index, slice))
    start, stop, step = place[axis].start or 0, place[axis].stop, place[axis].step or 1
    result = np.full(-((start - stop) // step), outside, source.dtype)
    first = max(0, -(start // step))
    last = min(len(result), -((start - source.shape[axis]) // step))
    if first < last and all(n == axis or 0 <= index < source.shape[n] for n, index in enumerate(place)):
        inside = slice(start + first * step, start + last * step, step)
        result[first:last] = source[(*place[:axis], inside, *place[axis + 1 :])]
    return result


def gathered(source: Array, place: Place, outside: Array) -> Array:
    """Return source[place] for integers and arrays of integers, `outside` where an index is out of range."""
    *lanes, outside = np.broadcast_arrays(*place, outside)
    inside = np.full(outside.shape, True)
    for index, size in zip(lanes, source.shape, strict=True):
        inside &= (index >= 0) & (index < size)
    result = np.array(outside, source.dtype)
    result[inside] = source[tuple(index[inside] for index in lanes)]
    return result


def scatter(target: Array, place: Place, values: Array, guard: Array) -> None:
    """Set target[place] lane by lane where the guard holds; a later lane wins."""
    *index, values, guard = np.broadcast_arrays(*place, values, guard)
    target[tuple(lane[guard] for lane in index)] = values[guard]


def scatter_add(target: Array, place: Place, values: Array, guard: Array | bool = True) -> None:
    """Add to target[place] lane by lane where the guard holds, in order."""
    *index, values, guard = np.broadcast_arrays(*place, values, guard)
    np.add.at(target, tuple(lane[guard] for lane in index), values[guard])


def scatter_with(function: Binary, target: Array, place: Place, values: Array, guard: Array | bool = True) -> None:
    """Set target[place] to function(target[place], value) lane by lane where the guard holds, in order."""
    *index, values, guard = np.broadcast_arrays(*place, values, guard)
    for *cell, value in zip(*(lane[guard] for lane in index), values[guard], strict=True):
        target[tuple(cell)] = function(target[tuple(cell)], value)


def strided(array: Array, start: int, rows: int, step: int, lanes: int) -> Array:
    """Return a view of a contiguous array, in its flat order: row r is `lanes` elements from `start + r * step` on."""
    flat = array.reshape(-1)
    last = start + max(rows - 1, 0) * step + lanes
    if rows and lanes and not 0 <= start <= last <= flat.size:
        raise IndexError(f"elements {start} to {last} of an array of {flat.size}")
    steps = (step * flat.itemsize, flat.itemsize)
    return np.lib.stride_tricks.as_strided(flat[min(start, flat.size) :], (rows, lanes), steps)


def spread(target: Array, start: int, across: int, down: int, block: int, values: Array) -> None:
    """Fill block `across * n + down * r`, counted in blocks from the element `start` on, with values[r, n]."""
    rows, lanes = len(values), int(values.shape[1])
    places = start + block * np.add.outer(down * np.arange(rows), across * np.arange(lanes))
    target.reshape(-1)[places[..., None] + np.arange(block)] = values[..., None]


def bits_of(values: Array) -> Array:
    """Return for each element of the last dim a bit, set if it is not 0, the first in the lowest bit of a byte."""
    return np.packbits(values != 0, axis=-1, bitorder="little").view(np.int8)


def compress(target: Array, values: Array, bits: Array) -> None:
    """Put the elements of the last dim whose bit is set side by side at the start of the target."""
    width = target.shape[-1]
    values = np.broadcast_to(values, target.shape)
    chosen = np.unpackbits(bits.view(np.uint8), axis=-1, count=width, bitorder="little").astype(bool)
    for row in np.ndindex(target.shape[:-1]):
        found = values[row][chosen[row]]
        target[row][: len(found)] = found


def list_places(target: Array, mask: Array) -> None:
    """Set the last dim of the target to the places along the last dim of the mask that are not 0, then -1."""
    found = mask != 0
    number = np.cumsum(found, axis=-1) - 1
    *rows, place = np.nonzero(found & (number < target.shape[-1]))
    target[...] = -1
    target[(*rows, number[(*rows, place)])] = place
