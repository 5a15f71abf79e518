"""simplify: index arithmetic and conditions that upstream's canonicalize leaves as they are.

Before:

    %gap = arith.subi %E, %E : index
    %c64 = arith.constant 64 : index
    %c8 = arith.constant 8 : index
    %blocks = arith.divsi %c64, %c8 : index
    %a = arith.andi %p, %q : i1
    %b = arith.andi %a, %p : i1

After (%c0 and %c8_1 are constants):

    %gap = %c0, %blocks = %c8_1, %b = %a

A test that a conjunction makes twice stays where it comes first. Quotients by constants other than 0, minima and maxima
of constants are folded; a division that might trap is left alone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from .constants import constant_value


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


DIVISIONS: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.DivSIOp: _truncated,
    arith.RemSIOp: lambda a, b: a - b * _truncated(a, b),
}

EXTREMES: Mapping[type[Operation], Callable[[int, int], int]] = {arith.MinSIOp: min, arith.MaxSIOp: max}


@dataclass(frozen=True)
class SimplifyPass(ModulePass):
    """Fold index arithmetic and drop what a conjunction tests twice; upstream's cse has to run before."""

    name = "simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            match inner:
                case arith.AndIOp() if inner.result.type == i1:
                    _conjunction(inner)
                case arith.SignlessIntegerBinaryOperation() if isinstance(inner.result.type, IndexType):
                    _fold(inner)
                case _:
                    pass


def _fold(op: arith.SignlessIntegerBinaryOperation) -> None:
    """Replace an index operation whose result is known by a constant."""
    value = _known(op)
    if value is not None:
        new = arith.ConstantOp(IntegerAttr(value, IndexType()))
        new.location = op.location
        new.result.name_hint = op.result.name_hint
        Rewriter.replace_op(op, new)


def _known(op: arith.SignlessIntegerBinaryOperation) -> int | None:
    if isinstance(op, arith.SubiOp) and op.lhs is op.rhs:
        return 0
    lhs, rhs = constant_value(op.lhs), constant_value(op.rhs)
    if not isinstance(lhs, int) or not isinstance(rhs, int):
        return None
    if rhs != 0 and type(op) in DIVISIONS:
        return DIVISIONS[type(op)](lhs, rhs)
    return EXTREMES[type(op)](lhs, rhs) if type(op) in EXTREMES else None


def _conjunction(op: arith.AndIOp) -> None:
    """Let the last operation of a conjunction test each condition once; those of which it is part go away as unused."""
    if all(isinstance(use.operation, arith.AndIOp) for use in op.result.uses) and op.result.has_one_use():
        return
    parts = list(_parts(op))
    kept: list[SSAValue] = []
    tested = set[SSAValue]()
    for part in parts:
        if part not in tested:
            kept.append(part)
            tested.update(_conditions(part))
    if len(kept) == len(parts):
        return
    result = kept[0]
    for part in kept[1:]:
        new = arith.AndIOp(result, part)
        new.location = op.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        result = new.result
    Rewriter.replace_op(op, [], [result])


def _parts(op: arith.AndIOp) -> Iterator[SSAValue]:
    """Yield what a conjunction is made of, in order: conditions, and conjunctions that are used elsewhere, too."""
    for operand in (op.lhs, op.rhs):
        if isinstance(operand.owner, arith.AndIOp) and operand.has_one_use():
            yield from _parts(operand.owner)
        else:
            yield operand


def _conditions(value: SSAValue) -> Iterator[SSAValue]:
    """Yield what holds where a condition does."""
    yield value
    if isinstance(value.owner, arith.AndIOp):
        for operand in (value.owner.lhs, value.owner.rhs):
            yield from _conditions(operand)
