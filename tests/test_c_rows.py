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
CAST = ["cast %a[%c0] to %r[%c0] : (A) -> R"]

GROUPS = {
    ("f32", "f32"): [
        *(f'unary "{kind}" %a[%c0] to %r[%c0] : (A) -> R' for kind in UNARY),
        *(f'binary "{kind}" %a[%c0], %b[%c0] to %r[%c0] : (A, A) -> R' for kind in BINARY),
        *(f'scalar "{kind}" %a[%c0] (%s) to %r[%c0] : (A, f32) -> R' for kind in ("add", "mul", "max", "min")),
        *(f'accumulate "{kind}" %a[%c0] to %r[%c2] : (A) -> R' for kind in ("add", "max", "min")),
        "fill (%s) to %r[%c1] : (f32) -> R",
    ],
    ("bf16", "bf16"): [f'binary "{kind}" %a[%c1], %b[%c0] step 0 to %r[%c0] : (A, A) -> R' for kind in BINARY],
    ("i32", "i32"): [
        *(f'unary "{kind}" %a[%c0] to %r[%c0] : (A) -> R' for kind in ("abs", "neg", "relu", "copy")),
        *(f'binary "{kind}" %a[%c1], %b[%c0] to %r[%c0] : (A, A) -> R' for kind in ("add", "sub", "mul", "max", "min")),
    ],
    **{("f32", narrow): CAST for narrow in ("f16", "bf16")},
    **{(narrow, "f32"): CAST for narrow in ("f16", "bf16", "i8", "i32")},
    ("i8", "f16"): CAST,
    ("i8", "i32"): CAST,
}
"""Row instructions by the element types of sources and target; two rows each."""


def module(instructions: list[str], source: str, target: str) -> ModuleOp:
    """Build a kernel with one stage and one output for each instruction."""
    a, r = (f'memref<?x?x{t}, "ub">' for t in (source, target))
    outputs = [f"y{n}" for n in range(len(instructions))]
    arguments = "".join(_argument(name, target, "output") for name in outputs)
    stages = "".join(_stage(op, out, source, target, a, r) for op, out in zip(instructions, outputs, strict=True))
    text = f"""
        func.func @k_tiling(%N: index {{tile.name = "N"}}, %cores: index {{tile.name = "cores"}})
            attributes {{tile.tiling}} {{
          func.return
        }}
        func.func @k({_argument("x", source, "input")}{_argument("z", source, "input")}{_argument("w", target, "input")}
            {arguments}%N: index {{tile.name = "N", tile.role = "dim"}},
            %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %s = arith.constant -1.5 : f32
          {stages}
          func.return
        }}"""
    return parse_module(new_context(), text, "rows.mlir")


def _argument(name: str, element: str, role: str) -> str:
    return f'%{name}: memref<3x?x{element}> {{tile.name = "{name}", tile.role = "{role}", tile.dims = [3, "N"]}},\n'


def _stage(instruction: str, output: str, source: str, target: str, a: str, r: str) -> str:
    call, types = instruction.split(" : ")
    signature = types.replace("A", a).replace("R", r)
    return f"""
          tile.cores "{output}" %cores (%core) {{
            %a = tile.alloc "a" in [3, 64] : {a}
            %b = tile.alloc "b" in [3, 64] : {a}
            %r = tile.alloc "r" out [3, 64] : {r}
            tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c3 width %N : memref<3x?x{source}>, {a}
            tile.load_rows %z[%c0, %c0] along 0 to %b[%c0] rows %c3 width %N : memref<3x?x{source}>, {a}
            tile.load_rows %w[%c0, %c0] along 0 to %r[%c0] rows %c3 width %N : memref<3x?x{target}>, {r}
            tile.{call} rows %c2 width %N : {signature}
            tile.store_rows %r[%c0] to %{output}[%c0, %c0] along 0 rows %c3 width %N : {r}, memref<3x?x{target}>
          }}"""


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


def assert_same(actual: Array, expected: Array, what: str) -> None:
    if expected.dtype.kind == "i":
        np.testing.assert_array_equal(actual, expected, what)
        return
    nan = np.isnan(expected.astype(np.float64))
    unsigned = np.dtype(f"u{expected.itemsize}")
    np.testing.assert_array_equal(np.isnan(actual.astype(np.float64)), nan, what)
    np.testing.assert_array_equal(actual.view(unsigned)[~nan], expected.view(unsigned)[~nan], what)


@pytest.mark.parametrize(("source", "target"), GROUPS)
def test_row_instructions(source: str, target: str) -> None:
    instructions = GROUPS[source, target]
    rows, loops = (module(instructions, source, target) for _ in range(2))
    LowerToLoopsPass().apply(new_context(), loops)
    loops.verify()
    rng = np.random.default_rng(1)
    inputs = {"x": values(rng, source, 40), "z": values(rng, source, 40), "w": values(rng, target, 40)}
    with np.errstate(all="ignore"):
        expected = compile_numpy(rows).run(inputs, {"N": 40}, 1)
        lowered = compile_numpy(loops).run(inputs, {"N": 40}, 1)
    native = compile_c(loops).run(inputs, {"N": 40}, 1)
    for instruction, output in zip(instructions, expected, strict=True):
        for other in (lowered, native):
            assert_same(other[output], expected[output], instruction)
