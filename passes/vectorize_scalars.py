"""Scalars of a row, as the pass vectorize computes them beside row instructions."""

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import Ref
from ..dialect.tile import ReadOp
from .index_code import Code
from .row_values import Scalars
from .vectorize_places import PointLoop

NEGATED = {0: "ne", 1: "eq", 2: "sge", 3: "sgt", 4: "sle", 5: "slt", 6: "uge", 7: "ugt", 8: "ule", 9: "ult"}
"""The opposite of each predicate number of arith.cmpi."""


def scalar_value(loop: PointLoop, value: SSAValue, at: tuple[SSAValue, int] | None, code: Code) -> SSAValue:
    """Append the computation of a scalar of row q (plus the shift of the value and `ahead`)."""
    if value is loop.values.points.dims[0]:
        assert at is not None
        return code.expr(Ref(0) + at[1], [at[0]])
    op = value.owner
    if not isinstance(op, Operation) or op.parent_block() is not loop.values.points.body.block:
        return value
    if isinstance(op, ReadOp):
        assert at is not None
        q, ahead = at
        described = loop.values.of(value)
        assert isinstance(described.key, Scalars)
        place = code.expr(Ref(0) + ((described.shift or 0) + ahead), [q])
        row = described.key.place.append(0, code)
        return code.add(memref.LoadOp.get(op.source, [row, place]), value.name_hint).results[0]
    mapper = {operand: scalar_value(loop, operand, at, code) for operand in op.operands}
    return code.add(op.clone(mapper), value.name_hint).results[0]


def row_condition(loop: PointLoop, value: SSAValue, at: tuple[SSAValue, int], code: Code, *, wanted: bool) -> SSAValue:
    """Append the condition, negated unless `wanted`."""
    scalar = scalar_value(loop, value, at, code)
    if wanted:
        return scalar
    compare = scalar.owner
    if isinstance(compare, arith.CmpiOp) and not scalar.uses:
        negated = NEGATED[compare.predicate.value.data]
        operands = compare.operands
        Rewriter.erase_op(compare)
        return code.add(arith.CmpiOp(operands[0], operands[1], negated)).result
    return code.add(arith.XOrIOp(scalar, code.scalar(i1, 1))).result
