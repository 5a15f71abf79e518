"""Choices, rounding and conversions of lanes, on every backend and target."""

from pathlib import Path

import pytest

from opwright.cli import main
from opwright.passes.chips import CHIPS

SPECS = Path(__file__).parent / "specs"
NAMES = ("lane_choices", "lane_rounding")
EMULATED = {"f32": "ascend910b", "bf16": "ascend950"}


def verify(name: str, *args: str) -> int:
    return main(["verify", str(SPECS / f"{name}.py"), "--seed", "1", *args])


@pytest.mark.parametrize("name", NAMES)
def test_numpy_and_c(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All dtypes, one case each."""
    status = verify(name, "--backend", "numpy", "c", "--cases", "3")
    rows = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert len(rows) == 2 * 3 * len(CHIPS)


@pytest.mark.parametrize("dtype", EMULATED)
@pytest.mark.parametrize("name", NAMES)
def test_emulated(name: str, dtype: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = ("f32", "f16", "bf16").index(dtype)
    status = verify(name, "--backend", "ascendc", "--target", EMULATED[dtype], "--case", str(number))
    (row,) = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert row.split()[1:3] == [dtype, EMULATED[dtype]]
