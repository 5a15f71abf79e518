"""Rules for floating-point operations of the arith dialect, for conversions, and for the math dialect."""

from collections.abc import Callable, Mapping

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, Float64Type, i1
from xdsl.ir import Attribute, Operation

from ...dialect.diagnostics import Diagnostic
from .expr import Expr, Level, infix, prefix
from .integers import cast, unsigned
from .printer import ExpressionRule, Printer, type_key

COMPUTED = (Float32Type(), Float64Type())
"""The types in which C computes; 16-bit floats are only stored."""


def _computed(op: Operation, scalar: Attribute) -> None:
    if scalar not in COMPUTED:
        raise Diagnostic(
            "OPW443", f"'{op.name}' computes in {scalar}", op, "widen to f32 before, and round once after (arith.extf)"
        )


def _binary(symbol: str, level: Level) -> ExpressionRule:
    def rule(printer: Printer, op: arith.FloatingPointLikeBinaryOperation) -> Expr:
        _computed(op, op.result.type)
        return infix(symbol, level, printer.value(op.lhs), printer.value(op.rhs))

    return rule


def _called(name: str) -> ExpressionRule:
    def rule(printer: Printer, op: Operation) -> Expr:
        scalar = op.results[0].type
        return printer.helper(f"{name}_{type_key(scalar)}", [printer.value(v) for v in op.operands], op)

    return rule


def negate(printer: Printer, op: arith.NegfOp) -> Expr:
    """Print a change of sign."""
    _computed(op, op.result.type)
    return prefix("-", printer.value(op.operand))


def from_signed(printer: Printer, op: arith.SIToFPOp) -> Expr:
    """Print a signed integer as a float; true is -1."""
    expr = cast(printer, op)
    return prefix("-", expr) if op.input.type == i1 else expr


def from_unsigned(printer: Printer, op: arith.UIToFPOp) -> Expr:
    """Print an unsigned integer as a float."""
    if op.input.type == i1:
        return cast(printer, op)
    return printer.language.cast.apply(printer.type_name(op.result.type, op), unsigned(printer, op.input, op))


def compare(printer: Printer, op: arith.CmpfOp) -> Expr:
    """Print a comparison; the operands stand twice where C has no operator for it."""
    _computed(op, op.lhs.type)
    return FLOAT_COMPARISONS[op.predicate.value.data](printer.value(op.lhs), printer.value(op.rhs))


def _equal(symbol: str, a: Expr, b: Expr) -> Expr:
    return infix(symbol, Level.EQUAL, a, b)


def _order(symbol: str, a: Expr, b: Expr) -> Expr:
    return infix(symbol, Level.COMPARE, a, b)


def _not(expr: Expr) -> Expr:
    return prefix("!", expr)


def _unequal_ordered(a: Expr, b: Expr) -> Expr:
    return infix("||", Level.OR, _order("<", a, b), _order(">", a, b))


def _unordered(a: Expr, b: Expr) -> Expr:
    return infix("||", Level.OR, _equal("!=", a, a), _equal("!=", b, b))


FLOAT_COMPARISONS: tuple[Callable[[Expr, Expr], Expr], ...] = (
    lambda a, b: Expr("false"),
    lambda a, b: _equal("==", a, b),
    lambda a, b: _order(">", a, b),
    lambda a, b: _order(">=", a, b),
    lambda a, b: _order("<", a, b),
    lambda a, b: _order("<=", a, b),
    _unequal_ordered,
    lambda a, b: _not(_unordered(a, b)),
    lambda a, b: _not(_unequal_ordered(a, b)),
    lambda a, b: _not(_order("<=", a, b)),
    lambda a, b: _not(_order("<", a, b)),
    lambda a, b: _not(_order(">=", a, b)),
    lambda a, b: _not(_order(">", a, b)),
    lambda a, b: _equal("!=", a, b),
    _unordered,
    lambda a, b: Expr("true"),
)
"""The forms of arith.cmpf, by number of the predicate."""

FLOAT_RULES: Mapping[type[Operation], ExpressionRule] = {
    arith.AddfOp: _binary("+", Level.ADD),
    arith.SubfOp: _binary("-", Level.ADD),
    arith.MulfOp: _binary("*", Level.MULTIPLY),
    arith.DivfOp: _binary("/", Level.MULTIPLY),
    arith.NegfOp: negate,
    arith.MaximumfOp: _called("max"),
    arith.MinimumfOp: _called("min"),
    arith.MaxnumfOp: _called("maxnum"),
    arith.MinnumfOp: _called("minnum"),
    arith.CmpfOp: compare,
    arith.ExtFOp: cast,
    arith.TruncFOp: cast,
    arith.SIToFPOp: from_signed,
    arith.UIToFPOp: from_unsigned,
    arith.FPToSIOp: cast,
    arith.BitcastOp: _called("bits"),
    math.AbsFOp: _called("abs"),
    math.CeilOp: _called("ceil"),
    math.CosOp: _called("cos"),
    math.ErfOp: _called("erf"),
    math.ExpOp: _called("exp"),
    math.FloorOp: _called("floor"),
    math.LogOp: _called("log"),
    math.Log1pOp: _called("log1p"),
    math.PowFOp: _called("pow"),
    math.RoundEvenOp: _called("roundeven"),
    math.RsqrtOp: _called("rsqrt"),
    math.SinOp: _called("sin"),
    math.SqrtOp: _called("sqrt"),
    math.TanhOp: _called("tanh"),
    math.TruncOp: _called("trunc"),
}
"""Keys of helpers asked for: `max_T`, `min_T`, `exp_T`, ... with T one of f32, f64."""
