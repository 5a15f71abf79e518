"""Small operators that the compiler was not written for, each a spec alone, on every backend and target."""

from pathlib import Path

import pytest

from opwright.cli import main
from opwright.passes.chips import CHIPS

SPECS = Path(__file__).parent / "specs"
NAMES = (
    "scale_shift.mlir",
    "row_softmax.mlir",
    "segment_mean.mlir",
    "embedding.mlir",
    "cumulative_sum.mlir",
    "stencil.mlir",
    "root_mean_square.mlir",
    "lane_choices.py",
    "lane_rounding.py",
)
EMULATED = {"f32": "ascend910b", "f16": "ascend910_93", "bf16": "ascend950"}
"""The target that emulates a dtype: each target has one, as each kernel must be compiled."""


def verify(name: str, *args: str) -> int:
    return main(["verify", str(SPECS / name), "--seed", "1", *args])


@pytest.mark.parametrize("name", NAMES)
def test_numpy_and_c(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All dtypes, one case each."""
    status = verify(name, "--backend", "numpy", "c", "--cases", "3")
    rows = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert len(rows) == 2 * 3 * len(CHIPS)


def emulations() -> list[object]:
    """Return each spec with each dtype by its number; short runs take one dtype of each spec."""
    every = [(place, name, number) for place, name in enumerate(NAMES) for number in range(len(EMULATED))]
    return [
        pytest.param(name, number, id=f"{name}-{number}", marks=[pytest.mark.long] if place % 3 != number else [])
        for place, name, number in every
    ]


@pytest.mark.parametrize(("name", "number"), emulations())
def test_emulated(name: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    dtype, target = list(EMULATED.items())[number]
    status = verify(name, "--backend", "ascendc", "--target", target, "--case", str(number))
    (row,) = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert row.split()[1:3] == [dtype, target]


@pytest.mark.parametrize("name", ["pooling.py", "whole_windows.py"])
def test_sizes_that_may_come_out_below_0(name: str) -> None:
    """One is a maximum with 0, the other is drawn anew."""
    assert verify(name, "--backend", "numpy", "c", "--target", "cpu", "ascend910b", "--cases", "8") == 0
