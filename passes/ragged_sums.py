"""The results that a compute with data-dependent places combines, and the accumulators they need."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Binary, IndexExpr, Ref, linear, refs
from ..dialect.spec import ComputeOp, EachOp, ReadOp, WriteOp
from ..dialect.spec.attrs import compute_type
from .lane_chunks import chunk_of, keeps_lane
from .spec_rewrite import nest_writes

LANES, ROWS, PLACES, SINGLE, POINT = "lanes", "rows", "places", "single", "point"
"""What the columns of an accumulator are: the lanes of a tile, its rows, all elements of the last dim, or a single one;
or there is no accumulator, as each point names an element of its own."""


@dataclass(frozen=True)
class RaggedSum:
    """One result that is combined in an accumulator.

    Attributes:
        number: the result's number.
        combiner: add, max or min.
        element_type: type in which it is combined.
        depth: how many of the stage's walked dims stand around the accumulator: those that the place names.
        columns: LANES, ROWS or PLACES.
        counted: position of the index that the accumulator's rows stand for, all elements of its dim; None where they
            are the rows of a tile, or one row.
        kinds: for each index of the place `lane`, `row`, `fixed` or `computed`.
        write: its first write.
    """

    number: int
    combiner: str
    element_type: Attribute
    depth: int
    columns: str
    counted: int | None
    kinds: tuple[str, ...]
    write: WriteOp

    @property
    def by_row(self) -> bool:
        """Return whether the rows of a tile stay apart in the result."""
        return "row" in self.kinds

    @property
    def has_lanes(self) -> bool:
        """Return whether lanes stay apart in the result."""
        return self.columns == LANES


def sums_of(
    compute: ComputeOp, lane: int, row: int | None, outer: Sequence[int], walk: Sequence[int]
) -> tuple[RaggedSum, ...] | None:
    """Return the combined results, or None where one combines over an outer dim.

    Raises:
        Diagnostic: OPW327 where a place fits no accumulator.
    """
    found: list[RaggedSum] = []
    for number in range(len(compute.results_)):
        writes = [w for w in nest_writes(compute) if w.number.data == number and w.combine]
        views = {_PlaceView.of(compute, write, lane, row, walk) for write in writes}
        if len(views) > 1:
            raise Diagnostic("OPW327", "writes of one result combine at places of different form", writes[0])
        for view in views:
            if writes[0].unique is not None and "lane" not in view.kinds:
                found.append(_point(compute, writes[0], view))
                continue
            if not set(outer) <= view.named:
                return None
            kind, write = compute_type(compute.results_[number].type.element_type), writes[0]
            columns, counted = view.form(write)
            found.append(RaggedSum(number, write.combine, kind, view.depth, columns, counted, view.kinds, write))
    return tuple(found)


def _point(compute: ComputeOp, write: WriteOp, view: "_PlaceView") -> RaggedSum:
    """Return the form of a sum over lanes alone."""
    if "row" in view.kinds:
        raise Diagnostic("OPW327", "a computed place with the rows of a tile fits no accumulator", write)
    kind = compute_type(compute.results_[write.number.data].type.element_type)
    return RaggedSum(write.number.data, write.combine, kind, -1, POINT, None, view.kinds, write)


@dataclass(frozen=True)
class _PlaceView:
    """The place of a combining write: for each index `lane`, `row`, `fixed` or `computed`."""

    kinds: tuple[str, ...]
    depth: int
    named: frozenset[int]

    @staticmethod
    def of(compute: ComputeOp, write: WriteOp, lane: int, row: int | None, walk: Sequence[int]) -> "_PlaceView":
        dims = [_named_dims(compute, write, expr) for expr in write.indices.data]
        fixed = {n for named in dims if named is not None for n in named}
        depth = next((n for n, position in enumerate(walk) if position not in fixed), len(walk))
        within = {lane, row, *walk[depth:]}
        kinds: list[str] = []
        named = set[int]()
        for expr, found in zip(write.indices.data, dims, strict=True):
            plain = isinstance(expr, Ref) and found is not None and len(found) == 1
            if plain and found == frozenset({lane}):
                kinds.append("lane")
                continue
            if plain and found == frozenset({row}):
                kinds.append("row")
                continue
            if found is not None and chunk_of(expr, write.operands_, compute.dims[lane]) is not None:
                found -= {lane}
            if found is None or found & within:
                kinds.append("computed")
            else:
                kinds.append("fixed")
                named |= found | {o for n in found if (o := _part_of(compute, n)) is not None}
        return _PlaceView(tuple(kinds), depth, frozenset(named))

    def form(self, write: WriteOp) -> tuple[str, int | None]:
        """Return the columns and the counted index of the accumulator."""
        computed = [n for n, kind in enumerate(self.kinds) if kind == "computed"]
        last = len(self.kinds) - 1
        match self.kinds[-1], computed, "row" in self.kinds:
            case "lane", [], _:
                return LANES, None
            case "lane", [counted], False:
                return LANES, counted
            case "row", ([] | [_]), True:
                return ROWS, computed[0] if computed else None
            case "computed", [counted], False if counted == last:
                return PLACES, None
            case "fixed", [], False:
                return SINGLE, None
            case _:
                text = "the place of a sum must end in the lanes, in the rows of a tile, or in one computed index"
                raise Diagnostic("OPW327", text, write, "at most one index before those may be computed")


def _part_of(compute: ComputeOp, position: int) -> int | None:
    """Return the dim whose points cut the range of a dim into chunks: `%c * %size to min(%c * %size + %size, ...)`."""
    lower, upper = compute.lower.data[position].data, compute.upper.data[position].data
    match lower:
        case (Binary("*", Ref(outer), size),) if Binary("+", lower[0], size) in upper and outer < len(compute.dims):
            return outer
        case _:
            return None


def _named_dims(compute: ComputeOp, write: WriteOp, expr: IndexExpr) -> frozenset[int] | None:
    """Return the compute's dims in an index, or None where it names what the body computes."""
    values = [write.operands_[n] for n in sorted(refs(expr))]
    if any(is_inner(compute, value) for value in values):
        return None
    return frozenset(v.index for v in values if isinstance(v, BlockArgument) and v in compute.dims)


def is_inner(compute: ComputeOp, value: SSAValue) -> bool:
    """Return whether a value is computed in the body of a compute, or is a loop variable of an inner nest."""
    if isinstance(value, BlockArgument):
        return isinstance(value.owner.parent_op(), EachOp)
    assert isinstance(value.owner, Operation)
    return compute.is_ancestor(value.owner)


def is_ragged(compute: ComputeOp) -> bool:
    """Return whether a compute needs loops that follow data.

    Its ranges or places follow from data, scalars of a row may lie before the start of a tensor, or it combines lanes.
    """
    if combined_lane(compute) is not None:
        return True
    for op in compute.body.walk():
        if isinstance(op, ReadOp) and op.outside is not None and _leads(op) and _is_scalar(compute, op):
            return True
        if isinstance(op, EachOp):
            return True
        if isinstance(op, ReadOp | WriteOp) and any(is_inner(compute, v) for v in op.operands_):
            return True
    return False


def _leads(read: ReadOp) -> bool:
    """Return whether the last index of a read may be negative."""
    form = linear(read.indices.data[-1])
    return form is None or form[1] < 0


def _is_scalar(compute: ComputeOp, read: ReadOp) -> bool:
    """Return whether a read is the same for all lanes of the writes."""
    lanes = [w.operands_[e.position] for w in nest_writes(compute) if isinstance(e := w.indices.data[-1], Ref)]
    return bool(lanes) and not any(lane in read.operands_ for lane in lanes)


def combined_lane(compute: ComputeOp) -> int | None:
    """Return the dim that most reads count their last index with, if a result combines over it.

    Reads of several indices weigh more than scalars of a row.
    """
    found = Counter[int]()
    for read in (op for op in compute.body.walk() if isinstance(op, ReadOp)):
        last = read.indices.data[-1]
        variable = read.operands_[last.position] if isinstance(last, Ref) else None
        if isinstance(variable, BlockArgument) and variable in compute.dims:
            found[variable.index] += len(read.indices.data)
    if not found:
        return None
    most = max(found.values())
    lane = max(dim for dim, count in found.items() if count == most)
    combining = [w for w in nest_writes(compute) if w.combine]
    return lane if any(not keeps_lane(w, compute.dims[lane]) for w in combining) else None


def followed(values: Iterable[SSAValue]) -> set[SSAValue]:
    """Return values and all that they are computed from."""
    found: set[SSAValue] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += list(value.owner.operands) if isinstance(value.owner, Operation) else []
    return found
