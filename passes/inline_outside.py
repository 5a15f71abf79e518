"""What an inlined producer gives outside its tensor: the analysis and the operations it needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Ref, linear
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, IndexOp, ReadOp, WriteOp
from ..dialect.spec.attrs import tensor_type
from .constants import constant, constant_value
from .coverage import runs_over
from .spec_scope import IndexValue, Scope, nest_bounds


@dataclass(frozen=True)
class OutsidePlan:
    """How the value outside the producer's tensor comes about.

    Attributes:
        loose: dims of the producer whose index may leave its range.
        reads: reads of the producer's body that leave their tensor exactly when such a dim does.
        guarded: the body's value must be replaced by a select; without it the reads' own `else` give the right value.
    """

    compute: ComputeOp
    loose: tuple[int, ...]
    reads: tuple[ReadOp, ...]
    guarded: bool

    @staticmethod
    def analyze(compute: ComputeOp, write: WriteOp, read: ReadOp) -> "OutsidePlan":
        """Decide for one read of the producer."""
        if read.outside is None:
            return OutsidePlan(compute, (), (), guarded=False)
        loose = tuple(n for n in range(len(compute.dims)) if not _in_range(read, n))
        leaving = _reads_that_follow(compute, {compute.dims[n] for n in loose})
        wanted = constant_value(read.outside)
        plain = all(_value_outside(compute, write, n) == wanted for n in loose) and wanted is not None
        return OutsidePlan(compute, loose, leaving, guarded=bool(loose) and not plain)


def _in_range(read: ReadOp, position: int) -> bool:
    """Return whether the index is a loop variable over exactly the dim it reads."""
    expr = read.indices.data[position]
    dim = tensor_type(read.tensor).dims[position]
    return isinstance(expr, Ref) and runs_over(read.operands_[expr.position], dim)


def _reads_that_follow(compute: ComputeOp, dims: set[SSAValue]) -> tuple[ReadOp, ...]:
    """Return the reads without `else` whose place depends on some of the dims."""
    follow: set[SSAValue] = set(dims)
    reads: list[ReadOp] = []
    for op in compute.body.block.ops:
        if not follow.isdisjoint(op.operands):
            follow.update(op.results)
            if isinstance(op, ReadOp) and op.outside is None and not follow.isdisjoint(op.operands_):
                reads.append(op)
    return tuple(reads)


def _follows(read: ReadOp, compute: ComputeOp, dim: int) -> bool:
    """Return whether the read leaves its tensor exactly when the dim leaves the producer's range."""
    for expr, extent in zip(read.indices.data, tensor_type(read.tensor).dims, strict=True):
        if isinstance(expr, Ref) and read.operands_[expr.position] == compute.dims[dim]:
            return extent == compute.results_[0].type.dims[dim]
    return False


def _value_outside(compute: ComputeOp, write: WriteOp, dim: int) -> float | int | None:
    """Return the constant the body gives when this dim is out of range and such reads give 0, or None."""
    known: dict[SSAValue, float | int | None] = {}

    def value(operand: SSAValue) -> float | int | None:
        return known[operand] if operand in known else constant_value(operand)

    for op in compute.body.block.ops:
        match op:
            case ReadOp():
                known[op.result] = 0 if op.outside is None and _follows(op, compute, dim) else None
            case arith.SelectOp():
                known[op.result] = _select(value(op.cond), value(op.lhs), value(op.rhs))
            case _:
                known.update((result, None) for result in op.results)
    return value(write.value)


def _select(cond: float | int | None, lhs: float | int | None, rhs: float | int | None) -> float | int | None:
    if cond is not None:
        return lhs if cond else rhs
    return lhs if lhs == rhs else None


def with_outside(read: ReadOp) -> SSAValue:
    """Give an inserted read the `else` 0 of its type; return the new result."""
    zero = constant(Builder(InsertPoint.before(read)), read.result.type, 0, read)
    new = ReadOp(read.tensor, read.indices, read.operands_, read.result.type, zero)
    new.location = read.location
    new.result.name_hint = read.result.name_hint
    Rewriter.replace_op(read, new)
    return new.result


def guard_outside(
    builder: Builder, value: SSAValue, plan: OutsidePlan, places: Sequence[IndexValue], read: ReadOp
) -> SSAValue:
    """Select the consumer's `else` where an index leaves the producer's range."""
    assert read.outside is not None
    for dim in plan.loose:
        for condition in _inside(builder, plan, dim, places[dim], read):
            select = builder.insert(arith.SelectOp(condition, value, read.outside))
            select.location = read.location
            value = select.result
    return value


def _inside(builder: Builder, plan: OutsidePlan, dim: int, place: IndexValue, read: ReadOp) -> list[SSAValue]:
    """Insert the comparisons that say whether an index is in the range of a dim, but for what holds anyway."""
    (end,), operands = nest_bounds(plan.compute, plan.compute.upper, [dim], Scope())[0]
    before, behind = _shift(place, tensor_type(read.tensor).dims[dim])
    index = _index(builder, place, read)
    found: list[SSAValue] = []
    if before:
        found.append(_compare(builder, "sge", index, constant(builder, IndexType(), 0, read), read))
    if behind:
        found.append(_compare(builder, "slt", index, _index(builder, IndexValue(end, tuple(operands)), read), read))
    return found


def _shift(place: IndexValue, extent: str | int) -> tuple[bool, bool]:
    """Return whether an index may lie before a dim and behind it: not both where it runs over the dim, but shifted."""
    form = linear(place.expr)
    if form is None or list(form[0].values()) != [1]:
        return True, True
    (position,) = form[0]
    return (form[1] < 0, form[1] > 0) if runs_over(place.operands[position], extent) else (True, True)


def _index(builder: Builder, place: IndexValue, at: Operation) -> SSAValue:
    if isinstance(place.expr, Ref):
        return place.operands[place.expr.position]
    op = builder.insert(IndexOp(*pack([place.expr], place.operands)))
    op.location = at.location
    return op.result


def _compare(builder: Builder, kind: str, lhs: SSAValue, rhs: SSAValue, at: Operation) -> SSAValue:
    op = builder.insert(arith.CmpiOp(lhs, rhs, kind))
    op.location = at.location
    return op.result
