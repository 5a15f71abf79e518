"""What the pass tile decides about each compute before it changes anything."""

from dataclasses import dataclass

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref, linear, refs
from ..dialect.spec import ComputeOp, ReadOp, TensorType, WriteOp
from .chips import Chip
from .reduction_plan import summed_dims
from .spec_rewrite import nest_writes
from .stage_reductions import Reduction, reductions_of


@dataclass(frozen=True)
class StagePlan:
    """How one compute becomes a stage of the kernel.

    Attributes:
        compute: the compute.
        label: the stage's name.
        lane: position of the contiguous dim, cut into tiles that vector instructions work on.
        stream: position of the dim that a tile holds several rows of, or None where there is only the lane dim.
        inner: positions of further dims that a row of the tile runs over, in order, where the target sums inside.
        outer: positions of the other dims; their points and the lane tiles are the items that cores share.
        reductions: results summed over the stream dim.
        streamed_bytes: smallest element size of what is read a row at a time.
        jam_rows: rows that a loop over lanes takes together, 1 for none.
    """

    compute: ComputeOp
    label: str
    lane: int
    stream: int | None
    inner: tuple[int, ...]
    outer: tuple[int, ...]
    reductions: tuple[Reduction, ...]
    streamed_bytes: int
    jam_rows: int

    @property
    def lane_dim(self) -> BlockArgument:
        """Return the lane dim."""
        return self.compute.dims[self.lane]

    @property
    def stream_dim(self) -> BlockArgument | None:
        """Return the stream dim."""
        return None if self.stream is None else self.compute.dims[self.stream]

    @property
    def shares_rows(self) -> bool:
        """Return whether cores may share the rows of a walk, where there are fewer items than cores."""
        return self.stream is not None and not self.reductions and not self.inner and _is_rectangular(self)

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return the tensors that the stage computes."""
        return tuple(self.compute.results_)

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the names of the lane tile and, where a tile has several rows, the row tile."""
        lane = self.name(f"{self.lane_dim.name_hint or 'lane'}_tile")
        stream = self.stream_dim
        return (lane,) if stream is None else (lane, self.name(f"{stream.name_hint or 'row'}_tile"))

    def name(self, what: str) -> str:
        """Return a name of this stage, `gradX_h_tile`."""
        return f"{self.label}_{what}"

    @staticmethod
    def analyze(compute: ComputeOp, label: str, chip: Chip) -> "StagePlan":
        """Return the plan; raise where the compute has no contiguous dim or reduces over more than one dim."""
        lane = _lane(compute)
        stream, inner = _stream(compute, lane, chip)
        outer = tuple(n for n in range(len(compute.dims)) if n not in (lane, stream, *inner))
        for position in (lane, *inner, *outer):
            _check_rectangular(compute, position)
        reductions = tuple(reductions_of(compute))
        jam_rows = chip.jam_rows if reductions and stream is not None else 1
        streamed_bytes = _streamed_bytes(compute, lane)
        return StagePlan(compute, label, lane, stream, inner, outer, reductions, streamed_bytes, jam_rows)


def _is_rectangular(plan: StagePlan) -> bool:
    """Return whether the rows of the walk are the same for all items."""
    if plan.stream is None:
        return False
    ends = (*plan.compute.lower.data[plan.stream].data, *plan.compute.upper.data[plan.stream].data)
    return not any(n < len(plan.compute.dims) for e in ends for n in refs(e))


def _lane(compute: ComputeOp) -> int:
    """Return the dim that is the last index of every write."""
    lanes = {_last_dim(compute, write) for write in nest_writes(compute)}
    if len(lanes) != 1:
        raise Diagnostic("OPW331", "the writes of fused computes end in different loop variables", compute)
    return lanes.pop()


def _last_dim(compute: ComputeOp, write: WriteOp) -> int:
    last = write.indices.data[-1] if write.indices.data else None
    variable = write.operands_[last.position] if isinstance(last, Ref) else None
    if not isinstance(variable, BlockArgument) or variable not in compute.dims:
        raise Diagnostic("OPW331", "the last index of a write must be a loop variable", write)
    return variable.index


def _stream(compute: ComputeOp, lane: int, chip: Chip) -> tuple[int | None, tuple[int, ...]]:
    """Return the stream dim and the dims inside it: the summed dims, or else the one that reads need as rows, or else
    the innermost one beside the lane; where operands are staged, of those that every index counts up by 1."""
    summed = summed_dims(compute)
    if len(summed) > 1 and not chip.sums_inside:
        names = ", ".join(compute.dims[n].name_hint or f"dim {n}" for n in summed)
        hint = "run split-reductions for the same target first"
        raise Diagnostic("OPW333", f"a tile sums over one dim, this compute sums over {names}", compute, hint)
    if summed:
        return summed[0], summed[1:]
    others = [n for n in range(len(compute.dims)) if n != lane and not (chip.staged and _skips(compute, n))]
    wanted = _wants_rows(compute) - {lane} if chip.staged else set[int]()
    return (wanted.pop() if len(wanted) == 1 else others[-1] if others else None), ()


def _skips(compute: ComputeOp, position: int) -> bool:
    """Return whether an index counts a dim in other steps than 1: its rows are no neighbours."""
    accesses = [op for op in compute.body.walk() if isinstance(op, ReadOp | WriteOp)]
    return any(_step(op, e, compute.dims[position]) not in (0, 1) for op in accesses for e in op.indices.data)


def _step(access: ReadOp | WriteOp, expr: IndexExpr, dim: BlockArgument) -> int | None:
    """Return by how much an index grows with a dim, None where that is not one number."""
    form = linear(expr)
    if form is None:
        return 0 if all(access.operands_[n] is not dim for n in refs(expr)) else None
    return sum(coefficient for n, coefficient in form[0].items() if access.operands_[n] is dim)


def _wants_rows(compute: ComputeOp) -> set[int]:
    """Return the dims that reads need as rows where operands are staged.

    Those are dims along which a read may leave its tensor, and dims that count the last index: scalars of a row.
    """
    wanted: set[int] = set()
    for read in (op for op in compute.body.walk() if isinstance(op, ReadOp)):
        exprs = read.indices.data
        needed = [e for e in exprs if read.outside is not None and not isinstance(e, Const | Ref)]
        named = {read.operands_[n] for e in (*needed, *exprs[-1:]) for n in refs(e)}
        wanted |= {v.index for v in named if isinstance(v, BlockArgument) and v in compute.dims}
    return wanted


def _check_rectangular(compute: ComputeOp, position: int) -> None:
    depends = any(n < len(compute.dims) for e in compute.upper.data[position].data for n in refs(e))
    if compute.lower.data[position].data != (Const(0),) or depends:
        name = compute.dims[position].name_hint or f"dim {position}"
        text = f"the range of {name} must start at 0 and not depend on other loop variables"
        raise Diagnostic("OPW334", text, compute)


def _streamed_bytes(compute: ComputeOp, lane: int) -> int:
    sizes = [
        _element_bytes(op) for op in compute.body.walk() if isinstance(op, ReadOp) and _reads_lane(compute, op, lane)
    ]
    return min(sizes, default=4)


def _element_bytes(read: ReadOp) -> int:
    tensor_type = read.tensor.type
    assert isinstance(tensor_type, TensorType)
    element = tensor_type.element_type
    return element.size if isinstance(element, FixedBitwidthType) else 4


def _reads_lane(compute: ComputeOp, read: ReadOp, lane: int) -> bool:
    last = read.indices.data[-1]
    return any(read.operands_[n] == compute.dims[lane] for n in refs(last))
