"""A sum of nothing is 0 on every backend, whichever of its dims is empty."""

from pathlib import Path

import numpy as np
import pytest
from engines import WITH_REFERENCE

import opwright as ow

SPEC = """
from opwright.dialect.frontend import Spec, f32, indices, operator, sum_


@operator("Rows")
def rows(spec: Spec) -> None:
    M, D = spec.dims("M", "D")
    x = spec.input("x", f32[M, D])
    m, d = indices(m=M, d=D)
    spec.output("y", f32[M])[m] = sum_(d, x[m, d])


@operator("Middle")
def middle(spec: Spec) -> None:
    M, N, D = spec.dims("M", "N", "D")
    x = spec.input("x", f32[M, N, D])
    m, n, d = indices(m=M, n=N, d=D)
    spec.output("y", f32[N])[n] = sum_((m, d), x[m, n, d])
"""


@pytest.mark.parametrize(
    ("name", "shape", "kept"),
    [
        ("Rows", (5, 0), 5),
        ("Rows", (5, 3), 5),
        ("Middle", (2, 3, 0), 3),
        ("Middle", (0, 3, 4), 3),
        ("Middle", (2, 3, 4), 3),
    ],
)
@pytest.mark.parametrize("engine", WITH_REFERENCE, ids="-".join)
def test_a_sum_of_nothing_is_zero(
    engine: tuple[str, str], name: str, shape: tuple[int, ...], kept: int, tmp_path: Path
) -> None:
    path = tmp_path / "sums.py"
    path.write_text(SPEC)
    backend, target = engine
    y = ow.compile(f"{path}:{name}", backend=backend, target=target)(x=np.ones(shape, np.float32))["y"]
    np.testing.assert_array_equal(y, np.full(kept, np.prod(shape) // kept, np.float32))
