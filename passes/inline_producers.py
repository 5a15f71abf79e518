"""inline-producers: compute intermediate tensors where they are read.

Before:

    %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
      %a = spec.read %x[%i] : f32
      %b = arith.mulf %a, %a : f32
      spec.write %b to 0[%i]
    }
    %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
      %v = spec.read %g[%i + 1] else %zero : f32
      spec.write %v to 0[%i]
    }

After: reads of the producer's body get an `else` where the producer may be read outside its tensor. Where that alone
does not give the consumer's `else`, a comparison of the index selects it.

    %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
      %0 = arith.constant 0.0 : f32
      %a = spec.read %x[%i + 1] else %0 : f32
      %b = arith.mulf %a, %a : f32
      spec.write %b to 0[%i]
    }
"""

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Ref
from ..dialect.spec import ComputeOp, EachOp, ReadOp, WriteOp
from .coverage import covers
from .inline_outside import OutsidePlan, guard_outside, with_outside
from .spec_rewrite import clone_into, computes, find_operator, nest_writes
from .spec_scope import IndexValue, Scope, resolve


@dataclass(frozen=True)
class InlineProducersPass(ModulePass):
    """Inline every compute that only names points of its nest once."""

    name = "inline-producers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        for compute in computes(operator):
            producer = Producer.analyze(compute)
            if producer is not None:
                inline(producer)


@dataclass(frozen=True)
class Producer:
    """A compute that can be inlined: one plain write of every element at exactly its dims, read by computes only.

    Attributes:
        compute: the compute.
        write: its write.
        reads: the reads of its result.
    """

    compute: ComputeOp
    write: WriteOp
    reads: tuple[ReadOp, ...]

    @staticmethod
    def analyze(compute: ComputeOp) -> "Producer | None":
        """Return the producer, or None where the compute must stay."""
        writes = nest_writes(compute)
        uses = [use.operation for result in compute.results_ for use in result.uses]
        reads = tuple(op for op in uses if isinstance(op, ReadOp))
        simple = len(compute.results_) == 1 and len(writes) == 1 and len(reads) == len(uses) > 0
        if not simple or any(isinstance(op, EachOp) for op in compute.body.block.ops):
            return None
        write = writes[0]
        named = [write.operands_[e.position] if isinstance(e, Ref) else None for e in write.indices.data]
        if write.combine or named != list(compute.dims) or not covers(compute, 0):
            return None
        return Producer(compute, write, reads)


def inline(producer: Producer) -> None:
    """Replace every read of the producer by a copy of its body, and erase it."""
    for read in producer.reads:
        Rewriter.replace_op(read, [], [_inlined(producer, read)])
    Rewriter.erase_op(producer.compute)


def _inlined(producer: Producer, read: ReadOp) -> SSAValue:
    builder = Builder(InsertPoint.before(read))
    exprs, operands = resolve(read.indices.data, [IndexValue.of(v) for v in read.operands_])
    places = [IndexValue(e, tuple(operands)) for e in exprs]
    plan = OutsidePlan.analyze(producer.compute, producer.write, read)
    scope = Scope()
    for dim, place in zip(producer.compute.dims, places, strict=True):
        scope.indices[dim] = place
    for op in producer.compute.body.block.ops:
        if isinstance(op, WriteOp):
            continue
        new = clone_into(builder, op, scope)
        if isinstance(op, ReadOp) and isinstance(new, ReadOp) and op in plan.reads:
            scope.values[op.result] = with_outside(new)
    value = scope.value(producer.write.value)
    if plan.guarded:
        value = guard_outside(builder, value, plan, places, read)
    if isinstance(value, OpResult) and read.result.name_hint is not None:
        value.name_hint = value.name_hint or read.result.name_hint
    return value
