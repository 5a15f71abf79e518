"""The second compute of a split reduction: it combines the partial rows in order."""

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, ReadOp, WriteOp
from ..dialect.spec.attrs import compute_type
from .reduction_plan import Sizes, SplitPlan
from .spec_rewrite import nest_writes
from .spec_scope import FROM_ZERO, Bound, make_header


def final_compute(plan: SplitPlan, sizes: Sizes, partial: ComputeOp, number: int) -> ComputeOp:
    """Return the compute that combines the partial rows of one result."""
    old = plan.compute.results_[number]
    source = partial.results_[number]
    rank = old.type.rank
    body = Block(arg_types=[IndexType()] * (rank + 1))
    dims, part = body.args[:rank], body.args[rank]
    names = _names(plan.compute, number)
    for argument, name in zip(body.args, [*names, "part"], strict=True):
        argument.name_hint = name
    builder = Builder(InsertPoint.at_end(body))
    every = [Ref(n) for n in range(rank)]
    read = ReadOp(source, *pack([Ref(rank), *every], [*dims, part]), compute_type(old.type.element_type))
    summed = next(w for w in nest_writes(plan.compute) if w.number.data == number)
    write = WriteOp(read.result, 0, *pack(every, dims), summed.combine)
    _insert_all(builder, [read, write], summed)
    extents = [_result_extent(plan, old.type.dims[n]) for n in range(rank)]
    upper: list[Bound] = [*extents, ([Ref(0)], [sizes.parts.result])]
    header, bounds = make_header(body.args, [FROM_ZERO] * (rank + 1), upper)
    new = ComputeOp(header, bounds, [old.type], Region(body))
    new.location = summed.location
    new.results_[0].name_hint = old.name_hint
    return new


def _insert_all(builder: Builder, ops: Sequence[Operation], at: Operation) -> None:
    for op in ops:
        op.location = at.location
        builder.insert(op)


def _result_extent(plan: SplitPlan, dim: str | int) -> Bound:
    """Return the extent of a dim of a result: a number, or the operator's dim of that name."""
    if isinstance(dim, int):
        return [Const(dim)], []
    block = plan.compute.parent_block()
    assert block is not None
    owner = next(op for op in block.ops if isinstance(op, DimOp) and op.label.data == dim)
    return [Ref(0)], [owner.result]


def _names(compute: ComputeOp, number: int) -> list[str | None]:
    """Return a name for each dim of a result: the loop variable that indexes it, else `n`."""
    write = next(w for w in nest_writes(compute) if w.number.data == number)
    return [write.operands_[e.position].name_hint if isinstance(e, Ref) else "n" for e in write.indices.data]
