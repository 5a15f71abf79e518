"""Each row instruction through lower-to-loops and C, against the NumPy backend on the IR before and after the pass."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.c.executable import compile_module as compile_c
from opwright.codegen.numpy.compile import compile_module as compile_numpy
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.lower_to_loops import LowerToLoopsPass

Array = NDArray[Any]

DTYPES = {
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
    "i8": np.dtype(np.int8),
}
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.5, 1e-40, -3e38)

UNARY = ["exp", "log", "sqrt", "rsqrt", "abs", "neg", "relu", "recip", "copy"]
BINARY = ["add", "sub", "mul", "div", "max", "min"]
INSTRUCTIONS = [
    *((f'unary "{kind}" %a[%c0] to %r[%c0]', "(A) -> R", "f32", "f32") for kind in UNARY),
    *((f'unary "{kind}" %a[%c0] to %r[%c0]', "(A) -> R", "i32", "i32") for kind in ("abs", "neg", "relu", "copy")),
    *((f'binary "{kind}" %a[%c0], %b[%c0] to %r[%c0]', "(A, A) -> R", "f32", "f32") for kind in BINARY),
    *((f'binary "{kind}" %a[%c1], %b[%c0] step 0 to %r[%c0]', "(A, A) -> R", "bf16", "bf16") for kind in BINARY),
    *((f'binary "{kind}" %a[%c1], %b[%c0] to %r[%c0]', "(A, A) -> R", "i32", "i32") for kind in ("add", "mul", "max")),
    *(
        (f'scalar "{kind}" %a[%c0] (%s) to %r[%c0]', "(A, f32) -> R", "f32", "f32")
        for kind in ("add", "mul", "max", "min")
    ),
    *((f'accumulate "{kind}" %a[%c0] to %r[%c1]', "(A) -> R", "f32", "f32") for kind in ("add", "max", "min")),
    *(("cast %a[%c0] to %r[%c0]", "(A) -> R", "f32", to) for to in ("f16", "bf16")),
    *(("cast %a[%c0] to %r[%c0]", "(A) -> R", of, "f32") for of in ("f16", "bf16", "i8", "i32")),
    ("cast %a[%c0] to %r[%c0]", "(A) -> R", "i8", "f16"),
    ("cast %a[%c0] to %r[%c0]", "(A) -> R", "i8", "i32"),
    ("fill (%s) to %r[%c1]", "(f32) -> R", "f32", "f32"),
]


def module(instruction: str, types: str, source: str, target: str) -> ModuleOp:
    a, r = (f'memref<?x?x{t}, "ub">' for t in (source, target))
    signature = types.replace("A", a).replace("R", r)
    rows = "%c2" if "accumulate" not in instruction else "%c3"
    result = "3"
    text = f"""
        func.func @k_tiling(%N: index {{tile.name = "N"}}, %cores: index {{tile.name = "cores"}})
            attributes {{tile.tiling}} {{
          func.return
        }}
        func.func @k(
            %x: memref<3x?x{source}> {{tile.name = "x", tile.role = "input", tile.dims = [3, "N"]}},
            %z: memref<3x?x{source}> {{tile.name = "z", tile.role = "input", tile.dims = [3, "N"]}},
            %w: memref<3x?x{target}> {{tile.name = "w", tile.role = "input", tile.dims = [3, "N"]}},
            %y: memref<3x?x{target}> {{tile.name = "y", tile.role = "output", tile.dims = [3, "N"]}},
            %N: index {{tile.name = "N", tile.role = "dim"}},
            %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %s = arith.constant -1.5 : f32
          tile.cores "k" %cores (%core) {{
            %a = tile.alloc "a" in [3, 64] : {a}
            %b = tile.alloc "b" in [3, 64] : {a}
            %r = tile.alloc "r" out [{result}, 64] : {r}
            tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c3 width %N : memref<3x?x{source}>, {a}
            tile.load_rows %z[%c0, %c0] along 0 to %b[%c0] rows %c3 width %N : memref<3x?x{source}>, {a}
            tile.load_rows %w[%c0, %c0] along 0 to %r[%c0] rows %c3 width %N : memref<3x?x{target}>, {r}
            tile.{instruction} rows {rows} width %N : {signature}
            tile.store_rows %r[%c0] to %y[%c0, %c0] along 0 rows %c3 width %N : {r}, memref<3x?x{target}>
          }}
          func.return
        }}"""
    return parse_module(new_context(), text, "rows.mlir")


def values(rng: np.random.Generator, name: str, width: int) -> Array:
    dtype = DTYPES[name]
    if dtype.kind == "i":
        return rng.integers(-100, 100, (3, width)).astype(dtype)
    array = rng.standard_normal((3, width)) * 10.0 ** rng.integers(-3, 3, (3, width))
    array[rng.random((3, width)) < 0.3] = rng.choice(SPECIAL)
    array[0, : len(SPECIAL)] = SPECIAL
    array[1, : len(SPECIAL)] = SPECIAL[::-1]
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def assert_same(actual: Array, expected: Array) -> None:
    if expected.dtype.kind == "i":
        np.testing.assert_array_equal(actual, expected)
        return
    nan = np.isnan(expected.astype(np.float64))
    unsigned = np.dtype(f"u{expected.itemsize}")
    np.testing.assert_array_equal(np.isnan(actual.astype(np.float64)), nan)
    np.testing.assert_array_equal(actual.view(unsigned)[~nan], expected.view(unsigned)[~nan])


@pytest.mark.parametrize(("instruction", "types", "source", "target"), INSTRUCTIONS)
def test_row_instruction(instruction: str, types: str, source: str, target: str) -> None:
    rows, loops = (module(instruction, types, source, target) for _ in range(2))
    LowerToLoopsPass().apply(new_context(), loops)
    loops.verify()
    rng = np.random.default_rng(1)
    inputs = {"x": values(rng, source, 40), "z": values(rng, source, 40), "w": values(rng, target, 40)}
    with np.errstate(all="ignore"):
        expected = compile_numpy(rows).run(inputs, {"N": 40}, 1)["y"]
        lowered = compile_numpy(loops).run(inputs, {"N": 40}, 1)["y"]
    assert_same(lowered, expected)
    assert_same(compile_c(loops).run(inputs, {"N": 40}, 1)["y"], expected)
