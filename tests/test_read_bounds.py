"""No backend reads beyond a tensor: a call whose indices leave it is refused before a kernel runs."""

from pathlib import Path

import numpy as np
import pytest

import opwright as ow
from opwright.dialect.diagnostics import Diagnostic

SPEC = """
spec.operator @Look {{
  %N = spec.dim "N"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[M, H], f32>
  %n = spec.input "n" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {{
    %a = spec.read %x[{index}, %h] : f32
    %b = spec.read %n[%i, %h] : f32
    %c = arith.addf %a, %b : f32
    spec.write %c to 0[%i, %h]
  }}
  spec.output "y" %y : !spec.tensor<[N, H], f32>
}}
"""


def call(folder: Path, index: str, rows: int, read_rows: int, backend: str, target: str) -> np.ndarray:
    path = folder / "look.mlir"
    path.write_text(SPEC.format(index=index), encoding="utf-8")
    kernel = ow.compile(ow.load(str(path)), backend=backend, target=target)
    x = np.arange(read_rows * 4, dtype=np.float32).reshape(read_rows, 4)
    return kernel(x=x, n=np.zeros((rows, 4), np.float32))["y"]


@pytest.mark.parametrize(("backend", "target"), [("numpy", "cpu"), ("c", "cpu"), ("c", "ascend950")])
@pytest.mark.parametrize(
    ("index", "read_rows", "value", "last"),
    [("%i + 1", 3, 3, 2), ("%i - 1", 3, -1, 2), ("2 * %i", 4, 4, 3), ("%N - %i", 3, 3, 2)],
)
def test_a_read_outside_is_refused(
    tmp_path: Path, index: str, read_rows: int, value: int, last: int, backend: str, target: str
) -> None:
    with pytest.raises(Diagnostic) as refused:
        call(tmp_path, index, 3, read_rows, backend, target)
    assert refused.value.code == "OPW220"
    assert f"index 0 is {value}, outside 0 to {last} of its dim" in refused.value.message
    assert refused.value.location is not None


@pytest.mark.parametrize(
    ("index", "read_rows"), [("%i + 1", 4), ("%N - 1 - %i", 3), ("%i floordiv 2", 2), ("%i mod 2", 2)]
)
def test_a_read_inside_runs(tmp_path: Path, index: str, read_rows: int) -> None:
    assert call(tmp_path, index, 3, read_rows, "numpy", "cpu").shape == (3, 4)


def test_an_empty_nest_reads_nothing(tmp_path: Path) -> None:
    assert call(tmp_path, "%i + 1", 0, 0, "numpy", "cpu").shape == (0, 4)
