"""A quotient of integers never traps: by 0 it is 0, and the least number over -1 wraps, on every backend."""

from pathlib import Path

import numpy as np
import pytest

import opwright as ow

SPEC = """
spec.operator @IntegerDivision {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %d = spec.input "d" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    %b = spec.read %d[%i] : i32
    %q = arith.floordivsi %a, %b : i32
    spec.write %q to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}
"""


@pytest.mark.parametrize("backend", ["reference", "numpy", "c"])
def test_quotients(tmp_path: Path, backend: str) -> None:
    path = tmp_path / "quotient.mlir"
    path.write_text(SPEC, encoding="utf-8")
    quotient = ow.compile(ow.load(str(path)), backend=backend, target="cpu")
    least = -(2**31)
    x = np.array([7, -7, least, 9, -9, least, 0], np.int32)
    d = np.array([0, 2, -1, -2, -3, 1, 0], np.int32)
    with np.errstate(all="ignore"):
        y = quotient(x=x, d=d)["y"]
    np.testing.assert_array_equal(y, np.array([0, -4, least, -5, 3, least, 0], np.int32))
