"""The example kernel through lower-to-loops and C, against a direct NumPy computation."""

import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.c.emitter import emit_c
from opwright.codegen.c.executable import CExecutable, compile_module
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.lower_to_loops import LowerToLoopsPass

Array = NDArray[Any]
BF16 = np.dtype(ml_dtypes.bfloat16)
CHUNK = 64


@pytest.fixture(scope="module")
def module(root: Path) -> ModuleOp:
    path = root / "tests" / "data" / "blur.mlir"
    module = parse_module(new_context(), path.read_text(), path.name)
    LowerToLoopsPass().apply(new_context(), module)
    module.verify()
    return module


@pytest.fixture(scope="module")
def executable(module: ModuleOp) -> CExecutable:
    return compile_module(module)


def blur(x: Array, w: Array, keep: Array) -> dict[str, Array]:
    rows, width = x.shape
    g = np.where(keep[:, None] != 0, x.astype(np.float32), np.float32(0))
    g = np.concatenate([g, np.zeros((1, width), np.float32)])
    products = g[:rows] * w.astype(np.float32)
    total = np.zeros(width, np.float32)
    for start in range(0, rows, CHUNK):
        chunk = np.zeros(width, np.float32)
        for row in products[start : start + CHUNK]:
            chunk = chunk + row
        total = total + chunk
    return {"y": (products + g[1:]).astype(BF16), "s": total.astype(BF16)}


def bits_of(array: Array) -> Array:
    """The bits, all NaN alike."""
    return np.where(np.isnan(array.astype(np.float32)), np.uint16(0x7FC0), array.view(np.uint16))


@pytest.mark.parametrize("cores", [1, 2, 5, 40])
@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (64, 256), (65, 257), (130, 600), (200, 31)])
def test_same_bits_as_numpy(executable: CExecutable, shape: tuple[int, int], cores: int) -> None:
    rng = np.random.default_rng(sum(shape))
    x = (rng.standard_normal(shape) * 10.0 ** rng.integers(-38, 38, shape)).astype(np.float32)
    x[rng.random(shape) < 0.02] = np.inf
    x[rng.random(shape) < 0.02] = np.nan
    keep = rng.integers(0, 3, shape[0]).astype(np.int8)
    inputs = {"x": x.astype(BF16), "w": rng.standard_normal(shape[1]).astype(BF16), "keep": keep}
    outputs = executable.run(inputs, {"N": shape[0], "H": shape[1]}, cores)
    with np.errstate(all="ignore"):
        expected = blur(inputs["x"], inputs["w"], keep)
    for name, value in expected.items():
        np.testing.assert_array_equal(bits_of(outputs[name]), bits_of(value), name)


def test_tiling_function(executable: CExecutable) -> None:
    assert executable.tiling({"N": 130, "H": 600}, 4) == [256, 64, 3, 8]


def test_null_workspace_is_reserved(executable: CExecutable) -> None:
    dims = {"N": 70, "H": 40}
    rng = np.random.default_rng(0)
    inputs = {
        "x": rng.standard_normal((70, 40)).astype(BF16),
        "w": rng.standard_normal(40).astype(BF16),
        "keep": np.ones(70, np.int8),
    }
    arrays = executable.interface.bind(inputs, dims, executable.tiling(dims, 2))
    executable.call([*arrays[:-1], None], [70, 40], 2)
    expected = executable.run(inputs, dims, 2)
    for name, value in executable.interface.outputs(arrays).items():
        np.testing.assert_array_equal(value.view(np.uint16), expected[name].view(np.uint16))


def test_wrong_input_is_refused(executable: CExecutable) -> None:
    inputs = {"x": np.zeros((2, 3), np.float32), "w": np.zeros(3, BF16), "keep": np.zeros(2, np.int8)}
    with pytest.raises(Diagnostic, match="input 'x' is f32, it must be bf16"):
        executable.run(inputs, {"N": 2, "H": 3}, 1)


def test_emission_is_deterministic_and_fast(module: ModuleOp) -> None:
    texts: set[str] = set()
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        texts.add(emit_c(module))
        best = min(best, time.process_time() - start)
    assert len(texts) == 1
    assert best < 0.05
