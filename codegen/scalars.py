"""Operations on scalars, element by element on NumPy arrays.

Each result is rounded once to the dtype of its type. Functions that NumPy does not round correctly in float32 are
computed in float64 first.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import math as mlir_math
from xdsl.dialects.builtin import FloatAttr, FloatData, IntAttr, IntegerAttr
from xdsl.ir import Operation

from .dtypes import DTYPES, Array

DType: TypeAlias = "np.dtype[Any]"
Unary: TypeAlias = Callable[[Array], Array]
Binary: TypeAlias = Callable[[Array, Array], Array]
Convert: TypeAlias = Callable[[Array, DType], Array]


def signed(a: Array) -> Array:
    """Return integers as signed ones; true is -1, as in MLIR."""
    return -(a.astype(np.int8)) if a.dtype == np.bool_ else a


def unsigned(a: Array) -> Array:
    """Return the same bits as unsigned integers."""
    return a.astype(np.uint8) if a.dtype == np.bool_ else a.view(np.dtype(f"u{a.dtype.itemsize}"))


def _truncated_quotient(a: Array, b: Array) -> Array:
    quotient = np.floor_divide(a, b)
    return quotient + ((quotient < 0) & (quotient * b != a))


def _ceiling_quotient(a: Array, b: Array) -> Array:
    return np.floor_divide(a, b) + (np.remainder(a, b) != 0)


def _larger(a: Array, b: Array) -> Array:
    """Return the maximum; NaN wins, and 0 is larger than -0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b))


def _smaller(a: Array, b: Array) -> Array:
    """Return the minimum; NaN wins, and -0 is smaller than 0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b))


def _on_unsigned(function: Binary) -> Binary:
    return lambda a, b: function(unsigned(a), unsigned(b))


def _on_signed(function: Binary) -> Binary:
    return lambda a, b: function(signed(a), signed(b))


INTEGER_BINARY: dict[type[Operation], Binary] = {
    arith.AddiOp: _on_signed(np.add),
    arith.SubiOp: _on_signed(np.subtract),
    arith.MuliOp: _on_signed(np.multiply),
    arith.DivSIOp: _on_signed(_truncated_quotient),
    arith.DivUIOp: _on_unsigned(np.floor_divide),
    arith.FloorDivSIOp: _on_signed(np.floor_divide),
    arith.CeilDivSIOp: _on_signed(_ceiling_quotient),
    arith.CeilDivUIOp: _on_unsigned(_ceiling_quotient),
    arith.RemSIOp: _on_signed(np.fmod),
    arith.RemUIOp: _on_unsigned(np.remainder),
    arith.MinSIOp: _on_signed(np.minimum),
    arith.MaxSIOp: _on_signed(np.maximum),
    arith.MinUIOp: _on_unsigned(np.minimum),
    arith.MaxUIOp: _on_unsigned(np.maximum),
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.ShLIOp: _on_signed(np.left_shift),
    arith.ShRSIOp: _on_signed(np.right_shift),
    arith.ShRUIOp: _on_unsigned(np.right_shift),
    mlir_math.IPowIOp: _on_signed(np.power),
}

FLOAT_BINARY: dict[type[Operation], Binary] = {
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    arith.MaximumfOp: _larger,
    arith.MinimumfOp: _smaller,
    arith.MaxnumfOp: np.fmax,
    arith.MinnumfOp: np.fmin,
    mlir_math.CopySignOp: np.copysign,
}

FLOAT_UNARY: dict[type[Operation], Unary] = {
    arith.NegfOp: np.negative,
    mlir_math.AbsFOp: np.abs,
    mlir_math.CeilOp: np.ceil,
    mlir_math.FloorOp: np.floor,
    mlir_math.RoundEvenOp: np.rint,
    mlir_math.RoundOp: lambda a: np.copysign(np.floor(np.abs(a)) + (np.abs(a) - np.floor(np.abs(a)) >= 0.5), a),
    mlir_math.TruncOp: np.trunc,
}

WIDE_BINARY: dict[type[Operation], Binary] = {
    mlir_math.Atan2Op: np.arctan2,
    mlir_math.FPowIOp: np.power,
    mlir_math.PowFOp: np.power,
}


def _erf(a: Array) -> Array:
    return np.array([math.erf(float(v)) for v in a.ravel()], np.float64).reshape(a.shape)


WIDE_UNARY: dict[type[Operation], Unary] = {
    mlir_math.AcosOp: np.arccos,
    mlir_math.AcoshOp: np.arccosh,
    mlir_math.AsinOp: np.arcsin,
    mlir_math.AsinhOp: np.arcsinh,
    mlir_math.AtanOp: np.arctan,
    mlir_math.AtanhOp: np.arctanh,
    mlir_math.CbrtOp: np.cbrt,
    mlir_math.CosOp: np.cos,
    mlir_math.CoshOp: np.cosh,
    mlir_math.ErfOp: _erf,
    mlir_math.Exp2Op: np.exp2,
    mlir_math.ExpM1Op: np.expm1,
    mlir_math.ExpOp: np.exp,
    mlir_math.Log10Op: np.log10,
    mlir_math.Log1pOp: np.log1p,
    mlir_math.Log2Op: np.log2,
    mlir_math.LogOp: np.log,
    mlir_math.RsqrtOp: lambda a: 1.0 / np.sqrt(a),
    mlir_math.SinOp: np.sin,
    mlir_math.SinhOp: np.sinh,
    mlir_math.SqrtOp: np.sqrt,
    mlir_math.TanOp: np.tan,
    mlir_math.TanhOp: np.tanh,
}


def _bits(a: Array) -> Array:
    """Return the bits of integers, most significant first, on a new last axis."""
    width = a.dtype.itemsize * 8
    return unsigned(a)[..., None] >> np.arange(width - 1, -1, -1, dtype=unsigned(a).dtype) & 1


def _leading_zeros(a: Array) -> Array:
    return np.sum(np.cumsum(_bits(a), axis=-1) == 0, axis=-1)


def _trailing_zeros(a: Array) -> Array:
    return np.sum(np.cumsum(_bits(a)[..., ::-1], axis=-1) == 0, axis=-1)


INTEGER_UNARY: dict[type[Operation], Unary] = {
    mlir_math.AbsIOp: np.abs,
    mlir_math.CountLeadingZerosOp: _leading_zeros,
    mlir_math.CountTrailingZerosOp: _trailing_zeros,
    mlir_math.CtPopOp: lambda a: np.sum(_bits(a), axis=-1),
}

CONVERSIONS: dict[type[Operation], Unary] = {
    arith.ExtFOp: lambda a: a,
    arith.ExtSIOp: signed,
    arith.ExtUIOp: unsigned,
    arith.FPToSIOp: np.trunc,
    arith.FPToUIOp: np.trunc,
    arith.IndexCastOp: signed,
    arith.SIToFPOp: signed,
    arith.TruncFOp: lambda a: a,
    arith.TruncIOp: lambda a: a,
    arith.UIToFPOp: unsigned,
}

COMPARE_INTEGERS: tuple[Binary, ...] = (
    np.equal,
    np.not_equal,
    *(_on_signed(f) for f in (np.less, np.less_equal, np.greater, np.greater_equal)),
    *(_on_unsigned(f) for f in (np.less, np.less_equal, np.greater, np.greater_equal)),
)
"""The functions of arith.cmpi, by number of the predicate."""


def _unordered(a: Array, b: Array) -> Array:
    return np.isnan(a) | np.isnan(b)


COMPARE_FLOATS: tuple[Binary, ...] = (
    lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape), np.bool_),
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    lambda a, b: (a != b) & ~_unordered(a, b),
    lambda a, b: ~_unordered(a, b),
    lambda a, b: (a == b) | _unordered(a, b),
    lambda a, b: ~(a <= b),
    lambda a, b: ~(a < b),
    lambda a, b: ~(a >= b),
    lambda a, b: ~(a > b),
    np.not_equal,
    _unordered,
    lambda a, b: np.ones(np.broadcast_shapes(a.shape, b.shape), np.bool_),
)
"""The functions of arith.cmpf, by number of the predicate."""


def fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    """Return a * b + c in float64, such that rounding the result to float32 rounds the exact value once.

    The product of two float32 is exact in float64; the sum is rounded to odd (Boldo and Melquiond, Emulation of FMA and
    correctly rounded sums, 2008).
    """
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    even = total.view(np.int64) & 1 == 0
    return np.where((error != 0) & even, np.nextafter(total, np.where(error > 0, np.inf, -np.inf)), total)


NARROW: dict[type[Operation], Callable[..., Array]] = {
    **FLOAT_BINARY,
    **FLOAT_UNARY,
    **INTEGER_BINARY,
    **INTEGER_UNARY,
    **CONVERSIONS,
    arith.SelectOp: np.where,
}
"""Functions that work in the dtype of their operands."""

WIDE: dict[type[Operation], Callable[..., Array]] = {
    **WIDE_BINARY,
    **WIDE_UNARY,
    mlir_math.FmaOp: fused_multiply_add,
}
"""Functions that work in float64."""


def apply(op: Operation, operands: Sequence[Array], dtype: DType) -> Array | None:
    """Return the result of an operation in its dtype; None for an operation that has no meaning on scalars."""
    match op:
        case arith.ConstantOp():
            return _constant(op, dtype)
        case arith.CmpiOp():
            return COMPARE_INTEGERS[op.predicate.value.data](*operands)
        case arith.CmpfOp():
            return COMPARE_FLOATS[op.predicate.value.data](*operands)
        case arith.BitcastOp():
            source, target = DTYPES[op.input.type], DTYPES[op.result.type]
            return operands[0].astype(source).view(target).astype(dtype)
        case _ if type(op) in WIDE:
            return WIDE[type(op)](*(a.astype(np.float64) for a in operands)).astype(dtype)
        case _:
            return _converted(NARROW[type(op)](*operands), dtype) if type(op) in NARROW else None


def _constant(op: arith.ConstantOp, dtype: DType) -> Array | None:
    match op.value:
        case IntegerAttr(value=IntAttr(data=number)):
            return np.asarray(number != 0 if dtype == np.bool_ else number, dtype)
        case FloatAttr(value=FloatData(data=number)):
            return np.asarray(number, dtype)
        case _:
            return None


def _converted(a: Array, dtype: DType) -> Array:
    """Return the values in a dtype; booleans take the lowest bit of integers."""
    if dtype == np.bool_ and a.dtype != np.bool_:
        return a & 1 != 0
    return a.astype(dtype, copy=False)
