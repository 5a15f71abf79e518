"""The random cases of verify: what a seed gives, and what they cover."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opwright.codegen.binding import bind
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.spec.ops import OperatorOp
from opwright.loading import load
from opwright.narrowing import narrow
from opwright.variants import Variant, all_variants
from opwright.verification.cases import FILLINGS, Case, draw_case, small_case
from opwright.verification.data import check_drawable, draw_arrays, spoil
from opwright.verification.guarded import guarded_tensors
from opwright.verification.sizes import Call, upper_limits

MASK = frozenset({"maskOptional"})


@pytest.fixture(scope="module")
def operator() -> OperatorOp:
    return load("MaskedCausalConv1dBackward").op


@pytest.fixture(scope="module")
def cases(operator: OperatorOp) -> list[Case]:
    return [draw_case(operator, 1, number) for number in range(200)]


def test_a_case_follows_from_seed_and_number(operator: OperatorOp, cases: list[Case]) -> None:
    assert draw_case(operator, 1, 17) == cases[17]
    assert draw_case(operator, 2, 17) != cases[17]
    first, again = (draw_arrays(operator, cases[17]) for _ in range(2))
    assert all(first[name].tobytes() == again[name].tobytes() for name in first)


def test_columns_and_masks_come_in_turn(cases: list[Case]) -> None:
    forms = Counter((case.column, case.filling) for case in cases)
    assert forms == {(column, filling): 20 for column in (0, 1) for filling in ("", *FILLINGS)}
    assert all((case.present == MASK) == (case.filling != "") for case in cases)


def test_sizes_cover_what_breaks_kernels(cases: list[Case]) -> None:
    sizes = {name: {case.dims[name] for case in cases} for name in ("S", "B", "H", "W")}
    assert sizes["W"] == {3}
    assert min(sizes["B"]) == 1
    assert max(sizes["B"]) == 32
    for name in ("S", "H"):
        assert sizes[name] > {1, 2, 3}
        assert max(sizes[name]) > 4096
        assert any(size % 64 == 0 for size in sizes[name])
        assert {1, 63} <= {size % 64 for size in sizes[name] if size > 64}
        assert len({size % 64 for size in sizes[name] if size > 64}) > 10


def test_upper_limits_come_from_the_constraints(operator: OperatorOp) -> None:
    assert upper_limits(operator, Call({}, MASK)) == {"B": 32, "H": 24576}


def test_fillings(operator: OperatorOp, cases: list[Case]) -> None:
    masks = {case.filling: draw_arrays(operator, case)["maskOptional"] for case in cases[40:] if case.filling}
    assert np.all(masks["all true"] == 1)
    assert np.all(masks["all false"] == 0)
    large = next(c for c in cases if c.filling == "random" and c.dims["S"] * c.dims["B"] > 200)
    mask = draw_arrays(operator, large)["maskOptional"]
    assert 0.3 < np.mean(mask == 0) < 0.7
    assert len(np.unique(mask)) > 50


def test_guarded_tensors_are_found_by_the_reference(operator: OperatorOp) -> None:
    assert guarded_tensors(operator, Variant(0, MASK)) == {"gradY"}
    assert guarded_tensors(operator, Variant(0, frozenset())) == frozenset()


def test_spoiled_places_are_those_under_a_false_mask(operator: OperatorOp, cases: list[Case]) -> None:
    case = next(c for c in cases if c.filling == FILLINGS[-1] and c.dims["S"] * c.dims["B"] > 200)
    plain = draw_arrays(operator, case)
    spoiled = spoil(operator, case, plain, frozenset({"gradY"}))
    off = np.broadcast_to((plain["maskOptional"] == 0).T[:, :, None], plain["gradY"].shape)
    odd = ~np.isfinite(spoiled["gradY"])
    assert not odd[~off].any()
    assert 0.4 < odd[off].mean() < 0.6
    assert np.isnan(spoiled["gradY"]).any()
    assert np.isinf(spoiled["gradY"]).any()
    assert spoiled["gradY"].dtype == plain["gradY"].dtype
    assert spoiled["x"] is plain["x"]


def test_indices_of_nothing_that_is_declared_are_refused(root: Path) -> None:
    operator = load(root / "lit" / "cli" / "refusals.mlir").op
    with pytest.raises(Diagnostic, match="no random cases for 'places', whose elements are indices"):
        check_drawable(operator)


def test_small_cases_bring_what_a_call_needs_beside_what_its_kernel_reads() -> None:
    """In padded mode the kernel reads no routing map, and a call with weights needs one all the same."""
    op = load("MoeTokenUnpermuteWithRoutingMapGrad").op
    for variant in all_variants(op):
        case = small_case(op, variant, 5)
        assert narrow(op, replace(variant, present=case.present)) == variant
        bind(op, draw_arrays(op, case), case.attrs)
