"""Of the points that name one place the last one owns it: the reference and all kernels agree."""

from pathlib import Path

import numpy as np
import pytest
from engines import WITH_REFERENCE

import opwright as ow

SPEC = """
from opwright.dialect.frontend import Spec, f32, i32, indices, operator, sum_


@operator("Dots")
def dots(spec: Spec) -> None:
    V, M, H = spec.dims("V", "M", "H")
    x = spec.input("x", f32[M, H])
    spec.input("sized", f32[V, 1])
    place = spec.input("place", i32[M])
    m, h = indices(m=M, h=H)
    spec.output("y", f32[V, 1]).scatter[place[m], 0] = sum_(h, x[m, h] * 2.0)
"""

PLACES = np.array([2, 0, 2, 3, 0, 2], np.int32)
LAST = {0: 4, 2: 5, 3: 3}


@pytest.mark.parametrize("lanes", [5, 40])
@pytest.mark.parametrize("engine", WITH_REFERENCE, ids="-".join)
def test_the_last_point_that_names_a_place_owns_it(engine: tuple[str, str], lanes: int, tmp_path: Path) -> None:
    """5 and 40 lanes: the reference adds lanes in a loop, and all at once."""
    path = tmp_path / "dots.py"
    path.write_text(SPEC)
    backend, target = engine
    x = np.random.default_rng(0).integers(-9, 10, (6, lanes)).astype(np.float32)
    run = ow.compile(str(path), backend=backend, target=target)
    y = run(x=x, sized=np.zeros((5, 1), np.float32), place=PLACES)["y"]
    expected = np.zeros((5, 1), np.float32)
    for place, point in LAST.items():
        expected[place] = x[point].sum() * 2
    np.testing.assert_array_equal(y, expected)
