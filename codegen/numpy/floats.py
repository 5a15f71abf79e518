"""Floating-point operations of arith and math: each result is rounded once to its type.

Functions that NumPy does not round correctly in float32 are computed in float64 first.
"""

from xdsl.dialects import arith, math
from xdsl.ir import Operation

from . import support
from .expr import Level
from .helpers import Helper
from .integers import call, helper, infix
from .writer import Emit, Table, Writer


def in_double(name: str) -> Emit:
    """Return what writes a call of a NumPy function in float64."""

    def emit(w: Writer, op: Operation) -> None:
        w.assign(op.results[0], f"{w.helper(support.in_double)}({', '.join((name, *w.arguments(op.operands)))})")

    return emit


def _in_double(function: Helper) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        in_double(w.helper(function))(w, op)

    return emit


def _negate(w: Writer, op: arith.NegfOp) -> None:
    w.assign(op.result, f"-{w.text(op.operand, Level.UNARY)}", Level.UNARY)


COMPARISONS = (
    ("({a} != {a}) & False", Level.AND),
    ("{a} == {b}", Level.COMPARE),
    ("{a} > {b}", Level.COMPARE),
    ("{a} >= {b}", Level.COMPARE),
    ("{a} < {b}", Level.COMPARE),
    ("{a} <= {b}", Level.COMPARE),
    ("({a} < {b}) | ({a} > {b})", Level.OR),
    ("({a} == {a}) & ({b} == {b})", Level.AND),
    ("~(({a} < {b}) | ({a} > {b}))", Level.UNARY),
    ("~({a} <= {b})", Level.UNARY),
    ("~({a} < {b})", Level.UNARY),
    ("~({a} >= {b})", Level.UNARY),
    ("~({a} > {b})", Level.UNARY),
    ("{a} != {b}", Level.COMPARE),
    ("({a} != {a}) | ({b} != {b})", Level.OR),
    ("({a} == {a}) | True", Level.OR),
)
"""The comparisons of arith.cmpf by number of the predicate."""


def _compare(w: Writer, op: arith.CmpfOp) -> None:
    text, level = COMPARISONS[op.predicate.value.data]
    w.assign(op.result, text.format(a=w.once(op.lhs), b=w.once(op.rhs)), level)


EMITTERS: Table = {
    arith.AddfOp: infix("+"),
    arith.SubfOp: infix("-"),
    arith.MulfOp: infix("*"),
    arith.DivfOp: infix("/"),
    arith.NegfOp: _negate,
    arith.MaximumfOp: helper(support.maximum),
    arith.MinimumfOp: helper(support.minimum),
    arith.MaxnumfOp: helper(support.maximum_number),
    arith.MinnumfOp: helper(support.minimum_number),
    arith.CmpfOp: _compare,
    math.AbsFOp: call("np.abs"),
    math.CeilOp: call("np.ceil"),
    math.CopySignOp: call("np.copysign"),
    math.FloorOp: call("np.floor"),
    math.RoundEvenOp: call("np.rint"),
    math.RoundOp: helper(support.round_half_away),
    math.SqrtOp: call("np.sqrt"),
    math.TruncOp: call("np.trunc"),
    math.FmaOp: helper(support.multiply_add),
    math.RsqrtOp: _in_double(support.rsqrt),
    math.ErfOp: _in_double(support.erf),
    math.AcosOp: in_double("np.arccos"),
    math.AcoshOp: in_double("np.arccosh"),
    math.AsinOp: in_double("np.arcsin"),
    math.AsinhOp: in_double("np.arcsinh"),
    math.AtanOp: in_double("np.arctan"),
    math.AtanhOp: in_double("np.arctanh"),
    math.Atan2Op: in_double("np.arctan2"),
    math.CbrtOp: in_double("np.cbrt"),
    math.CosOp: in_double("np.cos"),
    math.CoshOp: in_double("np.cosh"),
    math.ExpOp: in_double("np.exp"),
    math.Exp2Op: in_double("np.exp2"),
    math.ExpM1Op: in_double("np.expm1"),
    math.LogOp: in_double("np.log"),
    math.Log10Op: in_double("np.log10"),
    math.Log1pOp: in_double("np.log1p"),
    math.Log2Op: in_double("np.log2"),
    math.PowFOp: in_double("np.power"),
    math.SinOp: in_double("np.sin"),
    math.SinhOp: in_double("np.sinh"),
    math.TanOp: in_double("np.tan"),
    math.TanhOp: in_double("np.tanh"),
}
