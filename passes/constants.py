"""Scalar constants: reading them and building them."""

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa


def constant_value(value: SSAValue) -> int | float | None:
    """Return the number a value always is, or None."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    attr: Attribute = value.owner.value
    if isinstance(attr, IntegerAttr | FloatAttr):
        return attr.value.data
    return None


def identity(combiner: str, value_type: Attribute) -> float | int:
    """Return what combines with any value of the type to that value."""
    if combiner == "add":
        return 0
    if isinstance(value_type, IntegerType):
        half = 1 << (value_type.bitwidth - 1)
        return -half if combiner == "max" else half - 1
    return float("-inf") if combiner == "max" else float("inf")


def scalar_attr(value_type: Attribute, value: float) -> FloatAttr | IntegerAttr[IntegerType | IndexType]:
    """Return a number as an attribute of a scalar type."""
    if isinstance(value_type, AnyFloat):
        return FloatAttr(float(value), value_type)
    assert isa(value_type, IntegerType | IndexType)
    return IntegerAttr(int(value), value_type)


def constant(builder: Builder, value_type: Attribute, value: float, at: Operation) -> SSAValue:
    """Insert a constant of a scalar type, placed in the source where `at` is."""
    op = builder.insert(arith.ConstantOp(scalar_attr(value_type, value)))
    op.location = at.location
    return op.result
