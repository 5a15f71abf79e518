"""hoist-dims: dims of an inner nest whose range depends on no data move to the outer nest.

Before:

    %y = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], f32> {
      %n = spec.read %count[%t] : index
      spec.each (%w: 0 to %n, %i: 0 to %N) { ... spec.write add %v to 0[%w, %i] }
    }

After: points are combined in the order t, i, w.

    %y = spec.compute (%t: 0 to %T, %i: 0 to %N) -> !spec.tensor<[K, N], f32> {
      %n = spec.read %count[%t] : index
      spec.each (%w: 0 to %n) { ... spec.write add %v to 0[%w, %i] }
    }
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import refs
from ..dialect.spec import ComputeOp, EachOp, WriteOp
from .spec_rewrite import at_end, clone_body, clone_into, computes, find_operator
from .spec_scope import Scope, make_header, nest_bounds


@dataclass(frozen=True)
class HoistDimsPass(ModulePass):
    """Move the dims of the one inner nest of a compute that need no value of its body."""

    name = "hoist-dims"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        for compute in computes(operator) if operator is not None else []:
            plan = HoistPlan.analyze(compute)
            if plan is not None:
                hoist(plan)


@dataclass(frozen=True)
class HoistPlan:
    """A compute, its inner nest, and the positions of the dims of that nest that move or stay."""

    compute: ComputeOp
    inner: EachOp
    moved: tuple[int, ...]
    kept: tuple[int, ...]

    @staticmethod
    def analyze(compute: ComputeOp) -> "HoistPlan | None":
        """Return the plan, or None where no dim can move: what the body itself writes would be written once a point."""
        nests = [op for op in compute.body.block.ops if isinstance(op, EachOp)]
        if len(nests) != 1 or any(isinstance(op, WriteOp) for op in compute.body.block.ops):
            return None
        every = range(len(nests[0].dims))
        moved = tuple(n for n in every if _is_free(compute, nests[0], n))
        return HoistPlan(compute, nests[0], moved, tuple(n for n in every if n not in moved)) if moved else None


def _is_free(compute: ComputeOp, inner: EachOp, position: int) -> bool:
    """Return whether the range of a dim of the inner nest needs neither its other dims nor values of the body."""
    bounds = (*inner.lower.data[position].data, *inner.upper.data[position].data)
    used = {inner.bound_values[n] for e in bounds for n in refs(e)}
    inside = {result for op in compute.body.block.ops for result in op.results}
    return not used & (set(inner.dims) | inside)


def hoist(plan: HoistPlan) -> None:
    """Rebuild the compute."""
    old, inner = plan.compute, plan.inner
    dims = [*old.dims, *(inner.dims[n] for n in plan.moved)]
    body = Block(arg_types=[IndexType()] * len(dims))
    scope = Scope()
    for dim, argument in zip(dims, body.args, strict=True):
        argument.name_hint = dim.name_hint
        scope.values[dim] = argument
    builder = at_end(body)
    for op in old.body.block.ops:
        if op is not inner:
            clone_into(builder, op, scope)
    _rebuild_inner(plan, scope, body)
    every = range(len(old.dims))
    lower, upper = (
        [*nest_bounds(old, outer_side, every, scope), *nest_bounds(inner, inner_side, plan.moved, scope)]
        for outer_side, inner_side in ((old.lower, inner.lower), (old.upper, inner.upper))
    )
    header, bounds = make_header(body.args, lower, upper)
    new = ComputeOp(header, bounds, [r.type for r in old.results_], Region(body))
    _replace(old, new)


def _rebuild_inner(plan: HoistPlan, scope: Scope, body: Block) -> None:
    """Append the inner nest with the dims that stay, or its body where none does."""
    inner = plan.inner
    if not plan.kept:
        clone_body(inner.body.block, scope, body)
        return
    block = Block(arg_types=[IndexType()] * len(plan.kept))
    for position, argument in zip(plan.kept, block.args, strict=True):
        argument.name_hint = inner.dims[position].name_hint
        scope.values[inner.dims[position]] = argument
    clone_body(inner.body.block, scope, block)
    lower, upper = (nest_bounds(inner, side, plan.kept, scope) for side in (inner.lower, inner.upper))
    header, bounds = make_header(block.args, lower, upper)
    each = EachOp(header, bounds, Region(block))
    each.location = inner.location
    at_end(body).insert(each)


def _replace(old: ComputeOp, new: ComputeOp) -> None:
    new.location = old.location
    for before, after in zip(old.results_, new.results_, strict=True):
        after.name_hint = before.name_hint
    Rewriter.replace_op(old, new)
