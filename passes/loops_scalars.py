"""Scalar operations of the tile dialect as operations of arith and math.

16-bit floats are widened to f32 before and rounded once after; everything else is computed in its own type.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, BFloat16Type, Float16Type, FloatAttr, IntegerAttr, IntegerType, f32
from xdsl.ir import Attribute, Operation, SSAValue

Insert = Callable[[Operation], SSAValue]
"""Inserts an operation and returns its result."""

NARROW = (Float16Type(), BFloat16Type())

FLOAT_BINARY: Mapping[str, type[arith.FloatingPointLikeBinaryOperation]] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "max": arith.MaximumfOp,
    "min": arith.MinimumfOp,
}

INTEGER_BINARY: Mapping[str, type[arith.SignlessIntegerBinaryOperation]] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
}

FLOAT_UNARY: Mapping[str, Callable[[SSAValue], Operation]] = {
    "exp": math.ExpOp,
    "log": math.LogOp,
    "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp,
    "abs": math.AbsFOp,
    "neg": arith.NegfOp,
    "floor": math.FloorOp,
    "ceil": math.CeilOp,
    "rint": math.RoundEvenOp,
    "trunc": math.TruncOp,
}


def is_float(scalar: Attribute) -> bool:
    """Return whether a type is a floating-point type."""
    return isinstance(scalar, AnyFloat)


def integer_width(scalar: Attribute) -> int:
    """Return the bits of an integer type, 0 for any other type."""
    return cast("IntegerType", scalar).width.data if isinstance(scalar, IntegerType) else 0


def can_combine(kind: str, scalar: Attribute) -> bool:
    """Return whether two values of a type can be combined."""
    return kind in FLOAT_BINARY if is_float(scalar) else integer_width(scalar) > 1 and kind in INTEGER_BINARY


def combine(kind: str, lhs: SSAValue, rhs: SSAValue, insert: Insert) -> SSAValue:
    """Return `lhs kind rhs`, rounded once."""
    scalar = lhs.type
    if scalar in NARROW:
        wide = combine(kind, insert(arith.ExtFOp(lhs, f32)), insert(arith.ExtFOp(rhs, f32)), insert)
        return convert(wide, scalar, insert)
    if is_float(scalar):
        return insert(FLOAT_BINARY[kind](lhs, rhs))
    return insert(INTEGER_BINARY[kind](lhs, rhs))


def choose(kind: str, values: Sequence[SSAValue], insert: Insert) -> SSAValue:
    """Return the third value where the first two compare as tile.choose says, else the fourth."""
    a, b, chosen, other = values
    if a.type in NARROW:
        a, b = insert(arith.ExtFOp(a, f32)), insert(arith.ExtFOp(b, f32))
    return insert(arith.SelectOp(insert(arith.CmpfOp(a, b, f"o{kind}")), chosen, other))


def can_apply(kind: str, scalar: Attribute) -> bool:
    """Return whether a function applies to values of a type."""
    return kind == "copy" or is_float(scalar) or (kind in INTEGER_UNARY and integer_width(scalar) > 1)


def apply(kind: str, value: SSAValue, insert: Insert) -> SSAValue:
    """Return a function of a value, rounded once."""
    if kind == "copy":
        return value
    if value.type in NARROW:
        wide = insert(arith.ExtFOp(value, f32))
        return convert(apply(kind, wide, insert), value.type, insert)
    if not is_float(value.type):
        return INTEGER_UNARY[kind](value, insert)
    if kind in FLOAT_UNARY:
        return insert(FLOAT_UNARY[kind](value))
    if kind == "relu":
        return insert(arith.MaximumfOp(value, _constant(0, value.type, insert)))
    return insert(arith.DivfOp(_constant(1, value.type, insert), value))


def _constant(number: int, scalar: Attribute, insert: Insert) -> SSAValue:
    if isinstance(scalar, AnyFloat):
        return insert(arith.ConstantOp(FloatAttr(number, scalar)))
    return insert(arith.ConstantOp(IntegerAttr(number, cast("IntegerType", scalar))))


INTEGER_UNARY: Mapping[str, Callable[[SSAValue, Insert], SSAValue]] = {
    "abs": lambda value, insert: insert(math.AbsIOp(value)),
    "neg": lambda value, insert: insert(arith.SubiOp(_constant(0, value.type, insert), value)),
    "relu": lambda value, insert: insert(arith.MaxSIOp(value, _constant(0, value.type, insert))),
}


def can_convert(source: Attribute, target: Attribute) -> bool:
    """Return whether a value can be converted: exactly to a wider type, else by one rounding, or toward 0."""
    if source == target:
        return True
    bits = integer_width(source)
    if integer_width(target):
        return integer_width(target) > 1 if is_float(source) else 1 < bits < integer_width(target)
    if bits:
        return is_float(target) and bits > 1 and (bits <= 16 or target not in NARROW)
    return is_float(source) and is_float(target)


def convert(value: SSAValue, target: Attribute, insert: Insert) -> SSAValue:
    """Return a value as one of another type."""
    source = value.type
    if source == target:
        return value
    if isinstance(target, AnyFloat):
        return _to_float(value, target, insert)
    if is_float(source):
        wide = insert(arith.ExtFOp(value, f32)) if source in NARROW else value
        return insert(arith.FPToSIOp(wide, cast("IntegerType", target)))
    return insert(arith.ExtSIOp(value, cast("IntegerType", target)))


def _to_float(value: SSAValue, target: AnyFloat, insert: Insert) -> SSAValue:
    source = value.type
    if not isinstance(source, AnyFloat):
        number = insert(arith.SIToFPOp(value, f32 if target in NARROW else target))
        return convert(number, target, insert)
    if source in NARROW and target in NARROW:
        return insert(arith.TruncFOp(insert(arith.ExtFOp(value, f32)), target))
    widens = source.bitwidth < target.bitwidth
    return insert(arith.ExtFOp(value, target) if widens else arith.TruncFOp(value, target))
