"""Walks over the lanes of a row: which point loops of two guarded blocks meet the same lanes, and may become one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from ..dialect.tile.divisors import constant


@dataclass(frozen=True)
class LaneWalk:
    """A point loop that meets lanes of a row, each once.

    Attributes:
        points: the loop; it has no dims but rows that are one, strips, and lanes.
        width: the number of lanes of the row.
        part: which lanes it meets: all, the whole strips, or the rest behind those.
        lane: the number of the lane over `operands`.
        operands: values of the loop and from outside.
    """

    points: ForeachOp
    width: SSAValue
    part: str
    lane: IndexExpr
    operands: tuple[SSAValue, ...]

    @staticmethod
    def of(points: ForeachOp) -> "LaneWalk | None":
        """Return the walk that a loop is, if it is one."""
        dims = list(points.dims)
        ends = [_end(points, n) for n in range(len(dims))]
        strips = len(dims) > 1 and isinstance(ends[-1], Const) and isinstance(ends[-2], SSAValue)
        if any(end != Const(1) for end in ends[: -2 if strips else -1]):
            return None
        last = ends[-2] if strips else ends[-1]
        if not isinstance(last, SSAValue):
            return None
        size = ends[-1]
        if isinstance(size, Const):
            width = _divided(last, size.value)
            lane = Ref(0) * size + Ref(1)
            return None if width is None else LaneWalk(points, width, "strips", lane, (dims[-2], dims[-1]))
        match last.owner:
            case arith.SubiOp(lhs=width, rhs=start) if _is_whole(start, width):
                return LaneWalk(points, width, "rest", Ref(0) + Ref(1), (start, dims[-1]))
            case _:
                return LaneWalk(points, last, "all", Ref(0), (dims[-1],))


def _end(points: ForeachOp, number: int) -> SSAValue | Const | None:
    """Return the upper bound of a dim that starts at 0, if it is a constant or a value."""
    lower, upper = points.lower.data[number].data, points.upper.data[number].data
    if lower != (Const(0),) or len(upper) != 1:
        return None
    match upper[0]:
        case Const() as size:
            return size
        case Ref(position):
            return points.bound_values[position]
        case _:
            return None


def _divided(value: SSAValue, size: int) -> SSAValue | None:
    """Return what a value is the whole part of, divided by a size."""
    match value.owner:
        case arith.DivSIOp(lhs=width, rhs=by) if constant(by) == size:
            return width
        case _:
            return None


def _is_whole(start: SSAValue, width: SSAValue) -> bool:
    """Return whether a value is the number of lanes of a row's whole strips."""
    match start.owner:
        case arith.MuliOp(lhs=count, rhs=by):
            size = constant(by)
            return size is not None and _divided(count, size) is width
        case _:
            return False


@dataclass(frozen=True)
class Guarded:
    """What stands under one condition, or under one within another with nothing but reads between.

    Attributes:
        branch: the outermost scf.if.
        steps: of each scf.if its condition, and what its block computes in front of the rest.
        core: the operations of the innermost block.
    """

    branch: scf.IfOp
    steps: tuple[tuple[SSAValue, tuple[Operation, ...]], ...]
    core: tuple[Operation, ...]

    @staticmethod
    def of(branch: scf.IfOp) -> "Guarded":
        """Analyze an scf.if without results."""
        steps: list[tuple[SSAValue, tuple[Operation, ...]]] = []
        inner = branch
        while True:
            ops = _body(inner)
            last = ops[-1] if ops else None
            if not (isinstance(last, scf.IfOp) and is_plain(last) and all(map(is_step, ops[:-1]))):
                break
            steps.append((inner.cond, ops[:-1]))
            inner = last
        count = next((n for n, op in enumerate(ops) if not is_step(op)), len(ops))
        return Guarded(branch, (*steps, (inner.cond, ops[:count])), ops[count:])

    @property
    def needed(self) -> tuple[Operation, ...]:
        """Return what the core takes of all that stands in front of it."""
        wanted = {value for op in self.core for inner in op.walk() for value in inner.operands}
        found: list[Operation] = []
        for op in reversed([op for _, ops in self.steps for op in ops]):
            if wanted.intersection(op.results):
                found.insert(0, op)
                wanted.update(op.operands)
        return tuple(found)


def _body(branch: scf.IfOp) -> tuple[Operation, ...]:
    return tuple(op for op in branch.true_region.block.ops if not isinstance(op, scf.YieldOp))


def is_plain(op: scf.IfOp) -> bool:
    """Return whether an scf.if has neither results nor an else."""
    return not op.results and not op.false_region.blocks


def is_step(op: Operation) -> bool:
    """Return whether an operation may run again, or where it would not: a read, or one without effects."""
    return isinstance(op, ReadOp) or (not op.regions and is_side_effect_free(op))


@dataclass(frozen=True)
class Join:
    """Two guarded blocks whose walks may become one.

    Attributes:
        first: a block with one walk over all lanes of a row.
        second: a later block with walks that together meet these lanes once each.
        walk: the first block's walk.
        into: the second block's walks.
    """

    first: Guarded
    second: Guarded
    walk: LaneWalk
    into: tuple[LaneWalk, ...]


def joins_of(block: Block) -> list[Join]:
    """Return the pairs of neighbouring guarded blocks that may be joined, no block in two pairs."""
    found: list[Join] = []
    branches = [op for op in block.ops if isinstance(op, scf.IfOp) and is_plain(op)]
    taken: set[Operation] = set()
    for first, second in pairwise(branches):
        if first not in taken and (join := _join(Guarded.of(first), Guarded.of(second))) is not None:
            found.append(join)
            taken |= {first, second}
    return found


def _join(first: Guarded, second: Guarded) -> Join | None:
    walks = [LaneWalk.of(op) for op in first.core if isinstance(op, ForeachOp)]
    walk = walks[0] if len(walks) == len(first.core) == 1 else None
    if walk is None or walk.part != "all" or not _is_simple(walk.points):
        return None
    others = [LaneWalk.of(op) for op in second.core if isinstance(op, ForeachOp)]
    into = tuple(w for w in others if w is not None and w.width is walk.width and _shares_read(w, walk))
    if sorted(w.part for w in into) not in (["all"], ["rest", "strips"]):
        return None
    return Join(first, second, walk, into) if _independent(first, second) else None


def _is_simple(points: ForeachOp) -> bool:
    """Return whether a loop only computes, reads, and writes elements under no condition, its lane in indices only."""
    inner = list(points.body.block.ops)
    plain = all(is_step(op) or (isinstance(op, WriteOp) and not op.combine and op.guard is None) for op in inner)
    used = all(isinstance(use.operation, ReadOp | WriteOp) for dim in points.dims for use in dim.uses)
    return plain and used


def _shares_read(walk: LaneWalk, other: LaneWalk) -> bool:
    return bool(_read(walk.points.walk()) & _read(other.points.walk()))


def _read(ops: Iterable[Operation]) -> set[SSAValue]:
    return {op.source for op in ops if isinstance(op, ReadOp)}


def _arrays(ops: Iterable[Operation]) -> set[SSAValue]:
    return {v for op in ops for v in op.operands if isinstance(v.type, MemRefType)}


def _independent(first: Guarded, second: Guarded) -> bool:
    """Return whether neither block meets what the other writes, nor anything between them what the first writes."""
    mine, theirs = list(first.branch.walk()), list(second.branch.walk())
    written = _arrays(op for op in mine if not isinstance(op, ReadOp))
    others = _arrays(op for op in theirs if not isinstance(op, ReadOp))
    between = _between(first.branch, second.branch)
    apart = not written & _arrays([*theirs, *between]) and not _read(mine) & others
    return apart and all(map(is_step, between))


def _between(first: Operation, second: Operation) -> Sequence[Operation]:
    found: list[Operation] = []
    op = first.next_op
    while op is not None and op is not second:
        found.append(op)
        op = op.next_op
    return found
