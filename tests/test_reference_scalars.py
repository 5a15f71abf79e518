"""Operations on scalars: against Python's exact integers and against float64."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import arith, test
from xdsl.dialects import math as mlir_math
from xdsl.dialects.builtin import Float32Type, IndexType, IntegerAttr, IntegerType, f16, f32, i1
from xdsl.ir import Attribute, Operation

from opwright.codegen.dtypes import DTYPES
from opwright.codegen.scalars import apply

Array = NDArray[Any]
Kind = Callable[..., Operation]
One = Callable[[int], int]
i8 = IntegerType(8)
CORNERS = [-128, -127, -7, -3, -1, 0, 1, 2, 3, 7, 126, 127]


def build(kind: Kind, types: list[Attribute], *others: object) -> Operation:
    """An operation on operands of these types."""
    return kind(*test.TestOp(result_types=types).results, *others)


def run(op: Operation, *operands: object) -> Array:
    arrays = [np.asarray(x, DTYPES[v.type]) for x, v in zip(operands, op.operands, strict=True)]
    with np.errstate(all="ignore"):
        result = apply(op, arrays, DTYPES[op.results[0].type])
    assert result is not None
    assert result.dtype == DTYPES[op.results[0].type]
    return result


def wrap(value: int) -> int:
    return (value + 128) % 256 - 128


def truncated(a: int, b: int) -> int:
    return wrap(int(Fraction(a, b)))


INTEGERS: dict[Kind, Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.DivSIOp: truncated,
    arith.DivUIOp: lambda a, b: (a % 256) // (b % 256),
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.CeilDivUIOp: lambda a, b: -(-(a % 256) // (b % 256)),
    arith.RemSIOp: lambda a, b: int(math.fmod(a, b)),
    arith.RemUIOp: lambda a, b: (a % 256) % (b % 256),
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
    arith.MinUIOp: lambda a, b: min(a % 256, b % 256),
    arith.MaxUIOp: lambda a, b: max(a % 256, b % 256),
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
}
DIVISIONS = ("div", "rem")


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_wrap(kind: Kind) -> None:
    op = build(kind, [i8, i8])
    for a in CORNERS:
        for b in CORNERS:
            overflows = a == -128 and b == -1
            if any(word in op.name for word in DIVISIONS) and (b == 0 or overflows):
                continue
            assert int(run(op, a, b)) == wrap(INTEGERS[kind](a, b)), (a, b)


SHIFTS: dict[Kind, Callable[[int, int], int]] = {
    arith.ShLIOp: lambda a, n: wrap(a << n),
    arith.ShRSIOp: lambda a, n: a >> n,
    arith.ShRUIOp: lambda a, n: wrap((a % 256) >> n),
}


@pytest.mark.parametrize("kind", SHIFTS)
def test_shifts(kind: Kind) -> None:
    op = build(kind, [i8, i8])
    for a in CORNERS:
        for count in range(8):
            assert int(run(op, a, count)) == SHIFTS[kind](a, count)


PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("predicate", PREDICATES)
def test_compare_integers(predicate: str) -> None:
    op = build(arith.CmpiOp, [i8, i8], predicate)
    order = ORDER[predicate[-2:]]
    for a in CORNERS:
        for b in CORNERS:
            left, right = (a % 256, b % 256) if predicate[0] == "u" else (a, b)
            assert bool(run(op, a, b)) == order(left, right)


FLOAT_PREDICATES = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]


@pytest.mark.parametrize("predicate", FLOAT_PREDICATES)
def test_compare_floats(predicate: str) -> None:
    op = build(arith.CmpfOp, [f32, f32], predicate)
    for a in (-1.0, 0.0, 2.0, math.inf, math.nan):
        for b in (-1.0, 0.0, 2.0, -math.inf, math.nan):
            unordered = math.isnan(a) or math.isnan(b)
            if predicate in ("ord", "uno"):
                expected = unordered == (predicate == "uno")
            else:
                expected = predicate[0] == "u" if unordered else ORDER[predicate[1:]](a, b)
            assert bool(run(op, a, b)) == expected, (a, b)


def test_booleans_as_integers() -> None:
    table = {arith.AddiOp: [0, 1, 1, 0], arith.MuliOp: [0, 0, 0, 1], arith.OrIOp: [0, 1, 1, 1]}
    for kind, expected in table.items():
        found = run(build(kind, [i1, i1]), [False, False, True, True], [False, True, False, True])
        assert found.tolist() == [bool(e) for e in expected]


CONVERSIONS: list[tuple[Operation, object, object]] = [
    (build(arith.ExtSIOp, [i1], i8), True, -1),
    (build(arith.ExtUIOp, [i1], i8), True, 1),
    (build(arith.ExtSIOp, [i8], IntegerType(32)), -128, -128),
    (build(arith.ExtUIOp, [i8], IntegerType(32)), -128, 128),
    (build(arith.TruncIOp, [IntegerType(32)], i8), 300, 44),
    (build(arith.TruncIOp, [i8], i1), 6, False),
    (build(arith.TruncIOp, [i8], i1), 7, True),
    (build(arith.SIToFPOp, [i8], f32), -3, -3.0),
    (build(arith.UIToFPOp, [i8], f32), -3, 253.0),
    (build(arith.UIToFPOp, [i1], f32), True, 1.0),
    (build(arith.FPToSIOp, [f32], i8), -2.9, -2),
    (build(arith.IndexCastOp, [IndexType()], IntegerType(32)), -5, -5),
    (build(arith.ExtFOp, [f16], f32), 0.1, float(np.float16(0.1))),
    (build(arith.TruncFOp, [f32], f16), 2049.0, 2048.0),
    (build(arith.TruncFOp, [f32], f16), 70000.0, math.inf),
    (build(arith.BitcastOp, [f32], IntegerType(32)), 1.0, 0x3F800000),
    (arith.ConstantOp(IntegerAttr(-1, 1)), None, True),
]


@pytest.mark.parametrize(("op", "value", "expected"), CONVERSIONS)
def test_conversions(op: Operation, value: object, expected: object) -> None:
    assert run(op, *([value] if op.operands else [])).item() == expected


def test_bfloat16_rounds_to_even() -> None:
    op = build(arith.TruncFOp, [f32], next(t for t, d in DTYPES.items() if d == ml_dtypes.bfloat16))
    halves = [1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20]
    assert run(op, halves).astype(np.float32).tolist() == [1.0, 1 + 2.0**-6, 1 + 2.0**-7]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (arith.MaximumfOp, [math.nan, 0.0, 0.0, 2.0]),
        (arith.MinimumfOp, [math.nan, -0.0, -0.0, -1.0]),
        (arith.MaxnumfOp, [1.0, 0.0, 0.0, 2.0]),
        (arith.MinnumfOp, [1.0, 0.0, 0.0, -1.0]),
    ],
)
def test_extremes(kind: Kind, expected: list[float]) -> None:
    found = run(build(kind, [f32, f32]), [math.nan, 0.0, -0.0, -1.0], [1.0, -0.0, 0.0, 2.0])
    np.testing.assert_array_equal(found, np.array(expected, np.float32))
    if kind in (arith.MaximumfOp, arith.MinimumfOp):
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


UNARY: dict[Kind, Callable[[float], float]] = {
    arith.NegfOp: lambda a: -a,
    mlir_math.AbsFOp: abs,
    mlir_math.CeilOp: math.ceil,
    mlir_math.FloorOp: math.floor,
    mlir_math.TruncOp: math.trunc,
    mlir_math.RoundEvenOp: round,
    mlir_math.RoundOp: lambda a: math.copysign(math.floor(abs(a) + 0.5), a),
    mlir_math.CosOp: math.cos,
    mlir_math.ErfOp: math.erf,
    mlir_math.ExpOp: math.exp,
    mlir_math.Exp2Op: math.exp2,
    mlir_math.ExpM1Op: math.expm1,
    mlir_math.LogOp: lambda a: math.log(a) if a > 0 else math.nan,
    mlir_math.Log1pOp: lambda a: math.log1p(a) if a > -1 else math.nan,
    mlir_math.RsqrtOp: lambda a: 1 / math.sqrt(a) if a > 0 else math.nan,
    mlir_math.SinOp: math.sin,
    mlir_math.SqrtOp: lambda a: math.sqrt(a) if a >= 0 else math.nan,
    mlir_math.TanhOp: math.tanh,
}


@pytest.mark.parametrize("kind", UNARY)
def test_functions_round_once(kind: Kind) -> None:
    inputs = [np.float32(x) for x in (-2.5, -1.5, -0.5, 0.3, 0.5, 1.0, 1.5, 2.5, 7.25)]
    expected = np.array([UNARY[kind](float(x)) for x in inputs], np.float64).astype(np.float32)
    np.testing.assert_array_equal(run(build(kind, [f32]), inputs), expected)


def test_fused_multiply_add_rounds_the_exact_value() -> None:
    rng = np.random.default_rng(0)
    op = build(mlir_math.FmaOp, [f32, f32, f32])
    a, b = (rng.standard_normal(500).astype(np.float32) for _ in range(2))
    c = (-a.astype(np.float64) * b + rng.standard_normal(500) * 2.0 ** rng.integers(-60, 3, 500)).astype(np.float32)
    found = run(op, a, b, c)
    for x, y, z, value in zip(a.tolist(), b.tolist(), c.tolist(), found, strict=True):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        near = [np.nextafter(value, np.float32(side)) for side in (-math.inf, math.inf)]
        error = abs(Fraction(float(value)) - exact)
        assert all(error <= abs(Fraction(float(other)) - exact) for other in near)


def test_double_rounding_would_be_seen() -> None:
    op = build(mlir_math.FmaOp, [f32, f32, f32])
    x = float(np.float32(1 + 2.0**-23))
    tiny = 2.0**-100
    assert float(run(op, x, 1 + 2.0**-12, tiny)) == float(np.float32(x * (1 + 2.0**-12) + 2.0**-52))


BITS: dict[Kind, One] = {
    mlir_math.CountLeadingZerosOp: lambda a: 8 - (a % 256).bit_length(),
    mlir_math.CountTrailingZerosOp: lambda a: 8 if a == 0 else ((a & -a) % 256).bit_length() - 1,
    mlir_math.CtPopOp: lambda a: (a % 256).bit_count(),
    mlir_math.AbsIOp: lambda a: wrap(abs(a)),
}


@pytest.mark.parametrize("kind", BITS)
def test_bits(kind: Kind) -> None:
    assert run(build(kind, [i8]), CORNERS).tolist() == [BITS[kind](a) for a in CORNERS]


def test_f64_mode_keeps_floats_wide() -> None:
    op = build(arith.TruncFOp, [Float32Type()], f16)
    wide = apply(op, [np.asarray(0.1)], np.dtype(np.float64))
    assert wide is not None
    assert wide.item() == 0.1


def test_other_operations_have_no_value() -> None:
    assert apply(test.TestOp(result_types=[f32]), [], np.dtype(np.float32)) is None
