"""What an inlined producer gives outside its tensor: the analysis and the operations it needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, IndexOp, ReadOp, TensorType, WriteOp
from .constants import constant, constant_value
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
        body_reads = [op for op in compute.body.block.ops if isinstance(op, ReadOp) and op.outside is None]
        leaving = tuple(op for op in body_reads if any(_follows(op, compute, n) for n in loose))
        wanted = constant_value(read.outside)
        plain = all(_value_outside(compute, write, n) == wanted for n in loose) and wanted is not None
        return OutsidePlan(compute, loose, leaving, guarded=bool(loose) and not plain)


def _in_range(read: ReadOp, position: int) -> bool:
    """Return whether the index is a loop variable over exactly the dim it reads."""
    expr = read.indices.data[position]
    if not isinstance(expr, Ref):
        return False
    variable, source = read.operands_[expr.position], read.tensor.owner
    nest = variable.owner.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(nest, ComputeOp) or not isinstance(variable, BlockArgument):
        return False
    assert isinstance(source, ComputeOp)
    return _extent(nest, variable.index) == _extent(source, position) is not None


def _extent(nest: ComputeOp, position: int) -> tuple[object, ...] | None:
    """Return something equal for equal ranges that start at 0."""
    lower, upper = (nest_bounds(nest, side, [position], Scope())[0] for side in (nest.lower, nest.upper))
    if tuple(lower[0]) != (Const(0),):
        return None
    index_map, operands = pack(*upper)
    return index_map, tuple(operands)


def _follows(read: ReadOp, compute: ComputeOp, dim: int) -> bool:
    """Return whether the read leaves its tensor exactly when the dim leaves the producer's range."""
    tensor_type = read.tensor.type
    assert isinstance(tensor_type, TensorType)
    for expr, extent in zip(read.indices.data, tensor_type.dims, strict=True):
        if isinstance(expr, Ref) and read.operands_[expr.position] == compute.dims[dim]:
            return extent == _result_dims(compute)[dim]
    return False


def _result_dims(compute: ComputeOp) -> tuple[str | int, ...]:
    result_type = compute.results_[0].type
    assert isinstance(result_type, TensorType)
    return result_type.dims


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
        upper = nest_bounds(plan.compute, plan.compute.upper, [dim], Scope())[0]
        if any(v in plan.compute.dims for v in upper[1]):
            raise Diagnostic("OPW322", "an inlined producer has ranges that depend on its other dims", read)
        index = _index(builder, places[dim], read)
        below = _compare(builder, "sge", index, constant(builder, IndexType(), 0, read), read)
        bounds = [_index(builder, IndexValue(e, tuple(upper[1])), read) for e in upper[0]]
        inside = [below, *(_compare(builder, "slt", index, bound, read) for bound in bounds)]
        for condition in inside:
            select = builder.insert(arith.SelectOp(condition, value, read.outside))
            select.location = read.location
            value = select.result
    return value


def _index(builder: Builder, place: IndexValue, at: Operation) -> SSAValue:
    op = builder.insert(IndexOp(*pack([place.expr], place.operands)))
    op.location = at.location
    return op.result


def _compare(builder: Builder, kind: str, lhs: SSAValue, rhs: SSAValue, at: Operation) -> SSAValue:
    op = builder.insert(arith.CmpiOp(lhs, rhs, kind))
    op.location = at.location
    return op.result
