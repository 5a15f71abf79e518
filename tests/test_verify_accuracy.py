"""The rule by which verify judges outputs."""

import ml_dtypes
import numpy as np
import pytest

from opwright.verification.accuracy import MEAN_LIMITS, first_difference, measure

HALF = np.dtype(np.float16)
BF16 = np.dtype(ml_dtypes.bfloat16)


def test_limits() -> None:
    assert {str(dtype): limit for dtype, limit in MEAN_LIMITS.items()} == {
        "float16": 2**-10,
        "bfloat16": 2**-7,
        "float32": 2**-13,
    }


@pytest.mark.parametrize("dtype", MEAN_LIMITS)
def test_rounded_reference_passes(dtype: "np.dtype[np.generic]") -> None:
    expected = np.random.default_rng(1).standard_normal(10000)
    found = measure("y", expected.astype(dtype), expected)
    assert found.complaint == ""
    assert 0 < found.mean < MEAN_LIMITS[dtype] / 2
    assert found.mean < found.maximum < 10 * MEAN_LIMITS[dtype]


@pytest.mark.parametrize("dtype", MEAN_LIMITS)
def test_one_element_beyond_ten_times_the_limit_fails(dtype: "np.dtype[np.generic]") -> None:
    expected = np.full((2, 500), 1.0)
    output = expected.astype(dtype)
    output[1, 7] = 1 + 12 * MEAN_LIMITS[dtype]
    assert measure("y", output, expected).complaint.startswith("y[1, 7] is 1.")
    output[1, 7] = 1 + 9 * MEAN_LIMITS[dtype]
    assert measure("y", output, expected).complaint == ""


def test_mean_beyond_the_limit_fails() -> None:
    expected = np.full(100, 1.0)
    assert measure("y", (expected * (1 + 2**-9)).astype(HALF), expected).complaint == (
        "y has the mean relative error 0.00195, the limit for f16 is 0.000977"
    )


def test_only_exact_rounding_excuses_errors_near_zero() -> None:
    """The step of float16 near 0 is 2**-24: half of it is 10 % of 3e-7."""
    expected = np.concatenate([[2**-24 * 5.4], np.ones(999)])
    exact = expected.astype(HALF)
    found = measure("y", exact, expected)
    assert (found.complaint, found.excepted) == ("", 1)
    assert found.maximum == 0
    off_by_one = exact.copy()
    off_by_one[0] = 2**-24 * 6
    assert measure("y", off_by_one, expected).complaint.startswith("y[0] is 3.57627869e-07, expected 3.21865082e-07")


def test_definition_in_f32_excuses_cancellation() -> None:
    """1 + (-1 - 2**-30) is 0 in f32: with a product or a sum rounded before, no order of f32 operations gives more."""
    expected = np.array([-(2.0**-30) * 3, 1.0] * 500)
    in_f32 = np.array([0.0, 1.0] * 500, np.float32)
    output = in_f32.copy()
    assert measure("y", output, expected).complaint.startswith("y[0] is 0, expected -2.79")
    assert measure("y", output, expected, in_f32).complaint.startswith("y has the mean relative error")
    few = np.concatenate([expected[:1], np.ones(9999)])
    all_in_f32 = np.concatenate([in_f32[:1], np.ones(9999, np.float32)])
    found = measure("y", all_in_f32.copy(), few, all_in_f32)
    assert (found.complaint, found.excepted, found.maximum) == ("", 1, 0)
    other = all_in_f32.copy()
    other[0] = 1e-8
    assert measure("y", other, few, all_in_f32).complaint.startswith("y[0] is 9.99999994e-09, expected -2.79")


def test_not_finite_values_stand_for_themselves_only() -> None:
    expected = np.array([np.nan, np.inf, -np.inf, 1e6, 1.0])
    with np.errstate(over="ignore"):
        rounded = expected.astype(HALF)
    assert measure("y", rounded, expected).complaint == ""
    for place, wrong in ((0, 1.0), (1, -np.inf), (2, np.nan), (3, 65504.0), (4, np.nan)):
        output = rounded.copy()
        output[place] = wrong
        assert measure("y", output, expected).complaint.startswith(f"y[{place}] is ")


def test_integers_are_exact() -> None:
    expected = np.arange(6).reshape(2, 3)
    assert measure("n", expected.astype(np.int32), expected).complaint == ""
    assert measure("n", expected.astype(np.int32) + 1, expected).complaint == "n[0, 0] is 1, expected 0"


def test_shapes_differ() -> None:
    assert measure("y", np.zeros(3, HALF), np.zeros(4)).complaint == "y has shape [3], expected [4]"


def test_empty_and_scalar_outputs() -> None:
    assert measure("y", np.zeros((0, 3), HALF), np.zeros((0, 3))).complaint == ""
    assert measure("y", np.array(2, HALF), np.array(3.0)).complaint.startswith("y is 2, expected 3")


def test_first_difference_in_bits() -> None:
    a = np.array([0.0, np.nan, 1.0], BF16)
    b = np.array([0.0, -np.nan, 1.0], BF16)
    assert first_difference({"y": a}, {"y": b}) == ""
    assert first_difference({"y": a}, {"y": a.copy()}) == ""
    b[0] = -0.0
    assert first_difference({"y": a}, {"y": b}) == "y[0] is 0 and -0 (1 elements differ)"
    assert first_difference({"y": a}, {"y": a.astype(HALF)}) == "y is bf16 [3] and f16 [3]"
    assert first_difference({"y": a[:2]}, {"y": a}) == "y is bf16 [2] and bf16 [3]"
    assert first_difference({"n": np.array([1, 2])}, {"n": np.array([1, 3])}) == "n[1] is 2 and 3 (1 elements differ)"
