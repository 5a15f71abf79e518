"""What the pass tile decides about a compute whose ranges or places follow from data, before it changes anything.

Such a compute runs as scalar loops around point loops. The first outer dim and tiles of the row dim and the lane dim
are the items that cores share; the other dims and the inner nests are loops of an item, and all that differs neither
from row to row nor from lane to lane is computed beside them, once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, Ref, refs
from ..dialect.spec import ComputeOp, EachOp, ReadOp, TensorType, WriteOp
from .chips import Chip
from .lane_chunks import chunk_of_writes
from .ragged_sums import RaggedSum, combined_lane, followed, sums_of
from .scatter_plan import Scatter, scatters_of
from .spec_rewrite import nest_writes

Access = ReadOp | WriteOp


@dataclass(frozen=True)
class RaggedPlan:
    """How a compute with data-dependent ranges or places becomes a stage.

    Attributes:
        compute: the compute.
        label: the stage's name.
        lane: position of the contiguous dim.
        row: position of the dim whose points are the rows of a tile, or None where a tile has one row.
        outer: positions of the dims that items are made of.
        walk: positions of the dims that an item loops over, outermost first.
        sums: the results that are combined.
        streamed_bytes: smallest element size of what is read by lanes.
        scatters: the results with computed places.
        fold: partial results that lanes fold onto where they are combined.
        whole_folds: loops over whole folds of lanes, and over the rest, serve the target better than one loop.
        gate: the stage that runs where it fits on chip; where it does not, the one for large sizes runs in its place.
            None where there is one stage for all sizes.
        limit: most lanes of a row with which the first of them runs; None for no limit.
        large: this is the one for large sizes: rows that loops name one by one are not kept on chip.
        strips: lanes that are combined do not lie in one tile: point loops take them in strips.
        single: a tile has one row in any case.
    """

    compute: ComputeOp
    label: str
    lane: int
    row: int | None
    outer: tuple[int, ...]
    walk: tuple[int, ...]
    sums: tuple[RaggedSum, ...]
    streamed_bytes: int
    scatters: tuple[Scatter, ...]
    fold: int
    whole_folds: bool
    gate: str | None = None
    limit: int | None = None
    large: bool = False
    strips: bool = False
    single: bool = False

    @property
    def point_dims(self) -> tuple[int, ...]:
        """Return the positions of the dims that number the points of a scattered write: all but the lanes."""
        return tuple(n for n in range(len(self.compute.dims)) if n != self.lane)

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return the tensors that the stage computes."""
        return tuple(self.compute.results_)

    @property
    def combines_lanes(self) -> bool:
        """Return whether a result combines over the lanes."""
        return any(not s.has_lanes for s in self.sums)

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the names of the numbers that a stage has for itself.

        The lane tile, unless it is a chunk; the row tile, if it has several rows; whether it runs, if it may not.
        """
        lanes = [self.lane] if self.lane_chunk is None else []
        positions = [*lanes, *([] if self.row is None or self.single else [self.row])]
        tiles = tuple(f"{self.label}_{self.compute.dims[p].name_hint or f'd{p}'}_tile" for p in positions)
        return tiles if self.runs_name is None else (*tiles, self.runs_name)

    @property
    def runs_name(self) -> str | None:
        """Return the name of the number that tells whether the stage runs, or None where it always does."""
        return None if self.gate is None else f"{self.label}_runs"

    @property
    def lane_chunk(self) -> SSAValue | None:
        """Return the lanes of a chunk, where lanes are combined in chunks of them; else None."""
        return chunk_of_writes(nest_writes(self.compute), self.compute.dims[self.lane])

    def streams(self, each: RaggedSum) -> bool:
        """Return whether the rows of a sum may lie in its result instead of on chip: it is of a type that sums."""
        dims, element = (kind := self.compute.results_[each.number].type).dims, kind.element_type
        return each.counted is not None and isinstance(dims[each.counted], str) and element == each.element_type

    @staticmethod
    def analyze(compute: ComputeOp, label: str, chip: Chip) -> "RaggedPlan":
        """Return the plan.

        Raises:
            Diagnostic: OPW331 where there is no contiguous dim, OPW327 where places of sums fit no accumulator, OPW334
                where the range of a tiled dim is not plain.
        """
        accesses = [op for op in compute.body.walk() if isinstance(op, Access)]
        lane = _lane(compute, accesses)
        row = _row(compute, accesses, lane)
        others = [n for n in range(len(compute.dims)) if n not in (lane, row)]
        outer, walk = tuple(others[:1]), tuple(others[1:])
        sums = sums_of(compute, lane, row, outer, walk)
        if sums is None:
            outer, walk = (), tuple(others)
            sums = sums_of(compute, lane, row, outer, walk) or ()
        for position in (lane, row, *outer):
            if position is not None:
                _check_plain(compute, position)
        _check_plain_writes(compute, lane)
        _check_inner_ranges(compute, {compute.dims[n] for n in (lane, row) if n is not None})
        scatters = scatters_of(compute, lane, label)
        if scatters and row is not None:
            raise Diagnostic(
                "OPW325", "a computed place with the rows of a tile cannot be scattered", scatters[0].write
            )
        streamed = _streamed_bytes(compute, accesses, lane)
        forms = (chip.fold_lanes, not chip.staged)
        return RaggedPlan(compute, label, lane, row, outer, walk, sums, streamed, scatters, *forms)


def _lane(compute: ComputeOp, accesses: Iterable[Access]) -> int:
    """Return the dim that is combined over as lanes, or else the one that most accesses count their last index with.

    A plain write comes before all reads.
    """
    combined = combined_lane(compute)
    if combined is not None:
        return combined
    found = Counter[int]()
    for op in accesses:
        dim = plain_dim(compute, op, -1)
        if dim is not None:
            found[dim] += 1 if isinstance(op, ReadOp) or op.combine else len(compute.dims) * 1000
    if not found:
        raise Diagnostic("OPW331", "no access counts its last index by a loop variable with a plain range", compute)
    most = max(found.values())
    return max(dim for dim, count in found.items() if count == most)


def _row(compute: ComputeOp, accesses: Sequence[Access], lane: int) -> int | None:
    """Return the dim that every access by lanes counts the index before the last with, or None.

    What it counts besides must be scalars that lie beside one another, and no place may follow from those.
    """
    by_lanes = [op for op in accesses if plain_dim(compute, op, -1) == lane]
    found = {plain_dim(compute, op, -2) for op in by_lanes}
    row = found.pop() if len(found) == 1 else None
    if row is None or not all(_counts_plainly(compute, op, row) for op in accesses if op not in by_lanes):
        return None
    dim = compute.dims[row]
    users = {use.operation for use in dim.uses}
    places = {value for op in accesses for value in op.operands_} - {dim}
    return row if all(isinstance(user, Access) for user in users) and dim not in followed(places) else None


def _counts_plainly(compute: ComputeOp, op: Access, row: int) -> bool:
    """Return whether an access that is no access by lanes names the row as its last index alone, or not at all."""
    uses = [n for n, e in enumerate(op.indices.data) if any(op.operands_[p] is compute.dims[row] for p in refs(e))]
    last = len(op.indices.data) - 1
    plain = plain_dim(compute, op, -1) == row and (not isinstance(op, ReadOp) or op.outside is None)
    return not uses or (uses == [last] and plain)


def plain_dim(compute: ComputeOp, op: Access, position: int) -> int | None:
    """Return the dim of the compute that alone is an index of an access, or None."""
    exprs = op.indices.data
    expr = exprs[position] if len(exprs) >= -position else None
    value = op.operands_[expr.position] if isinstance(expr, Ref) else None
    return value.index if isinstance(value, BlockArgument) and value in compute.dims else None


def _check_plain(compute: ComputeOp, position: int) -> None:
    upper = compute.upper.data[position].data
    depends = any(n < len(compute.dims) for e in upper for n in refs(e))
    if compute.lower.data[position].data != (Const(0),) or depends:
        name = compute.dims[position].name_hint or f"dim {position}"
        text = f"the range of {name} must start at 0 and not depend on other loop variables"
        raise Diagnostic("OPW334", text, compute)


def _check_plain_writes(compute: ComputeOp, lane: int) -> None:
    for write in nest_writes(compute):
        if not write.combine and plain_dim(compute, write, -1) != lane:
            raise Diagnostic("OPW331", "the last index of a write must be the loop variable of the lanes", write)


def _check_inner_ranges(compute: ComputeOp, tiled: set[BlockArgument]) -> None:
    """Refuse inner nests whose range differs inside a tile."""
    for nest in (op for op in compute.body.walk() if isinstance(op, EachOp)):
        if tiled & followed(nest.bounds):
            names = ", ".join(sorted(dim.name_hint or "?" for dim in tiled))
            text = f"the range of an inner nest differs from point to point of a tile of {names}"
            raise Diagnostic("OPW330", text, nest, "let it depend on other loop variables only")


def _streamed_bytes(compute: ComputeOp, accesses: Sequence[Access], lane: int) -> int:
    sizes = [
        op.tensor.type.element_type.size
        for op in accesses
        if isinstance(op, ReadOp)
        and plain_dim(compute, op, -1) == lane
        and isinstance(op.tensor.type, TensorType)
        and isinstance(op.tensor.type.element_type, FixedBitwidthType)
    ]
    return min(sizes, default=4)
