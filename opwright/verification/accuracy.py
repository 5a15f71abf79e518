"""How far outputs are from the reference in float64."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import ml_dtypes
import numpy as np

from ..codegen.dtypes import Array, dtype_name

GUARD = 1e-7
"""Added to the magnitude that errors are relative to."""

MEAN_LIMITS = MappingProxyType(
    {
        np.dtype(np.float16): 2.0**-10,
        np.dtype(ml_dtypes.bfloat16): 2.0**-7,
        np.dtype(np.float32): 2.0**-13,
    }
)
"""The mean relative error that an output of each dtype stays below; outputs of other dtypes are exact."""

WORST_FACTOR = 10
"""The largest relative error stays below this many times the limit of the mean."""


@dataclass(frozen=True)
class Accuracy:
    """The errors of one output: relative ones |a - b| / (|b| + 1e-7), and the place of the largest.

    `complaint` is empty where the output is as accurate as its dtype asks for.
    """

    mean: float
    worst: float
    complaint: str


def measure(name: str, output: Array, expected: Array) -> Accuracy:
    """Compare an output with the reference in float64 (or in integers).

    NaN stands for NaN only. Where the expected value overflows the output's dtype, the output is that infinity.
    """
    if output.shape != expected.shape:
        return Accuracy(np.inf, np.inf, f"{name} has shape {list(output.shape)}, expected {list(expected.shape)}")
    if output.dtype not in MEAN_LIMITS:
        return _exact(name, output, expected)
    errors = relative_errors(output, expected)
    if not errors.size:
        return Accuracy(0.0, 0.0, "")
    mean, worst = float(errors.mean()), float(errors.max())
    return Accuracy(mean, worst, _complaint(name, output, expected, errors))


def relative_errors(output: Array, expected: Array) -> Array:
    """Return the relative error of each element: 0 where both are the same NaN or infinity, infinite where only one is."""
    actual = output.astype(np.float64)
    with np.errstate(all="ignore"):
        rounded = expected.astype(output.dtype).astype(np.float64)
        errors = np.abs(actual - expected) / (np.abs(expected) + GUARD)
    regular = np.isfinite(actual) & np.isfinite(rounded)
    same = (actual == rounded) | (np.isnan(actual) & np.isnan(rounded))
    return np.where(regular, errors, np.where(same, 0.0, np.inf))


def _exact(name: str, output: Array, expected: Array) -> Accuracy:
    wrong = output != expected
    if not wrong.any():
        return Accuracy(0.0, 0.0, "")
    place = _place(wrong)
    return Accuracy(np.inf, np.inf, f"{_element(name, place)} is {output[place]}, expected {expected[place]}")


def _complaint(name: str, output: Array, expected: Array, errors: Array) -> str:
    limit = MEAN_LIMITS[output.dtype]
    worst_at = _place(errors)
    if errors[worst_at] >= WORST_FACTOR * limit:
        return (
            f"{_element(name, worst_at)} is {output[worst_at]:.9g}, expected {expected[worst_at]:.9g}: relative error "
            f"{errors[worst_at]:.3g}, the limit for {dtype_name(output.dtype)} is {WORST_FACTOR * limit:.3g}"
        )
    if errors.mean() >= limit:
        return f"{name} has the mean relative error {errors.mean():.3g}, the limit for {dtype_name(output.dtype)} is {limit:.3g}"
    return ""


def _place(values: Array) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(values)), values.shape))


def _element(name: str, place: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, place))}]" if place else name


def first_difference(outputs: Mapping[str, Array], others: Mapping[str, Array]) -> str:
    """Return where two sets of outputs differ in bits, or an empty text; any NaN equals any other NaN."""
    for name, output in outputs.items():
        other = others[name]
        if output.shape != other.shape or output.dtype != other.dtype:
            return f"{name} is {_kind(output)} and {_kind(other)}"
        if _bits(output).tobytes() == _bits(other).tobytes():
            continue
        wrong = (_bits(output) != _bits(other)) & ~(_is_nan(output) & _is_nan(other))
        if wrong.any():
            place = _place(wrong)
            return f"{_element(name, place)} is {output[place]!s} and {other[place]!s} ({int(wrong.sum())} elements differ)"
    return ""


def _bits(array: Array) -> Array:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _is_nan(array: Array) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    return np.asarray(array != array)


def _kind(array: Array) -> str:
    return f"{dtype_name(array.dtype)} {list(array.shape)}"
