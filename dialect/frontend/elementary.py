"""Elementary functions and conversions of values."""

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i1
from xdsl.ir import Attribute, Operation

from ..diagnostics import Diagnostic, Location
from .exprs import Apply, Build, Expr, Operand, apply, lift, unify
from .source import here
from .types import DType, i64

Unary: TypeAlias = Callable[[Expr], Expr]


def _unary(op: type[Operation]) -> Unary:
    def function(value: Expr) -> Expr:
        if not isinstance(value.type, AnyFloat):
            hint = "cast(value, f32) makes a float of it"
            raise Diagnostic("OPW150", f"{op.name.partition('.')[2]} takes a float, not {value.type}", here(), hint)
        return apply(op, value)

    return function


absolute = _unary(math.AbsFOp)
ceil = _unary(math.CeilOp)
cos = _unary(math.CosOp)
erf = _unary(math.ErfOp)
exp = _unary(math.ExpOp)
floor = _unary(math.FloorOp)
log = _unary(math.LogOp)
log1p = _unary(math.Log1pOp)
rint = _unary(math.RoundEvenOp)
rsqrt = _unary(math.RsqrtOp)
sin = _unary(math.SinOp)
sqrt = _unary(math.SqrtOp)
tanh = _unary(math.TanhOp)
trunc = _unary(math.TruncOp)


def power(a: Operand, b: Operand) -> Expr:
    """Return a to the power of b, on floats."""
    lhs, rhs = unify(a, b, here())
    if not isinstance(lhs.type, AnyFloat):
        raise Diagnostic("OPW150", f"power takes floats, not {lhs.type}", here())
    return apply(math.PowFOp, lhs, rhs)


def cast(value: Operand, dtype: DType) -> Expr:
    """Convert between integers and floats; floats are cut toward 0. A Python number gets the type."""
    at = here()
    target = dtype.element
    if not isinstance(value, Expr):
        return lift(value, target, at)
    if value.type == target:
        return value
    if isinstance(value.type, IndexType) and isinstance(target, AnyFloat):
        value = Apply(i64.element, at, _conversion(value.type, i64.element, at), (value,))
    return Apply(target, at, _conversion(value.type, target, at), (value,))


def _conversion(source: Attribute, target: Attribute, at: Location) -> Build:
    match source, target:
        case (IntegerType(), _) if isinstance(target, AnyFloat):
            op = arith.UIToFPOp if source == i1 else arith.SIToFPOp
            return lambda values: op(values[0], target)
        case (_, IntegerType()) if isinstance(source, AnyFloat) and target != i1:
            return lambda values: arith.FPToSIOp(values[0], target)
        case (IndexType(), IntegerType()) | (IntegerType(), IndexType()):
            return lambda values: arith.IndexCastOp(values[0], target)
        case (IntegerType(width=a), IntegerType(width=b)):
            return _resize(source, target, widen=a.data < b.data)
        case _:
            raise Diagnostic("OPW150", f"cast does not convert {source} to {target}", at)


def _resize(source: Attribute, target: IntegerType, *, widen: bool) -> Build:
    if not widen:
        return lambda values: arith.TruncIOp(values[0], target)
    if source == i1:
        return lambda values: arith.ExtUIOp(values[0], target)
    return lambda values: arith.ExtSIOp(values[0], target)
