"""Kernels, which cannot refuse what data say, touch nothing outside of a tensor, and leave nothing unwritten."""

from pathlib import Path

import numpy as np
import pytest
from engines import ENGINES

import opwright as ow
from opwright.codegen.binding import bind, bound_arrays
from opwright.narrowing import variant_of

SPEC = """
from opwright.dialect.frontend import Spec, f32, i32, indices, operator, sum_


@operator("{name}")
def take(spec: Spec) -> None:
    V, M, H = spec.dims("V", "M", "H")
    x = spec.input("x", f32[M, H])
    table = spec.input("table", f32[V, H])
    factor = spec.input("factor", f32[V])
    place = spec.input("place", i32[M])
    row = spec.input("row", i32[M])
    m, h = indices(m=M, h=H)
    {equation}
"""

EQUATIONS = {
    "Rows": 'spec.output("y", f32[M, H])[m, h] = table[place[m], h] * 2.0',
    "Scalars": 'spec.output("y", f32[M, H])[m, h] = x[m, h] * factor[place[m]]',
    "Both": 'spec.output("y", f32[M, H])[m, h] = table[row[m], h] * factor[place[m]]',
    "Scattered": 'spec.output("y", f32[V, H]).scatter[place[m], h] = table[row[m], h] + x[m, h]',
    "Dots": 'spec.output("y", f32[V, 1]).scatter[place[m], 0] = sum_(h, table[row[m], h] * x[m, h])',
    "Element": 'spec.output("y", f32[M]).set((m,), factor[place[m]] * 2.0, unique=False)',
}

PLACES = np.array([0, 4, 1, 1 << 30, -1, 3, 1, -(1 << 31), 2], np.int32)
ROWS = np.array([0, 1, 2, 3, 3, 7, -1, 2, 1], np.int32)
GOOD = (PLACES >= 0) & (PLACES < 4)
BOTH = GOOD & (ROWS >= 0) & (ROWS < 4)


def arrays() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    sizes = {"x": (9, 5), "table": (4, 5), "factor": (4,)}
    return {n: random.standard_normal(s, np.float32) for n, s in sizes.items()} | {"place": PLACES, "row": ROWS}


def expected(name: str) -> np.ndarray:
    given = arrays()
    x, table, factor = given["x"], given["table"], given["factor"]
    place, row = np.where(GOOD, PLACES, 0), np.where(BOTH, ROWS, 0)
    match name:
        case "Rows":
            return np.where(GOOD[:, None], table[place] * 2, 0)
        case "Scalars":
            return np.where(GOOD[:, None], x * factor[place][:, None], 0)
        case "Both":
            return np.where(BOTH[:, None], table[row] * factor[place][:, None], 0)
        case "Element":
            return np.where(GOOD, factor[place] * 2, 0)
        case _:
            return _scattered(name, table, x)


def _scattered(name: str, table: np.ndarray, x: np.ndarray) -> np.ndarray:
    found = np.zeros((4, 5 if name == "Scattered" else 1), np.float32)
    for m in np.flatnonzero(BOTH):
        terms = table[ROWS[m]]
        found[PLACES[m]] = terms + x[m] if name == "Scattered" else (terms * x[m]).sum()
    return found


CASES = [(name, engine) for name in EQUATIONS for engine in ENGINES if name != "Element" or engine[1] == "cpu"]
"""Elements that lie apart are refused where operands are staged."""


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_nothing_is_read_or_written_outside(name: str, engine: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "take.py"
    path.write_text(SPEC.format(name=name, equation=EQUATIONS[name]))
    compiled = ow.compile(path, backend=engine[0], target=engine[1])
    op, given = compiled.operator.op, arrays()
    binding = bind(op, given)
    runner = compiled.runner(variant_of(op, binding))
    inputs, dims = runner.arguments(binding, bound_arrays(op, binding, given))
    found = [runner.executable.run(inputs, dims, cores)["y"] for cores in (1, 3)]
    np.testing.assert_allclose(found[0], expected(name), rtol=1e-6)
    assert found[0].tobytes() == found[1].tobytes()
