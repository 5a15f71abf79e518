"""How far outputs are from the reference in float64.

The error of an element is |a - b| / (|b| + 1e-7). An output passes where the mean of its errors is below the limit of
its dtype and each error below ten times that. Close to 0 no kernel can always do so: rounding to float16 alone, whose
smallest step is 6e-8, exceeds the limit below about 3e-6, and a sum in f32 whose terms cancel keeps their error. So an
element passes whatever its error if it has exactly the bits of the definition: computed in float64 and rounded once to
the output's dtype, or computed in f32 by the reference interpreter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

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
"""The mean error that an output of each dtype stays below; outputs of other dtypes are exact."""

MAX_FACTOR = 10
"""Each error stays below this many times the limit of the mean."""


@dataclass(frozen=True)
class Accuracy:
    """The errors of one output.

    Attributes:
        mean: over all elements.
        maximum: over the elements that pass or fail by their error.
        excepted: how many elements pass only because they are exactly the definition.
        complaint: empty where the output passes.
    """

    mean: float = 0.0
    maximum: float = 0.0
    excepted: int = 0
    complaint: str = ""


def measure(name: str, output: Array, expected: Array, in_f32: Array | None = None) -> Accuracy:
    """Compare an output with the reference in float64 (or in integers).

    NaN stands for NaN only. Where the expected value overflows the output's dtype, the output is that infinity.

    Args:
        name: what to call the output.
        output: the array to judge.
        expected: the reference in float64, not rounded.
        in_f32: the reference in f32, in the output's dtype; without it float64 alone makes exceptions.
    """
    if output.shape != expected.shape:
        text = f"{name} has shape {list(output.shape)}, expected {list(expected.shape)}"
        return Accuracy(np.inf, np.inf, complaint=text)
    if output.dtype not in MEAN_LIMITS:
        return _exact(name, output, expected)
    if not output.size:
        return Accuracy()
    with np.errstate(all="ignore"):
        rounded = expected.astype(output.dtype)
    errors = _errors(output, expected, rounded)
    same = output == rounded if in_f32 is None else (output == rounded) | (output == in_f32)
    excepted = (errors >= MAX_FACTOR * MEAN_LIMITS[output.dtype]) & same
    judged, mean = np.where(excepted, 0.0, errors), float(errors.mean())
    complaint = _complaint(name, output, expected, mean, judged)
    return Accuracy(mean, float(judged.max()), int(excepted.sum()), complaint)


def _errors(output: Array, expected: Array, rounded: Array) -> Array:
    """Return the error of each element: 0 for the same NaN or infinity, infinite where only one side is one."""
    with np.errstate(all="ignore"):
        actual, nearest = output.astype(np.float64), rounded.astype(np.float64)
        errors = np.abs(actual - expected) / (np.abs(expected) + GUARD)
    same = (actual == nearest) | (np.isnan(actual) & np.isnan(nearest))
    return np.where(np.isfinite(actual) & np.isfinite(nearest), errors, np.where(same, 0.0, np.inf))


def _exact(name: str, output: Array, expected: Array) -> Accuracy:
    wrong = output != expected
    if not wrong.any():
        return Accuracy()
    place = _place(wrong)
    text = f"{_element(name, place)} is {output[place]}, expected {expected[place]}"
    return Accuracy(np.inf, np.inf, complaint=text)


def _complaint(name: str, output: Array, expected: Array, mean: float, judged: Array) -> str:
    limit, dtype, worst = MEAN_LIMITS[output.dtype], dtype_name(output.dtype), _place(judged)
    if judged[worst] >= MAX_FACTOR * limit:
        return (
            f"{_element(name, worst)} is {float(output[worst]):.9g}, expected {expected[worst]:.9g}: "
            f"relative error {judged[worst]:.3g}, the limit for {dtype} is {MAX_FACTOR * limit:.3g}"
        )
    if mean >= limit:
        return f"{name} has the mean relative error {mean:.3g}, the limit for {dtype} is {limit:.3g}"
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
        if output.tobytes() == other.tobytes():
            continue
        wrong = (_bits(output) != _bits(other)) & ~(_is_nan(output) & _is_nan(other))
        if wrong.any():
            place = _place(wrong)
            return f"{_element(name, place)} is {output[place]!s} and {other[place]!s} ({wrong.sum()} elements differ)"
    return ""


def _bits(array: Array) -> Array:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _is_nan(array: Array) -> Array:
    return np.isnan(array) if array.dtype in MEAN_LIMITS else np.zeros(array.shape, np.bool_)


def _kind(array: Array) -> str:
    return f"{dtype_name(array.dtype)} {list(array.shape)}"
