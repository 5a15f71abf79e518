"""fuse: run computes over the same points in one nest, so that what they both read is read once.

Before:

    %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
      %a = spec.read %x[%i, %h] : f32
      spec.write %a to 0[%i, %h]
    }
    %s = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], f32> {
      %a = spec.read %x[%i, %h] : f32
      spec.write add %a to 0[%h]
    }

After, with the order of the first nest:

    %y, %s = spec.compute (%i: 0 to %N, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[H], f32>) {
      %a = spec.read %x[%i, %h] : f32
      spec.write %a to 0[%i, %h]
      %a_1 = spec.read %x[%i, %h] : f32
      spec.write add %a_1 to 1[%h]
    }
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntAttr, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import Ref
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec import ComputeOp, OperatorOp, ReadOp, TensorType, WriteOp
from .ragged_sums import is_ragged
from .reduction_plan import reduced_dims
from .spec_rewrite import clone_body, computes, find_operator, nest_writes
from .spec_scope import Scope, nest_bounds, nest_header

Range = tuple[tuple[IndexMapAttr, tuple[SSAValue, ...]], tuple[IndexMapAttr, tuple[SSAValue, ...]]]


@dataclass(frozen=True)
class FusionPlan:
    """Two computes that run in one nest.

    Attributes:
        first: its nest and order stay.
        second: joins it.
        partners: for each dim of `second`, the position of its partner in `first`.
    """

    first: ComputeOp
    second: ComputeOp
    partners: tuple[int, ...]

    @staticmethod
    def analyze(first: ComputeOp, second: ComputeOp) -> "FusionPlan | None":
        """Return the plan, or None where the two share no points or no input, or the second needs what comes later."""
        if not _inputs(first) & _inputs(second) or not _known(first, second):
            return None
        partners = _match(first, second)
        plan = None if partners is None else FusionPlan(first, second, partners)
        return plan if plan is not None and plan.stays_simple() else None

    def stays_simple(self) -> bool:
        """Return whether all results have their lanes along one dim and combine over the same dims, if they do.

        Computes that follow data keep places of their own, so that they need to have the points alone.
        """
        own = range(len(self.first.dims))
        if is_ragged(self.first) or is_ragged(self.second):
            return is_ragged(self.first) and is_ragged(self.second)
        lanes = _lanes(self.first, own) | _lanes(self.second, self.partners)
        summed = _summed(self.first, own) | _summed(self.second, self.partners)
        return len(lanes) == 1 and len(summed) < 2


@dataclass(frozen=True)
class FusePass(ModulePass):
    """Fuse neighbouring computes with equal ranges."""

    name = "fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        _constants_first(operator)
        pending = computes(operator)
        while pending:
            first = pending.pop(0)
            for second in list(pending):
                plan = FusionPlan.analyze(first, second)
                if plan is not None:
                    first = fuse(plan)
                    pending.remove(second)


def _constants_first(operator: OperatorOp) -> None:
    """Move constants to the start, so that no compute waits for one."""
    block = operator.body.block
    for op in reversed([op for op in block.ops if isinstance(op, ConstantOp)]):
        op.detach()
        assert block.first_op is not None
        block.insert_op_before(op, block.first_op)


def _inputs(compute: ComputeOp) -> set[SSAValue]:
    return {op.tensor for op in compute.body.walk() if isinstance(op, ReadOp)}


def _known(first: ComputeOp, second: ComputeOp) -> bool:
    """Return whether everything that the second compute uses is defined in front of the first."""
    owners = {operand.owner for op in second.walk() for operand in op.operands}
    outer = [op for op in owners if isinstance(op, Operation) and op.parent is second.parent]
    return all(op.is_before_in_block(first) for op in outer)


def _lanes(compute: ComputeOp, positions: Sequence[int]) -> set[int | None]:
    """Return the positions of the loop variables in which the writes end; None for another index."""
    lasts = [(w, w.indices.data[-1] if w.indices.data else None) for w in nest_writes(compute)]
    variables = [w.operands_[e.position] if isinstance(e, Ref) else None for w, e in lasts]
    return {positions[v.index] if isinstance(v, BlockArgument) and v in compute.dims else None for v in variables}


def _summed(compute: ComputeOp, positions: Sequence[int]) -> set[frozenset[int]]:
    """Return the sets of positions that results combine over."""
    over = (reduced_dims(compute, number) for number in range(len(compute.results_)))
    return {frozenset(positions[n] for n in dims) for dims in over if dims}


def _ranges(compute: ComputeOp) -> list[Range]:
    every = range(len(compute.dims))
    lower, upper = (nest_bounds(compute, side, every, Scope()) for side in (compute.lower, compute.upper))
    packed = [(pack(*low), pack(*high)) for low, high in zip(lower, upper, strict=True)]
    return [((low[0], tuple(low[1])), (high[0], tuple(high[1]))) for low, high in packed]


def _match(first: ComputeOp, second: ComputeOp) -> tuple[int, ...] | None:
    ranges, others = _ranges(first), _ranges(second)
    if len(ranges) != len(others) or any(dim in bound[1] for dim in first.dims for r in ranges for bound in r):
        return None
    partners: list[int] = []
    for position, other in enumerate(others):
        name = second.dims[position].name_hint
        free = [n for n, r in enumerate(ranges) if r == other and n not in partners]
        if not free:
            return None
        same_name = [n for n in free if first.dims[n].name_hint == name]
        partners.append((same_name or free)[0])
    return tuple(partners)


def fuse(plan: FusionPlan) -> ComputeOp:
    """Replace the first compute by both, and erase the second."""
    first, second = plan.first, plan.second
    body = Block(arg_types=[dim.type for dim in first.dims])
    scope = Scope()
    for dim, argument in zip(first.dims, body.args, strict=True):
        argument.name_hint = dim.name_hint
        scope.values[dim] = argument
    clone_body(first.body.block, scope, body)
    joined = Scope({dim: body.args[p] for dim, p in zip(second.dims, plan.partners, strict=True)})
    count = len(body.ops)
    clone_body(second.body.block, joined, body)
    _renumber(list(body.ops)[count:], len(first.results_))
    header, bounds = nest_header(first, scope, body.args)
    new = ComputeOp(header, bounds, _result_types(first, second), Region(body))
    new.location = first.location
    for old, result in zip((*first.results_, *second.results_), new.results_, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(first, new, new.results_[: len(first.results_)])
    Rewriter.replace_op(second, [], new.results_[len(first.results_) :])
    return new


def _result_types(first: ComputeOp, second: ComputeOp) -> list[TensorType]:
    return [result.type for result in (*first.results_, *second.results_)]


def _renumber(ops: Sequence[Operation], offset: int) -> None:
    for top in ops:
        for op in top.walk():
            if isinstance(op, WriteOp):
                op.number = IntAttr(op.number.data + offset)
