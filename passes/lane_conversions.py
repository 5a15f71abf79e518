"""Rounding and conversions of lanes, in steps that have row instructions, for the pass legalize-lanes."""

from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, f16, f32, i8, i16
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.tile import ChooseOp
from .loops_scalars import Insert, convert

ROUNDING = (math.CeilOp, math.FloorOp, math.RoundEvenOp, math.TruncOp)


def with_sign(op: Operation, insert: Insert) -> SSAValue:
    """Return the rounded value with the sign of its source, also where it is 0."""
    source = op.operands[0]
    zero = constant(0, source.type, insert)
    signed = insert(arith.MulfOp(source, zero))
    rounded = insert(op.clone())
    return insert(ChooseOp("eq", rounded, zero, signed, rounded))


def constant(number: float, kind: Attribute, insert: Insert) -> SSAValue:
    """Return a float constant."""
    assert isinstance(kind, AnyFloat)
    return insert(arith.ConstantOp(FloatAttr(float(number), kind)))


def to_float(value: SSAValue, target: Attribute, insert: Insert) -> SSAValue:
    """Return an integer as a float; a byte becomes f16 first, which holds all of them."""
    if value.type == i8:
        value = insert(arith.SIToFPOp(value, f16))
    return convert(value, target, insert)


def to_integer(value: SSAValue, target: Attribute, insert: Insert) -> SSAValue:
    """Return a float as an integer, cut toward 0; of f32 a byte is made by way of i16 and f16, which hold all bytes."""
    if value.type == f32 and target == i8:
        value = insert(arith.SIToFPOp(insert(arith.FPToSIOp(value, i16)), f16))
    return insert(arith.FPToSIOp(value, cast("IntegerType", target)))
