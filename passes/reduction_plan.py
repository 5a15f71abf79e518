"""What the pass split-reductions decides about a compute, and the new dims of a split."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref, ceildiv, refs
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, IndexOp, WriteOp
from ..dialect.tile import FOLD
from .chips import Chip
from .constants import constant
from .lane_chunks import most_lanes
from .naming import first_free
from .ragged_sums import combined_lane, followed, is_inner, is_ragged
from .spec_rewrite import nest_writes
from .spec_scope import Scope, nest_bounds

NEW_DIMS = ("chunk", "chunks", "parts", "lane_chunk", "lane_chunks")
"""What the names of the new dims end in."""


@dataclass(frozen=True)
class SplitPlan:
    """How the reductions of one compute are split.

    Attributes:
        compute: the compute.
        chunked: position of the dim that is cut into chunks: the outermost reduced one.
        others: positions of the other reduced dims whose points have partial rows of their own.
        inside: positions of the other reduced dims that a chunk sums over.
        reduced: numbers of the results that are reductions.
        lane: position of the lanes, where they are summed in chunks with a partial row each; else None.
    """

    compute: ComputeOp
    chunked: int
    others: tuple[int, ...]
    inside: tuple[int, ...]
    reduced: tuple[int, ...]
    lane: int | None

    @staticmethod
    def analyze(compute: ComputeOp, chip: Chip) -> "SplitPlan | None":
        """Return the plan, or None where nothing is combined; raise where results combine over different dims."""
        lane = combined_lane(compute)
        combined = summed_dims(compute)
        summed = tuple(n for n in combined if n != lane)
        if not summed or not _rectangular(compute, summed):
            return None
        first, others = summed[0], summed[1:]
        reduced = tuple(n for n in range(len(compute.results_)) if reduced_dims(compute, n))
        inside = chip.sums_inside or is_ragged(compute)
        places = (() if inside else others, others if inside else ())
        return SplitPlan(compute, first, *places, reduced, lane if chip.staged and lane in combined else None)


def summed_dims(compute: ComputeOp) -> tuple[int, ...]:
    """Return the positions of the dims that results combine over; raise where results differ in that."""
    found = {dims for n in range(len(compute.results_)) if (dims := reduced_dims(compute, n))}
    if len(found) > 1:
        text = "results of one compute combine over different loop variables"
        raise Diagnostic("OPW326", text, compute, "write one compute for each")
    return tuple(sorted(next(iter(found), ())))


def reduced_dims(compute: ComputeOp, number: int) -> frozenset[int]:
    """Return the positions of the dims that the writes of a result combine over."""
    combining = [w for w in nest_writes(compute) if w.number.data == number and w.combine]
    places = [(w, e) for w in combining for e in w.indices.data]
    named = {w.operands_[n] for w, e in places if not _is_computed(compute, w, e) for n in refs(e)}
    named |= {value for w in combining if w.unique is not None for value in followed(w.operands_)}
    return frozenset(n for n, dim in enumerate(compute.dims) if dim not in named) if combining else frozenset()


def _is_computed(compute: ComputeOp, write: WriteOp, expr: IndexExpr) -> bool:
    """Return whether an index follows from what the body computes, so that points of any dim may share it."""
    return any(is_inner(compute, write.operands_[n]) for n in refs(expr))


def _rectangular(compute: ComputeOp, positions: Sequence[int]) -> bool:
    """Return whether the dims run from 0 to one bound that does not depend on other dims."""
    for position in positions:
        upper = compute.upper.data[position].data
        inside = any(n < len(compute.dims) for e in upper for n in refs(e))
        if compute.lower.data[position].data != (Const(0),) or len(upper) != 1 or inside:
            return False
    return True


@dataclass(frozen=True)
class Sizes:
    """The new dims of a split.

    Attributes:
        chunk: points of a chunk.
        chunks: how many there are.
        parts: partial rows.
        extents: extents of the chunked dim and of the other reduced dims.
        lanes: lanes of a chunk of those, and how many such chunks there are; None where lanes are not summed in chunks.
    """

    chunk: SSAValue
    chunks: SSAValue
    parts: DimOp
    extents: tuple[SSAValue, ...]
    lanes: tuple[SSAValue, SSAValue] | None


def build_sizes(builder: Builder, plan: SplitPlan, chip: Chip) -> Sizes:
    """Build the dims. The chunk grows with the number of points so that there are about `chunk_parts` parts of work."""
    compute = plan.compute
    stem = _stem(plan)

    def dim(label: str, expr: IndexExpr, operands: Sequence[SSAValue]) -> DimOp:
        op = DimOp(f"{stem}_{label}", *pack([expr], operands))
        op.location = compute.location
        op.result.name_hint = f"{stem}_{label}"
        return builder.insert(op)

    extents = [_extent(builder, compute, p) for p in (plan.chunked, *plan.others)]
    product: IndexExpr = Ref(0)
    for n in range(1, len(extents)):
        product = product * Ref(n)
    chunk = dim("chunk", Ref(0), [_chunk_rows(builder, compute, ceildiv(product, chip.chunk_parts), extents, chip)])
    chunks = dim("chunks", ceildiv(Ref(0), Ref(1)), [extents[0], chunk.result])
    factors = [chunks.result, *extents[1:]]
    if plan.lane is None:
        return Sizes(chunk.result, chunks.result, dim("parts", product, factors), tuple(extents), None)
    lanes = _extent(builder, compute, plan.lane)
    lane_chunk = dim("lane_chunk", Ref(0), [_lane_chunk(builder, lanes, chip, compute)])
    lane_chunks = dim("lane_chunks", ceildiv(Ref(0), Ref(1)), [lanes, lane_chunk.result])
    parts = dim("parts", product * Ref(len(factors)), [*factors, lane_chunks.result])
    cut = (lane_chunk.result, lane_chunks.result)
    return Sizes(chunk.result, chunks.result, parts, tuple(extents), cut)


def _stem(plan: SplitPlan) -> str:
    """Return the name of the reduction, made different from what other splits have taken."""
    stem = next(plan.compute.results_[n].name_hint for n in plan.reduced) or "sum"
    block = plan.compute.parent_block()
    assert block is not None
    taken = {op.label.data for op in block.ops if isinstance(op, DimOp)}
    return first_free(stem, lambda name: not taken & {f"{name}_{what}" for what in NEW_DIMS})


def _chunk_rows(
    builder: Builder, compute: ComputeOp, wish: IndexExpr, extents: Sequence[SSAValue], chip: Chip
) -> SSAValue:
    """Append the points of a chunk: what is wished for, within the target's limits."""
    wished = _insert(builder, IndexOp(*pack([wish], extents)), compute)
    smallest, largest = (constant(builder, IndexType(), rows, compute) for rows in chip.chunk_rows)
    enough = _insert(builder, arith.MaxSIOp(wished, smallest), compute)
    return _insert(builder, arith.MinSIOp(enough, largest), compute)


def _lane_chunk(builder: Builder, lanes: SSAValue, chip: Chip, at: Operation) -> SSAValue:
    """Append the lanes of a chunk: even chunks of whole folds, as few as instructions can repeat over."""
    most, one = (constant(builder, IndexType(), n, at) for n in (most_lanes(chip), 1))

    def index(expr: IndexExpr, *operands: SSAValue) -> SSAValue:
        return _insert(builder, IndexOp(*pack([expr], operands)), at)

    chunks = _insert(builder, arith.MaxSIOp(index(ceildiv(Ref(0), Ref(1)), lanes, most), one), at)
    folds = index(ceildiv(ceildiv(Ref(0), Ref(1)), FOLD), lanes, chunks)
    return index(Ref(0) * FOLD, _insert(builder, arith.MaxSIOp(folds, one), at))


def _insert(builder: Builder, op: Operation, at: Operation) -> SSAValue:
    op.location = at.location
    return builder.insert(op).results[0]


def _extent(builder: Builder, compute: ComputeOp, position: int) -> SSAValue:
    exprs, values = nest_bounds(compute, compute.upper, [position], Scope())[0]
    if isinstance(exprs[0], Ref):
        return values[exprs[0].position]
    return _insert(builder, IndexOp(*pack(exprs, values)), compute)
