"""legalize-lanes: what differs from lane to lane, in operations that have row instructions.

Before, with %a and %x read from lanes and %q a condition that is the same for all lanes of a row:

    %p = arith.cmpf olt, %a, %zero : f32
    %c = arith.andi %p, %q : i1
    %v = arith.select %c, %x, %zero : f32
    %w = math.roundeven %a : f32
    %k = arith.fptosi %w : f32 to i8

After: a choice by a condition on lanes is one by the comparison of two floats; what rounds to 0 keeps its sign; bytes
become f32, and f32 bytes, by way of f16.

    %u = arith.select %q, %x, %zero : f32
    %v = tile.choose "lt" %a, %zero, %u, %zero : f32
    %s = arith.mulf %a, %zero : f32
    %r = math.roundeven %a : f32
    %w = tile.choose "eq" %r, %zero, %s, %r : f32
    %i = arith.fptosi %w : f32 to i16
    %h = arith.sitofp %i : i16 to f16
    %k = arith.fptosi %h : f16 to i8
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ModuleOp, f32, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from ..dialect.tile import ForeachOp
from .lane_choices import LaneChoices
from .lane_conversions import ROUNDING, constant, to_float, to_integer, with_sign
from .loops_scalars import convert
from .stage_view import stages


@dataclass(frozen=True)
class LegalizeLanesPass(ModulePass):
    """Rewrite choices, rounding and conversions of the lanes of point loops."""

    name = "legalize-lanes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for stage in stages(op):
            for points in [inner for inner in stage.body.walk() if isinstance(inner, ForeachOp)]:
                _legalize(points)


def _legalize(points: ForeachOp) -> None:
    lanes: set[SSAValue] = {points.dims[-1]}
    for op in list(points.body.block.ops):
        if lanes.isdisjoint(op.operands):
            continue
        lanes.update(op.results)
        value = _rewritten(op, lanes)
        if value is not None:
            lanes.add(value)
            value.name_hint = op.results[0].name_hint
            op.results[0].replace_all_uses_with(value)
    for op in reversed(list(points.body.block.ops)):
        if op.results and is_side_effect_free(op) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _rewritten(op: Operation, lanes: set[SSAValue]) -> SSAValue | None:
    """Return what stands for the result of an operation on lanes; None where it stays."""

    def insert(new: Operation) -> SSAValue:
        new.location = op.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        if not lanes.isdisjoint(new.operands):
            lanes.update(new.results)
        return new.results[0]

    choices = LaneChoices(lanes, insert)
    match op:
        case arith.SelectOp() if op.cond in lanes and op.result.type != i1:
            return choices.choose(op.cond, op.lhs, op.rhs)
        case arith.UIToFPOp() | arith.ExtUIOp() if op.operands[0].type == i1:
            return _number(op, choices)
        case arith.SIToFPOp():
            return to_float(op.input, op.result.type, insert)
        case arith.FPToSIOp():
            return to_integer(op.input, op.result.type, insert)
        case _:
            return with_sign(op, insert) if isinstance(op, ROUNDING) else None


def _number(op: arith.UIToFPOp | arith.ExtUIOp, choices: LaneChoices) -> SSAValue:
    """Return a condition as 1 or 0."""
    one, zero = (constant(number, f32, choices.insert) for number in (1, 0))
    number, target = choices.choose(op.operands[0], one, zero), op.results[0].type
    if isinstance(target, AnyFloat):
        return convert(number, target, choices.insert)
    return to_integer(number, target, choices.insert)
