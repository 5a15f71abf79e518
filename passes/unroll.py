"""unroll: write out the dims of computes that have few points.

Before:

    %y = spec.compute (%i: 0 to %N, %k: 0 to 2) -> !spec.tensor<[N], f32> {
      %a = spec.read %x[%i + %k] : f32
      spec.write add %a to 0[%i]
    }

After: sums whose points are all written out become plain writes, terms added in the order of the dim.

    %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
      %a = spec.read %x[%i] : f32
      %a_1 = spec.read %x[%i + 1] : f32
      %sum = arith.addf %a, %a_1 : f32
      spec.write %sum to 0[%i]
    }
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ModuleOp
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Const, linear, refs
from ..dialect.spec import ComputeOp, WriteOp
from .constants import constant, identity
from .spec_rewrite import clone_body, computes, find_operator, nest_writes
from .spec_scope import IndexValue, Scope, make_header, nest_bounds


@dataclass(frozen=True)
class UnrollPlan:
    """Which dims of a compute are written out.

    Attributes:
        kept: positions of the dims that stay.
        unrolled: positions of the dims that go.
        sizes: number of points of each dim that goes; all start at 0.
    """

    kept: tuple[int, ...]
    unrolled: tuple[int, ...]
    sizes: tuple[int, ...]

    @staticmethod
    def analyze(compute: ComputeOp, limit: int) -> "UnrollPlan | None":
        """Return the plan for dims of at most `limit` points, outermost first, or None where there is none."""
        sizes: dict[int, int] = {}
        budget = limit
        for position in range(len(compute.dims)):
            size = _constant_size(compute, position)
            if size is not None and 1 <= size <= budget and not _bounds_others(compute, position):
                sizes[position] = size
                budget //= size
        if not sizes or len(sizes) == len(compute.dims):
            return None
        kept = tuple(p for p in range(len(compute.dims)) if p not in sizes)
        return UnrollPlan(kept, tuple(sizes), tuple(sizes.values()))


@dataclass(frozen=True)
class UnrollPass(ModulePass):
    """Write out small constant dims; `limit` bounds the points a compute may grow by.

    Writes that combine into one place become one write. It is a plain one where no loop combines over it.
    """

    name = "unroll"

    limit: int = 8

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        for compute in computes(operator):
            plan = UnrollPlan.analyze(compute, self.limit)
            new = compute if plan is None else unroll(compute, plan)
            if plan is not None:
                Rewriter.replace_op(compute, new)
            merge_writes(new)


def _constant_size(compute: ComputeOp, position: int) -> int | None:
    lower, upper = compute.lower.data[position].data, compute.upper.data[position].data
    match (*lower, *upper):
        case (Const(0), Const(size)):
            return size
        case _:
            return None


def _bounds_others(compute: ComputeOp, position: int) -> bool:
    """Return whether the range of another dim depends on this one."""
    return any(position in refs(e) for side in (compute.lower, compute.upper) for bound in side for e in bound.data)


def unroll(compute: ComputeOp, plan: UnrollPlan) -> ComputeOp:
    """Return the compute with the planned dims written out; points keep their order for each element."""
    body = Block(arg_types=[compute.dims[p].type for p in plan.kept])
    base = Scope()
    for position, argument in zip(plan.kept, body.args, strict=True):
        argument.name_hint = compute.dims[position].name_hint
        base.values[compute.dims[position]] = argument
    for point in product(*(range(size) for size in plan.sizes)):
        scope = base.inner()
        for position, value in zip(plan.unrolled, point, strict=True):
            scope.indices[compute.dims[position]] = IndexValue.of(value)
        clone_body(compute.body.block, scope, body)
    lower, upper = (nest_bounds(compute, side, plan.kept, base) for side in (compute.lower, compute.upper))
    header, bounds = make_header(body.args, lower, upper)
    new = ComputeOp(header, bounds, [r.type for r in compute.results_], Region(body))
    new.location = compute.location
    for old, result in zip(compute.results_, new.results_, strict=True):
        result.name_hint = old.name_hint
    return new


def merge_writes(compute: ComputeOp) -> None:
    """Join the combining writes of one place; the result is a plain write where no loop combines over it.

    Guards become selects of a value that changes nothing.
    """
    for number in range(len(compute.results_)):
        combining = [w for w in nest_writes(compute) if w.number.data == number and w.combine]
        if any(not isinstance(write.parent_op(), ComputeOp) or write.unique is not None for write in combining):
            continue
        groups: dict[tuple[object, ...], list[WriteOp]] = {}
        for write in combining:
            groups.setdefault((write.indices, tuple(write.operands_)), []).append(write)
        firsts = [writes[0] for writes in groups.values()]
        plain = _apart(firsts) and all(_names_all_dims(write, compute.dims) for write in firsts)
        for writes in groups.values():
            if plain or len(writes) > 1 or writes[0].guard is not None:
                _merge(writes, "" if plain else writes[0].combine)


def _apart(writes: Sequence[WriteOp]) -> bool:
    """Return whether no two of the writes can name one element: a constant index tells them apart."""
    pairs = combinations((write.indices.data for write in writes), 2)
    return all(
        any(isinstance(a, Const) and isinstance(b, Const) and a != b for a, b in zip(*p, strict=True)) for p in pairs
    )


def _names_all_dims(write: WriteOp, dims: Sequence[BlockArgument]) -> bool:
    named: set[SSAValue] = set()
    for expr in write.indices.data:
        form = linear(expr)
        if form is not None and len(form[0]) == 1:
            position, coefficient = next(iter(form[0].items()))
            if abs(coefficient) == 1:
                named.add(write.operands_[position])
    return named >= set(dims)


def _merge(writes: Sequence[WriteOp], combiner: str) -> None:
    last = writes[-1]
    total = _guarded_value(writes[0])
    for write in writes[1:]:
        total = _combine(total, _guarded_value(write), write)
    joined = WriteOp(total, last.number.data, last.indices, last.operands_, combiner)
    joined.location = last.location
    Builder(InsertPoint.before(last)).insert(joined)
    for write in writes:
        Rewriter.erase_op(write)


def _guarded_value(write: WriteOp) -> SSAValue:
    """Return what a write combines: where its guard does not hold, a value that changes nothing."""
    if write.guard is None:
        return write.value
    builder = Builder(InsertPoint.before(write))
    nothing = constant(builder, write.value.type, identity(write.combine, write.value.type), write)
    select = builder.insert(arith.SelectOp(write.guard, write.value, nothing))
    select.location = write.location
    return select.result


COMBINE: dict[str, tuple[type[arith.FloatingPointLikeBinaryOperation], type[arith.SignlessIntegerBinaryOperation]]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
}
"""The operations of each combiner, on floats and on integers."""


def _combine(lhs: SSAValue, rhs: SSAValue, at: WriteOp) -> SSAValue:
    on_floats, on_integers = COMBINE[at.combine]
    op = (on_floats if isinstance(lhs.type, AnyFloat) else on_integers)(lhs, rhs)
    op.location = at.location
    Builder(InsertPoint.before(at)).insert(op)
    op.result.name_hint = "sum" if at.combine == "add" else at.combine
    return op.result
