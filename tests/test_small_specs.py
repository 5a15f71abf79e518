"""Small operators that the compiler was not written for, each a spec alone, on every backend and target."""

from pathlib import Path

import pytest

from opwright.cli import main
from opwright.passes.chips import CHIPS

SPECS = Path(__file__).parent / "specs"
NAMES = ("scale_shift", "row_softmax", "segment_mean", "embedding", "cumulative_sum", "stencil", "root_mean_square")
EMULATED = {"f32": "ascend910b", "f16": "ascend910_93", "bf16": "ascend950"}
"""The target that emulates a dtype: each target has one, as each kernel must be compiled."""


def verify(name: str, *args: str) -> int:
    return main(["verify", str(SPECS / f"{name}.mlir"), "--seed", "1", *args])


@pytest.mark.parametrize("name", NAMES)
def test_numpy_and_c(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All dtypes, one case each."""
    status = verify(name, "--backend", "numpy", "c", "--cases", "3")
    rows = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert len(rows) == 2 * 3 * len(CHIPS)


@pytest.mark.parametrize(("number", "dtype"), list(enumerate(EMULATED)))
@pytest.mark.parametrize("name", NAMES)
def test_emulated(name: str, number: int, dtype: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = verify(name, "--backend", "ascendc", "--target", EMULATED[dtype], "--case", str(number))
    (row,) = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert row.split()[1:3] == [dtype, EMULATED[dtype]]


@pytest.mark.parametrize("name", ["pooling", "whole_windows"])
def test_sizes_that_may_come_out_below_0(name: str) -> None:
    """One is a maximum with 0, the other is drawn anew."""
    spec, targets = str(SPECS / f"{name}.py"), ("cpu", "ascend910b")
    assert main(["verify", spec, "--backend", "numpy", "c", "--target", *targets, "--cases", "8", "--seed", "1"]) == 0
