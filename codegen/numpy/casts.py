"""Constants and conversions of arith.

An integer that is narrower than a float converts exactly; otherwise NumPy rounds once, to nearest even.
"""

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ..dtypes import DTYPES
from .expr import Level
from .integers import unsigned
from .writer import Table, Writer


def _constant(w: Writer, op: arith.ConstantOp) -> None:
    match op.value:
        case IntegerAttr(value=number) if op.result.type == i1:
            w.bind(op.result, str(bool(number.data)))
        case IntegerAttr(value=number) if isinstance(op.result.type, IndexType):
            w.bind(op.result, str(number.data))
        case IntegerAttr(value=number):
            w.assign_name(op.result, f"{w.dtype(op.result.type, op)}({_signed(number.data, op.result.type)})")
        case FloatAttr(value=number):
            w.assign_name(op.result, f"{w.dtype(op.result.type, op)}({float_text(number.data, op.result.type)})")
        case _:
            raise Diagnostic("OPW411", f"a constant of type {op.result.type} has no NumPy form", op)


def _signed(number: int, integer: Attribute) -> int:
    """Return the value of the bits as a signed integer."""
    width = 8 * DTYPES[integer].itemsize
    return (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)


def float_text(number: float, element_type: Attribute) -> str:
    """Return the shortest argument from which NumPy makes exactly this number of the type."""
    if not np.isfinite(number):
        return f'"{number}"'
    dtype = DTYPES[element_type]
    short = str(np.array(number, dtype))
    return short if float(np.array(float(short), dtype)) == number else repr(number)


def _extend_signed(w: Writer, op: Operation) -> None:
    source = op.operands[0]
    text = w.convert(source, op.results[0].type, op)
    if source.type == i1:
        w.assign(op.results[0], f"0 - {text}", Level.ADD)
    else:
        w.assign(op.results[0], text)


def _extend_unsigned(w: Writer, op: Operation) -> None:
    source, target = op.operands[0], op.results[0].type
    if source.type == i1:
        w.assign(op.results[0], w.convert(source, target, op))
    else:
        w.assign(op.results[0], f"{unsigned(w, source)}.astype({w.dtype(target, op)})")


def _truncate_integer(w: Writer, op: arith.TruncIOp) -> None:
    if op.result.type == i1:
        w.assign(op.result, f"({w.text(op.input, Level.AND)} & 1) != 0", Level.COMPARE)
    else:
        w.assign(op.result, w.convert(op.input, op.result.type, op))


def _convert(w: Writer, op: Operation) -> None:
    w.assign(op.results[0], w.convert(op.operands[0], op.results[0].type, op))


WIDE = (Float64Type(), IntegerType(32), IntegerType(64))
"""Types of numbers that float32 does not hold exactly."""


def _refuse_double_rounding(op: Operation, source: SSAValue, target: Attribute) -> None:
    """Refuse a conversion that NumPy would round to float32 first, then to bf16."""
    if source.type in WIDE and isinstance(target, BFloat16Type):
        text = f"converting {source.type} to {target} would round twice"
        raise Diagnostic("OPW412", text, op, "convert to f32 first, to say where it rounds")


def _to_float(w: Writer, op: Operation) -> None:
    _refuse_double_rounding(op, op.operands[0], op.results[0].type)
    (_extend_unsigned if isinstance(op, arith.UIToFPOp) else _extend_signed)(w, op)


def _truncate_float(w: Writer, op: arith.TruncFOp) -> None:
    _refuse_double_rounding(op, op.input, op.result.type)
    _convert(w, op)


def _float_to_unsigned(w: Writer, op: arith.FPToUIOp) -> None:
    name = w.dtype(op.result.type, op)
    w.assign(op.result, f"{w.text(op.input)}.astype({name.replace('np.', 'np.u')}).view({name})")


def _bitcast(w: Writer, op: arith.BitcastOp) -> None:
    if op.input.type == op.result.type:
        w.assign(op.result, w.argument(op.input), Level.TERNARY)
    elif not any(isinstance(t, IndexType | MemRefType) or t == i1 for t in (op.input.type, op.result.type)):
        w.assign(op.result, f"{w.text(op.input)}.view({w.dtype(op.result.type, op)})")
    else:
        raise Diagnostic("OPW411", f"bits of {op.input.type} have no NumPy form as {op.result.type}", op)


EMITTERS: Table = {
    arith.ConstantOp: _constant,
    arith.IndexCastOp: _extend_signed,
    arith.ExtSIOp: _extend_signed,
    arith.ExtUIOp: _extend_unsigned,
    arith.TruncIOp: _truncate_integer,
    arith.ExtFOp: _convert,
    arith.TruncFOp: _truncate_float,
    arith.SIToFPOp: _to_float,
    arith.UIToFPOp: _to_float,
    arith.FPToSIOp: _convert,
    arith.FPToUIOp: _float_to_unsigned,
    arith.BitcastOp: _bitcast,
}
