"""spec.search in the reference interpreter: many points at once, and one by one, against bisection."""

from bisect import bisect_right
from pathlib import Path

import numpy as np
import pytest

from opwright.codegen.reference import evaluate
from opwright.loading import load

SPEC = """
spec.operator @Segments {
  %N = spec.dim "N"
  %S = spec.dim "S"
  %ends = spec.input "ends" : !spec.tensor<[S], INT>
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f32]]
  %b, %s = spec.compute (%t: 0 to %N) -> (!spec.tensor<[N], i32>, !spec.tensor<[S], f32>) {
    %at = spec.search %ends for %t
    %two = spec.index [2 * %t - 3]
    %other = spec.search %ends for %two
    %sum = arith.addi %at, %other : index
    %place = arith.index_cast %sum : index to i32
    spec.write %place to 0[%t]
    %v = spec.read %x[%t] : f32
    spec.write add %v to 1[%at]
  }
  spec.output "b" %b : !spec.tensor<[N], i32>
  spec.output "s" %s : !spec.tensor<[S], f32>
}
"""


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(("rows", "segments"), [(30, 7), (1, 1), (0, 4), (0, 0), (40, 1)])
def test_search(rows: int, segments: int, dtype: type[np.integer], tmp_path: Path) -> None:
    path = tmp_path / "segments.mlir"
    path.write_text(SPEC.replace("INT", f"i{8 * np.dtype(dtype).itemsize}"))
    rng = np.random.default_rng(rows)
    ends = np.sort(rng.integers(0, rows + 1, segments)).astype(dtype)
    if segments:
        ends[-1] = rows
    x = rng.standard_normal(rows).astype(np.float32)
    found = [bisect_right(ends.tolist(), t) for t in range(rows)]
    sums = np.zeros(segments, np.float32)
    for t, segment in enumerate(found):
        sums[segment] = sums[segment] + x[t]
    outputs = evaluate(load(path).op, {"ends": ends, "x": x})
    expected = [segment + bisect_right(ends.tolist(), 2 * t - 3) for t, segment in enumerate(found)]
    np.testing.assert_array_equal(outputs["b"], np.array(expected, np.int32), strict=True)
    np.testing.assert_array_equal(outputs["s"], sums, strict=True)
