"""Conversions between f32 and 16-bit floats in C, against NumPy and ml_dtypes."""

import ctypes
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from opwright.codegen.c.emitter import emit_c
from opwright.codegen.c.executable import compile_flags
from opwright.codegen.native import compile_shared
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context

Array = NDArray[Any]
Convert = Callable[[Array], Array]

DTYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16), "f32": np.dtype(np.float32)}
NARROW = ["bf16", "f16"]


def convert(source: str, target: str, expression: str) -> Convert:
    """Compile a function that applies an operation to each element of an array."""
    text = f"""
        func.func @f(%x: memref<?x{source}>, %y: memref<?x{target}>, %n: index) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {{
            %v = memref.load %x[%i] : memref<?x{source}>
            {expression}
            memref.store %r, %y[%i] : memref<?x{target}>
          }} {{tile.lanes}}
          func.return
        }}"""
    sources = {"f.c": emit_c(parse_module(new_context(), text, "f.mlir"))}
    function = ctypes.CDLL(str(compile_shared(sources, "f.c", language="c", flags=compile_flags()))).f
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]

    def run(values: Array) -> Array:
        result = np.zeros(values.shape, DTYPES[target])
        function(values.ctypes.data, result.ctypes.data, values.size)
        return result

    return run


def assert_same(actual: Array, expected: Array) -> None:
    """Equal bits, any NaN for a NaN."""
    unsigned = np.dtype(f"u{actual.itemsize}")
    nan = np.isnan(expected.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(actual.astype(np.float64)), nan)
    np.testing.assert_array_equal(actual.view(unsigned)[~nan], expected.view(unsigned)[~nan])


@pytest.mark.parametrize("narrow", NARROW)
def test_widening_of_every_value(narrow: str) -> None:
    values = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(DTYPES[narrow])
    widened = convert(narrow, "f32", f"%r = arith.extf %v : {narrow} to f32")(values)
    with np.errstate(invalid="ignore"):
        assert_same(widened, values.astype(np.float32))


@pytest.mark.parametrize("narrow", NARROW)
def test_narrowing(narrow: str) -> None:
    rounded = convert("f32", narrow, f"%r = arith.truncf %v : f32 to {narrow}")
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        values = np.concatenate(
            [rng.integers(0, 1 << 32, 2_000_000, np.uint64).astype(np.uint32).view(np.float32), ties(narrow)]
        )
        assert_same(rounded(values), values.astype(DTYPES[narrow]))


def ties(narrow: str) -> Array:
    """Every value of the narrow type, halfway to the next, and one float32 to either side."""
    every = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(DTYPES[narrow]).astype(np.float32)
    following = np.arange(1, (1 << 16) + 1, dtype=np.uint32).astype(np.uint16).view(DTYPES[narrow]).astype(np.float32)
    halfway = ((every.astype(np.float64) + following.astype(np.float64)) / 2).astype(np.float32)
    near = [np.nextafter(halfway, np.float32(side)) for side in (-np.inf, np.inf)]
    beyond = np.array([65519.99, 65520, 65536, 1e30, np.inf, -np.inf, 2.0**-25, 2.0**-26, 1e-45, 3.4e38], np.float32)
    return np.concatenate([every, halfway, *near, beyond, -beyond])


def test_maximum_and_minimum() -> None:
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -1.5, 1e-45, -1e-45], np.float32)
    pairs = np.array(np.meshgrid(special, special)).reshape(2, -1)
    for op, zero in (("maximumf", 0.0), ("minimumf", -0.0)):
        wider = pairs[0].copy()
        for constant in special:
            literal = f"0x{constant.view(np.uint32):08x}"
            run = convert("f32", "f32", f"%c = arith.constant {literal} : f32\n%r = arith.{op} %v, %c : f32")
            expected = (np.maximum if op == "maximumf" else np.minimum)(wider, constant)
            expected = np.where(
                (wider == 0) & (constant == 0) & (np.signbit(wider) != np.signbit(constant)), np.float32(zero), expected
            )
            assert_same(run(wider), expected)
