"""Row copies and row instructions of the NumPy emitter against NumPy written by hand."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from opwright.codegen.numpy import emit, load
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context

Array = NDArray[Any]
PITCH = 32
DTYPES: dict[str, Any] = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "i8": np.int8,
}


def call(body: str, arguments: str, *values: object) -> None:
    constants = "".join(f"%c{n} = arith.constant {n} : index " for n in range(4))
    text = f"func.func @f({arguments}, %n: index, %w: index) {{ {constants} {body} func.return }}"
    module = parse_module(new_context(), text, "rows.mlir")
    module.verify()
    load(emit(module))["f"](*values)


def buffer(element: str, rows: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    if element.startswith("i"):
        return rng.integers(-9, 10, (rows, PITCH)).astype(DTYPES[element])
    return rng.standard_normal((rows, PITCH)).astype(np.float32).astype(DTYPES[element])


def ub(element: str) -> str:
    return f'memref<?x?x{element}, "ub">'


def assert_same_bits(a: Array, b: Array) -> None:
    assert a.dtype == b.dtype
    np.testing.assert_array_equal(a.view(np.uint8), b.view(np.uint8))


COPIES: list[tuple[int, int, Callable[[Array], Array]]] = [
    (0, 2, lambda gm: gm[1:3, 2, 3:8]),
    (1, 2, lambda gm: gm[1, 2:4, 3:8]),
    (2, 3, lambda gm: np.stack([gm[1, 2, 3 + r : 8 + r] for r in range(3)])),
    (0, 0, lambda gm: gm[1:1, 2, 3:8]),
]
"""Rows from (1, 2, 3) on: the dim along which they lie, how many, and where they are."""


@pytest.mark.parametrize(("along", "rows", "expected"), COPIES)
def test_rows_are_copied(along: int, rows: int, expected: Callable[[Array], Array]) -> None:
    gm = np.arange(4 * 5 * 12, dtype=np.float32).reshape(4, 5, 12)
    held = np.zeros((5, PITCH), np.float32)
    types = f"memref<?x?x?xf32>, {ub('f32')}"
    arguments = f"%gm: memref<?x?x?xf32>, %b: {ub('f32')}"
    call(
        f"tile.load_rows %gm[%c1, %c2, %c3] along {along} to %b[%c1] rows %n width %w : {types}",
        arguments,
        gm,
        held,
        rows,
        5,
    )
    wanted = np.zeros_like(held)
    wanted[1 : 1 + rows, :5] = expected(gm)
    np.testing.assert_array_equal(held, wanted)
    back = np.zeros_like(gm)
    types = f"{ub('f32')}, memref<?x?x?xf32>"
    call(
        f"tile.store_rows %b[%c1] to %gm[%c1, %c2, %c3] along {along} rows %n width %w : {types}",
        arguments,
        back,
        held,
        rows,
        5,
    )
    np.testing.assert_array_equal(expected(back), expected(gm))
    assert np.count_nonzero(back) == len(np.unique(expected(gm)))


def test_a_row_of_a_vector_is_copied() -> None:
    gm, held = np.arange(40, dtype=np.float32), np.zeros((2, PITCH), np.float32)
    types = f"memref<?xf32>, {ub('f32')}"
    body = f"tile.load_rows %gm[%n] along 0 to %b[%c1] rows %c1 width %w : {types}"
    call(body, f"%gm: memref<?xf32>, %b: {ub('f32')}", gm, held, 7, 9)
    np.testing.assert_array_equal(held[1, :9], gm[7:16])
    assert np.count_nonzero(held) == 9


BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
}


ON_INTEGERS = ("add", "sub", "mul", "max", "min")


@pytest.mark.parametrize(
    ("kind", "element"),
    [
        *((kind, element) for kind in BINARY for element in ("f32", "f16", "bf16")),
        *((kind, "i32") for kind in ON_INTEGERS),
    ],
)
@pytest.mark.parametrize("step", [0, 1])
def test_binary(kind: str, element: str, step: int) -> None:
    a, b, c = (buffer(element, 5, seed) for seed in range(3))
    t = ub(element)
    body = f'tile.binary "{kind}" %a[%c1], %b[%c2] step {step} to %c[%c0] rows %n width %w : ({t}, {t}) -> {t}'
    wanted = c.copy()
    wanted[:3, :20] = BINARY[kind](a[1:4, :20], b[2:5, :20] if step else b[2, :20])
    call(body, f"%a: {t}, %b: {t}, %c: {t}", a, b, c, 3, 20)
    assert_same_bits(c, wanted)


@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("kind", ["add", "mul", "max", "min"])
def test_scalar(kind: str, element: str) -> None:
    a, t, scalar = buffer(element, 4, 1), ub(element), DTYPES[element](3)
    wanted = a.copy()
    wanted[1:3, :9] = BINARY[kind](a[1:3, :9], scalar)
    body = f'tile.scalar "{kind}" %a[%c1] (%s) to %a[%c1] rows %n width %w : ({t}, {element}) -> {t}'
    call(body, f"%a: {t}, %s: {element}", a, scalar, 2, 9)
    assert_same_bits(a, wanted)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_fill(rows: int) -> None:
    a, t = buffer("bf16", 4, 1), ub("bf16")
    wanted = a.copy()
    wanted[1 : 1 + rows, :9] = 2
    call(
        f"tile.fill (%s) to %a[%c1] rows %n width %w : (bf16) -> {t}",
        f"%a: {t}, %s: bf16",
        a,
        ml_dtypes.bfloat16(2),
        rows,
        9,
    )
    assert_same_bits(a, wanted)


UNARY: dict[str, Callable[[Array], Array]] = {
    "exp": lambda a: np.exp(a.astype(np.float64)).astype(a.dtype),
    "log": lambda a: np.log(a.astype(np.float64)).astype(a.dtype),
    "sqrt": np.sqrt,
    "rsqrt": lambda a: (1 / np.sqrt(a.astype(np.float64))).astype(a.dtype),
    "abs": np.abs,
    "neg": np.negative,
    "relu": lambda a: np.where(a > 0, a, a.dtype.type(0)),
    "recip": lambda a: a.dtype.type(1) / a,
    "copy": lambda a: a,
}


@pytest.mark.parametrize("kind", UNARY)
def test_unary(kind: str) -> None:
    a, c, t = buffer("f32", 4, 1), buffer("f32", 4, 2), ub("f32")
    if kind not in ("relu", "neg", "abs"):
        a = np.abs(a)
    a[1, 0] = -0.0 if kind in ("relu", "neg", "abs") else 1
    wanted = c.copy()
    wanted[:2, :9] = UNARY[kind](a[1:3, :9])
    call(f'tile.unary "{kind}" %a[%c1] to %c[%c0] rows %n width %w : ({t}) -> {t}', f"%a: {t}, %c: {t}", a, c, 2, 9)
    assert_same_bits(c, wanted)


@pytest.mark.parametrize(
    ("source", "target"),
    [("bf16", "f32"), ("f16", "f32"), ("f32", "bf16"), ("f32", "f16"), ("i8", "i32"), ("i8", "f16"), ("i32", "f32")],
)
def test_cast(source: str, target: str) -> None:
    a, c = buffer(source, 3, 1), buffer(target, 3, 2)
    wanted = c.copy()
    wanted[:2, :9] = a[1:3, :9].astype(c.dtype)
    body = f"tile.cast %a[%c1] to %c[%c0] rows %n width %w : ({ub(source)}) -> {ub(target)}"
    call(body, f"%a: {ub(source)}, %c: {ub(target)}", a, c, 2, 9)
    assert_same_bits(c, wanted)


@pytest.mark.parametrize("element", ["f32", "f16", "i32"])
@pytest.mark.parametrize("kind", ["add", "max", "min"])
@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize("rows", [0, 1, 4])
def test_rows_accumulate_in_ascending_order(kind: str, element: str, step: int, rows: int) -> None:
    a, c, t = buffer(element, 5, 1), buffer(element, 2, 2), ub(element)
    wanted = c.copy()
    for r in range(rows):
        wanted[1, :9] = BINARY[kind](wanted[1, :9], a[1 + r * step, :9])
    body = f'tile.accumulate "{kind}" %a[%c1] step {step} to %c[%c1] rows %n width %w : ({t}) -> {t}'
    call(body, f"%a: {t}, %c: {t}", a, c, rows, 9)
    assert_same_bits(c, wanted)
    one = f'tile.accumulate "{kind}" %a[%c1] step {step} to %c[%c1] rows %c1 width %w : ({t}) -> {t}'
    wanted[1, :9] = BINARY[kind](wanted[1, :9], a[1, :9])
    call(one, f"%a: {t}, %c: {t}", a, c, rows, 9)
    assert_same_bits(c, wanted)
