"""The analysis and the builders of the pass split-reductions."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Binary, Const, IndexExpr, Ref, ceildiv, refs, substitute
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, IndexOp, ReadOp, TensorType, WriteOp
from ..dialect.spec.attrs import compute_type
from .chips import Chip
from .constants import constant
from .spec_rewrite import Bound, IndexValue, Scope, clone_body, make_header, nest_bounds, nest_writes


@dataclass(frozen=True)
class SplitPlan:
    """How the reductions of one compute are split.

    Attributes:
        compute: the compute.
        chunked: position of the dim that is cut into chunks: the outermost reduced one.
        others: positions of the other reduced dims whose points have partial rows of their own.
        inside: positions of the other reduced dims that a chunk sums over.
        reduced: numbers of the results that are reductions.
    """

    compute: ComputeOp
    chunked: int
    others: tuple[int, ...]
    inside: tuple[int, ...]
    reduced: tuple[int, ...]

    @staticmethod
    def analyze(compute: ComputeOp, *, inside: bool) -> "SplitPlan | None":
        """Return the plan, or None where no result combines over a dim of the nest."""
        missing: set[int] = set()
        reduced: list[int] = []
        for number in range(len(compute.results_)):
            over = _reduced_dims(compute, number)
            if over:
                reduced.append(number)
                missing |= over
        if not missing or not _rectangular(compute, sorted(missing)):
            return None
        first, *others = sorted(missing)
        parts, summed = ((), tuple(others)) if inside else (tuple(others), ())
        return SplitPlan(compute, first, parts, summed, tuple(reduced))


def _reduced_dims(compute: ComputeOp, number: int) -> set[int]:
    combining = [w for w in nest_writes(compute) if w.number.data == number and w.combine]
    named = {v for w in combining for e in w.indices.data for n in refs(e) for v in [w.operands_[n]]}
    return {n for n, dim in enumerate(compute.dims) if dim not in named} if combining else set()


def _rectangular(compute: ComputeOp, positions: Sequence[int]) -> bool:
    return all(compute.lower.data[p].data == (Const(0),) and len(compute.upper.data[p].data) == 1 for p in positions)


@dataclass(frozen=True)
class Sizes:
    """The new dims of a split: points of a chunk, chunks, partial rows, and the extents of the other reduced dims."""

    chunk: SSAValue
    chunks: SSAValue
    parts: DimOp
    extents: tuple[SSAValue, ...]


def split(plan: SplitPlan, chip: Chip) -> None:
    """Replace the compute by one over chunks and, for each reduction, one over its partial rows."""
    builder = Builder(InsertPoint.before(plan.compute))
    stem = next(plan.compute.results_[n].name_hint for n in plan.reduced) or "sum"
    sizes = _sizes(builder, plan, stem, chip)
    partial = _partial_compute(plan, sizes)
    builder.insert(partial)
    finals = {number: _final_compute(plan, sizes, partial, number) for number in plan.reduced}
    for final in finals.values():
        builder.insert(final)
    results = [finals[n].results_[0] if n in finals else partial.results_[n] for n in range(len(plan.compute.results_))]
    Rewriter.replace_op(plan.compute, [], results)


def _sizes(builder: Builder, plan: SplitPlan, stem: str, chip: Chip) -> Sizes:
    """Build the dims. The chunk grows with the number of points so that there are about `chunk_parts` parts of work."""
    compute = plan.compute
    smallest, largest = chip.chunk_rows

    def dim(label: str, expr: IndexExpr, operands: Sequence[SSAValue]) -> DimOp:
        op = DimOp(f"{stem}_{label}", *pack([expr], operands))
        op.location = compute.location
        op.result.name_hint = f"{stem}_{label}"
        return builder.insert(op)

    extents = [_extent(builder, compute, p) for p in (plan.chunked, *plan.others)]
    points: IndexExpr = Ref(0)
    for n in range(1, len(extents)):
        points = points * Ref(n)
    wish = builder.insert(IndexOp(*pack([ceildiv(points, chip.chunk_parts)], extents))).result
    low = builder.insert(arith.MaxSIOp(wish, constant(builder, IndexType(), smallest, compute))).result
    bounded = builder.insert(arith.MinSIOp(low, constant(builder, IndexType(), largest, compute))).result
    chunk = dim("chunk", Ref(0), [bounded])
    chunks = dim("chunks", Binary("ceildiv", Ref(0), Ref(1)), [extents[0], chunk.result])
    parts: IndexExpr = Ref(0)
    for n in range(1, len(extents)):
        parts = parts * Ref(n)
    return Sizes(chunk.result, chunks.result, dim("parts", parts, [chunks.result, *extents[1:]]), tuple(extents))


def _extent(builder: Builder, compute: ComputeOp, position: int) -> SSAValue:
    exprs, values = nest_bounds(compute, compute.upper, [position], Scope())[0]
    if isinstance(exprs[0], Ref):
        return values[exprs[0].position]
    return builder.insert(IndexOp(*pack(exprs, values))).result


def _partial_compute(plan: SplitPlan, sizes: Sizes) -> ComputeOp:
    old = plan.compute
    summed = (plan.chunked, *plan.inside)
    lanes = [n for n in (len(old.dims) - 1,) if n not in summed]
    order = [*(n for n in range(len(old.dims)) if n not in (*summed, *lanes)), *summed, *lanes]
    body = Block(arg_types=[IndexType()] * (len(order) + 1))
    body.args[0].name_hint = f"{old.dims[plan.chunked].name_hint or 'i'}_part"
    scope = Scope()
    for position, argument in zip(order, body.args[1:], strict=True):
        argument.name_hint = old.dims[position].name_hint
        scope.values[old.dims[position]] = argument
    clone_body(old.body.block, scope, body)
    row = _part_row(plan, sizes, body.args[0], scope)
    for write in [op for op in body.walk() if isinstance(op, WriteOp) and op.number.data in plan.reduced]:
        _redirect(write, row)
    lower = [([Const(0)], []), *(_bound(plan, sizes, body.args[0], scope, p, upper=False) for p in order)]
    upper = [([Ref(0)], [sizes.chunks]), *(_bound(plan, sizes, body.args[0], scope, p, upper=True) for p in order)]
    header, bounds = make_header(body.args, lower, upper)
    new = ComputeOp(header, bounds, [_partial_type(plan, sizes, n) for n in range(len(old.results_))], Region(body))
    new.location = old.location
    for number, (before, after) in enumerate(zip(old.results_, new.results_, strict=True)):
        suffix = "_partial" if number in plan.reduced else ""
        after.name_hint = f"{before.name_hint}{suffix}" if before.name_hint else None
    return new


def _bound(plan: SplitPlan, sizes: Sizes, chunk: SSAValue, scope: Scope, position: int, *, upper: bool) -> Bound:
    side = plan.compute.upper if upper else plan.compute.lower
    if position != plan.chunked:
        return nest_bounds(plan.compute, side, [position], scope)[0]
    start = Ref(0) * Ref(1)
    operands = [chunk, sizes.chunk, sizes.extents[0]]
    return ([start + Ref(1), Ref(2)], operands) if upper else ([start], operands)


def _part_row(plan: SplitPlan, sizes: Sizes, chunk: SSAValue, scope: Scope) -> IndexValue:
    """Return chunk * extents of the others + their place, row-major."""
    expr: IndexExpr = Ref(0)
    operands: list[SSAValue] = [chunk]
    for extent, position in zip(sizes.extents[1:], plan.others, strict=True):
        operands += [extent, scope.value(plan.compute.dims[position])]
        expr = expr * Ref(len(operands) - 2) + Ref(len(operands) - 1)
    return IndexValue(expr, tuple(operands))


def _redirect(write: WriteOp, row: IndexValue) -> None:
    shift = len(row.operands)
    exprs = [row.expr, *(_shifted(e, shift) for e in write.indices.data)]
    index_map, operands = pack(exprs, [*row.operands, *write.operands_])
    new = WriteOp(write.value, write.number.data, index_map, operands, write.combine, write.guard)
    new.location = write.location
    Rewriter.replace_op(write, new)


def _shifted(expr: IndexExpr, shift: int) -> IndexExpr:
    used = max(refs(expr), default=-1) + 1
    return substitute(expr, [Ref(shift + n) for n in range(used)])


def _partial_type(plan: SplitPlan, sizes: Sizes, number: int) -> TensorType:
    old = plan.compute.results_[number].type
    if number not in plan.reduced:
        return old
    return TensorType.of([sizes.parts.label.data, *old.dims], compute_type(old.element_type))


def _final_compute(plan: SplitPlan, sizes: Sizes, partial: ComputeOp, number: int) -> ComputeOp:
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
    combine = next(w.combine for w in nest_writes(plan.compute) if w.number.data == number)
    write = WriteOp(read.result, 0, *pack(every, dims), combine)
    _insert_all(builder, [read, write], plan.compute)
    extents: list[Bound] = [_result_extent(plan, old.type.dims[n]) for n in range(rank)]
    upper = [*extents, ([Ref(0)], [sizes.parts.result])]
    header, bounds = make_header(body.args, [([Const(0)], [])] * (rank + 1), upper)
    new = ComputeOp(header, bounds, [old.type], Region(body))
    new.location = plan.compute.location
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
