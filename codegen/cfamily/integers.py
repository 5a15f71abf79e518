"""Rules for integer, index and boolean operations of the arith dialect."""

from collections.abc import Mapping
from math import isfinite

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from .expr import Expr, Level, infix, prefix, ternary
from .printer import ExpressionRule, Printer, type_key

COMPARISONS = (
    ("==", Level.EQUAL),
    ("!=", Level.EQUAL),
    ("<", Level.COMPARE),
    ("<=", Level.COMPARE),
    (">", Level.COMPARE),
    (">=", Level.COMPARE),
)
"""Operators of the signed predicates of arith.cmpi by number; 6 to 9 are the unsigned ones of 2 to 5."""

LOGICAL = {"&": ("&&", Level.AND), "|": ("||", Level.OR), "^": ("!=", Level.EQUAL)}


def constant(printer: Printer, op: arith.ConstantOp) -> Expr:
    """Print a constant as a literal."""
    match op.value:
        case IntegerAttr():
            return integer_literal(op.value.value.data, op.value.type)
        case FloatAttr():
            literal = printer.language.literals.get(op.value.type)
            if literal is not None:
                number = op.value.value.data
                printer.include(() if isfinite(number) else printer.language.special_headers)
                return literal(number)
        case _:
            pass
    raise Diagnostic("OPW441", f"constant {op.value} has no form in this language", op)


def integer_literal(value: int, scalar: Attribute) -> Expr:
    """Return an integer or boolean as a literal."""
    if scalar == i1:
        return Expr("true" if value else "false")
    if value == -(1 << 63):
        return Expr(f"{value + 1} - 1", Level.ADD)
    return Expr(str(value), Level.UNARY if value < 0 else Level.ATOM, literal=True)


def _binary(symbol: str, level: Level) -> ExpressionRule:
    def rule(printer: Printer, op: arith.SignlessIntegerBinaryOperation) -> Expr:
        lhs, rhs = printer.value(op.lhs), printer.value(op.rhs)
        scalar = op.result.type
        if scalar == i1 and symbol in LOGICAL:
            return infix(*LOGICAL[symbol], lhs, rhs)
        if lhs.literal and rhs.literal:
            lhs = printer.language.cast.apply(printer.type_name(scalar, op), lhs)
        return _wrapped(printer, op, infix(symbol, level, lhs, rhs))

    return rule


def _wrapped(printer: Printer, op: arith.SignlessIntegerBinaryOperation, expr: Expr) -> Expr:
    """Cut the result to a type narrower than int, in which C computes."""
    scalar = op.result.type
    if isinstance(scalar, IntegerType) and scalar.width.data < 32:
        return printer.language.cast.apply(printer.type_name(scalar, op), expr)
    return expr


def _unsigned_binary(symbol: str, level: Level) -> ExpressionRule:
    def rule(printer: Printer, op: arith.SignlessIntegerBinaryOperation) -> Expr:
        expr = infix(symbol, level, unsigned(printer, op.lhs, op), unsigned(printer, op.rhs, op))
        return printer.language.cast.apply(printer.type_name(op.result.type, op), expr)

    return rule


def unsigned(printer: Printer, value: SSAValue, op: Operation) -> Expr:
    """Return the bits of a value as an unsigned number."""
    if value.type == i1:
        raise Diagnostic("OPW441", f"'{op.name}' takes booleans as unsigned numbers, which has no form", op)
    return printer.language.cast.apply(f"u{printer.type_name(value.type, op)}", printer.value(value))


def _called(name: str) -> ExpressionRule:
    def rule(printer: Printer, op: arith.SignlessIntegerBinaryOperation) -> Expr:
        operands = [printer.value(op.lhs), printer.value(op.rhs)]
        return printer.helper(f"{name}_{type_key(op.result.type)}", operands, op)

    return rule


def absolute(printer: Printer, op: math.AbsIOp) -> Expr:
    """Print the absolute value of an integer."""
    return printer.helper(f"abs_{type_key(op.result.type)}", [printer.value(op.operand)], op)


def compare(printer: Printer, op: arith.CmpiOp) -> Expr:
    """Print a comparison of integers."""
    predicate = op.predicate.value.data
    if predicate > 5:
        symbol, level = COMPARISONS[predicate - 4]
        return infix(symbol, level, unsigned(printer, op.lhs, op), unsigned(printer, op.rhs, op))
    symbol, level = COMPARISONS[predicate]
    return infix(symbol, level, printer.value(op.lhs), printer.value(op.rhs))


def exclusive_or(printer: Printer, op: arith.XOrIOp) -> Expr:
    """Print an exclusive or; with true it is a negation."""
    rhs = op.rhs.owner
    if op.result.type == i1 and isinstance(rhs, arith.ConstantOp) and printer.value(op.rhs).text == "true":
        return prefix("!", printer.value(op.lhs))
    return _binary("^", Level.BIT_XOR)(printer, op)


def select(printer: Printer, op: arith.SelectOp) -> Expr:
    """Print a choice between two values."""
    return ternary(printer.value(op.cond), printer.value(op.lhs), printer.value(op.rhs))


def cast(printer: Printer, op: Operation) -> Expr:
    """Print a conversion by value; nothing between the integer types that have one spelling."""
    source, target = op.operands[0], op.results[0]
    expr = printer.value(source)
    if {type_key(source.type), type_key(target.type)} == {"i64"}:
        return expr
    return printer.convert(expr, source.type, target.type, op)


def extend_unsigned(printer: Printer, op: arith.ExtUIOp) -> Expr:
    """Print a widening of unsigned bits."""
    source, target = op.input.type, op.result.type
    if source == i1:
        return printer.convert(printer.value(op.input), source, target, op)
    return printer.language.cast.apply(printer.type_name(target, op), unsigned(printer, op.input, op))


def extend_signed(printer: Printer, op: arith.ExtSIOp) -> Expr:
    """Print a widening of signed bits; true is -1."""
    if op.input.type == i1:
        return prefix("-", printer.convert(printer.value(op.input), i1, op.result.type, op))
    return printer.convert(printer.value(op.input), op.input.type, op.result.type, op)


def truncate(printer: Printer, op: arith.TruncIOp) -> Expr:
    """Print a narrowing; a boolean takes the lowest bit."""
    operand = printer.value(op.input)
    if op.result.type == i1:
        return infix("!=", Level.EQUAL, infix("&", Level.BIT_AND, operand, Expr("1")), Expr("0"))
    return printer.convert(operand, op.input.type, op.result.type, op)


INTEGER_RULES: Mapping[type[Operation], ExpressionRule] = {
    arith.ConstantOp: constant,
    arith.AddiOp: _binary("+", Level.ADD),
    arith.SubiOp: _binary("-", Level.ADD),
    arith.MuliOp: _binary("*", Level.MULTIPLY),
    arith.DivSIOp: _binary("/", Level.MULTIPLY),
    arith.RemSIOp: _binary("%", Level.MULTIPLY),
    arith.DivUIOp: _unsigned_binary("/", Level.MULTIPLY),
    arith.RemUIOp: _unsigned_binary("%", Level.MULTIPLY),
    arith.AndIOp: _binary("&", Level.BIT_AND),
    arith.OrIOp: _binary("|", Level.BIT_OR),
    arith.XOrIOp: exclusive_or,
    arith.ShLIOp: _unsigned_binary("<<", Level.SHIFT),
    arith.ShRUIOp: _unsigned_binary(">>", Level.SHIFT),
    arith.ShRSIOp: _binary(">>", Level.SHIFT),
    arith.CeilDivSIOp: _called("ceildiv"),
    arith.FloorDivSIOp: _called("floordiv"),
    arith.MinSIOp: _called("min"),
    arith.MaxSIOp: _called("max"),
    math.AbsIOp: absolute,
    arith.CmpiOp: compare,
    arith.SelectOp: select,
    arith.IndexCastOp: cast,
    arith.ExtUIOp: extend_unsigned,
    arith.ExtSIOp: extend_signed,
    arith.TruncIOp: truncate,
}
"""Keys of helpers asked for: `min_T`, `max_T`, `ceildiv_T`, `floordiv_T`, `abs_T`, with T one of i8, i16, i32, i64."""
