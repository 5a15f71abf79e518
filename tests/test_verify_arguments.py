"""Lists, index tensors, booleans a row, and attributes of random cases: what they hold, and what they cover."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opwright.codegen.binding import bind, bound_arrays
from opwright.codegen.reference import check_data
from opwright.dialect.spec.ops import OperatorOp
from opwright.loading import load
from opwright.variants import Variant, all_variants
from opwright.verification.booleans import draw_booleans
from opwright.verification.cases import Case, draw_case, small_case
from opwright.verification.data import draw_arrays
from opwright.verification.lists import draw_list, input_lists
from opwright.verification.sizes import ROWS

WINDOWS = "actSeqLenOptionalOptional"


@pytest.fixture(scope="module")
def windows() -> OperatorOp:
    return load("NsaCompressGrad").op


@pytest.fixture(scope="module")
def scatter(root: Path) -> OperatorOp:
    return load(root / "tests" / "specs" / "expert_scatter.py").op


@pytest.fixture(scope="module")
def window_cases(windows: OperatorOp) -> list[Case]:
    return [draw_case(windows, 1, number) for number in range(150)]


@pytest.fixture(scope="module")
def scatter_cases(scatter: OperatorOp) -> list[Case]:
    return [draw_case(scatter, 1, number) for number in range(400)]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), number=st.integers(0, 1000))
def test_drawn_arguments_hold_what_the_spec_says(
    windows: OperatorOp, scatter: OperatorOp, seed: int, number: int
) -> None:
    for operator in (windows, scatter):
        case = draw_case(operator, seed, number)
        arrays = draw_arrays(operator, case)
        binding = bind(operator, arrays, case.attrs)
        assert (binding.dims, binding.column, binding.attrs) == (case.dims, case.column, case.attrs)
        check_data(operator, binding, bound_arrays(operator, binding, arrays))


def test_lists_cover_what_breaks_kernels(window_cases: list[Case]) -> None:
    lists = [(case, np.array(case.lists[WINDOWS])) for case in window_cases if case.lists.get(WINDOWS)]
    segments = [(case, np.diff(act, prepend=0)) for case, act in lists]
    assert sum(WINDOWS not in case.lists for case in window_cases) > 10
    assert sum(case.lists.get(WINDOWS) == () for case in window_cases) > 5
    assert sum((parts == 0).sum() > 3 for _, parts in segments) > 30, "many empty segments"
    roomy = [parts for case, parts in segments if case.dims["T"] > 8 * parts.size > 16]
    assert sum((parts == 0).sum() > 1 for parts in roomy) > len(roomy) / 4, "also where each could have rows"
    assert sum(((parts > 0) & (parts < case.dims["K"])).any() for case, parts in segments) > 30, "short segments"
    assert 10 < sum(act[0] == 0 for _, act in lists) < len(lists) - 10, "a leading 0 or none"
    assert sum(act[-1] < case.dims["T"] for case, act in lists) > 20, "rows behind the last segment"
    assert sum((parts >= case.dims["K"]).sum() > 1 for case, parts in segments) > 20, "several segments with windows"


def test_dims_that_follow_from_lists(window_cases: list[Case]) -> None:
    counts = [case.dims["C"] for case in window_cases]
    assert 3 < sum(count == 0 for count in counts) < 60
    assert max(counts) > 100
    assert sum(case.dims["T"] < case.dims["K"] for case in window_cases) > 3
    assert max(case.dims["T"] for case in window_cases) <= ROWS


def test_attributes_of_windows(window_cases: list[Case]) -> None:
    sizes = [(case.dims["K"], case.attrs["compressStride"]) for case in window_cases]
    steps = Counter((size > step) - (size < step) for size, step in sizes if isinstance(step, int))
    assert min(steps[0], steps[1], steps[-1]) > 5, "windows that overlap, that meet, and with gaps"
    assert all(
        case.attrs["layoutOptionalOptional"] == "TND" and case.attrs["actSeqLenType"] == 0 for case in window_cases
    )
    assert {case.dims["K"] % 16 for case in window_cases} > {0, 1, 2, 3}


def test_places(scatter: OperatorOp, scatter_cases: list[Case]) -> None:
    slots = [(case.dims["M"], draw_arrays(scatter, case)["slot"]) for case in scatter_cases[:60]]
    for count, slot in slots:
        used = slot[slot >= 0]
        assert slot.shape == (count,)
        assert len(set(used.tolist())) == used.size
        assert used.max(initial=0) < count
    assert sum((slot < 0).any() for _, slot in slots) > 15
    assert sum((slot >= 0).all() for _, slot in slots) > 15
    assert any((np.diff(slot) < 0).any() for _, slot in slots)


def test_sizes_that_are_divided(scatter_cases: list[Case]) -> None:
    times = [(case.dims["K"], case.dims["M"] % case.dims["T"]) for case in scatter_cases]
    assert {count for count, _ in times} >= set(range(1, 17))
    assert 20 < sum(rest != 0 for _, rest in times) < 200


def test_rows_with_fewer_exactly_and_more_true_elements(scatter: OperatorOp, scatter_cases: list[Case]) -> None:
    seen: Counter[int] = Counter()
    for case in scatter_cases:
        if case.filling == "random" and "routing" in case.present and case.dims["K"] < case.dims["E"]:
            routing = draw_arrays(scatter, case)["routing"] != 0
            seen.update(np.sign(routing.sum(axis=1) - case.dims["K"]).tolist())
    assert min(seen[-1], seen[0], seen[1]) > 30


def test_booleans_leave_columns_empty() -> None:
    drawn = [draw_booleans(np.random.default_rng(seed), (40, 12), "random", (3,)) != 0 for seed in range(60)]
    assert sum(not array.any(axis=0).all() and array.any() for array in drawn) > 5
    assert 0.3 < np.mean([array.mean() for array in drawn]) < 0.6


def test_boolean_attributes_go_both_ways(scatter_cases: list[Case]) -> None:
    padded = Counter((case.attrs["padded"], case.present) for case in scatter_cases)
    assert len(padded) == 16


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 40), limit=st.integers(0, 300))
def test_lists_stay_within_their_limit(windows: OperatorOp, seed: int, length: int, limit: int) -> None:
    act = draw_list(input_lists(windows)[0], length, [limit], np.random.default_rng(seed))
    assert act.shape == (length,)
    assert act.dtype == np.int64
    assert act.min(initial=0) >= 0
    assert act.max(initial=0) <= max(limit, 40)


@pytest.mark.parametrize("size", [1, 5, 33])
def test_small_cases_hold_what_the_spec_says(windows: OperatorOp, scatter: OperatorOp, size: int) -> None:
    for operator in (windows, scatter):
        for variant in all_variants(operator):
            case = small_case(operator, variant, size)
            arrays = draw_arrays(operator, case)
            binding = bind(operator, arrays, case.attrs)
            check_data(operator, binding, bound_arrays(operator, binding, arrays))
            assert max(case.dims.values()) <= 16 * size


def test_small_cases_follow_from_the_variant(windows: OperatorOp) -> None:
    assert small_case(windows, Variant(0, frozenset()), 9) == small_case(windows, Variant(0, frozenset()), 9)
