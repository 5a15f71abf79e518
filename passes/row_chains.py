"""Rows that are the same for every tile of an item, as the pass hoist-rows finds them."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.scf import ForOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.utils.hints import isa

from ..dialect.index_expr import Const, Ref, refs
from ..dialect.index_map import IndexMapAttr
from ..dialect.tile import ForeachOp, ReadOp
from .stage_view import defined_in


@dataclass(frozen=True)
class RowChain:
    """A value that depends on the lane only: a read and the operations that follow it.

    Attributes:
        value: the value that the point loop uses.
        read: the read.
        steps: the operations from the read to the value, in order.
        counted: position of the first constant index of the read, or None.
    """

    value: OpResult
    read: ReadOp
    steps: tuple[Operation, ...]
    counted: int | None

    @property
    def row(self) -> int:
        """Return the constant index, 0 where there is none."""
        if self.counted is None:
            return 0
        index = self.read.indices.data[self.counted]
        assert isinstance(index, Const)
        return index.value

    def key(self) -> tuple[object, ...]:
        """Return something equal for chains that differ by the constant index and the loop only."""
        others = tuple(e for n, e in enumerate(self.read.indices.data) if n != self.counted)
        steps = tuple((step.name, tuple(r.type for r in step.results)) for step in self.steps)
        operands = tuple(None if v is self.points.dims[-1] else v for v in self.read.operands_)
        return self.read.source, self.counted, IndexMapAttr(others), operands, steps

    @property
    def points(self) -> ForeachOp:
        """Return the loop that uses the value."""
        points = self.read.parent_op()
        assert isinstance(points, ForeachOp)
        return points


def row_groups(loops: Sequence[ForeachOp], walk: ForOp) -> list[list[RowChain]]:
    """Return the chains to hoist; a group is one loop over rows that count up, each row for one chain or several."""
    ops = [(op, points) for points in loops for op in points.body.block.ops]
    chains = [chain for op, points in ops if (chain := _chain(op, points, walk)) is not None]
    groups: dict[tuple[object, ...], list[RowChain]] = {}
    for chain in chains:
        groups.setdefault(chain.key(), []).append(chain)
    runs: list[list[RowChain]] = []
    for group in groups.values():
        for chain in sorted(group, key=lambda c: c.row):
            if runs and runs[-1][-1].key() == chain.key() and chain.row - runs[-1][-1].row <= 1:
                runs[-1].append(chain)
            else:
                runs.append([chain])
    return runs


def _chain(op: Operation, points: ForeachOp, walk: ForOp) -> RowChain | None:
    """Return the chain that ends at the operation, if it is the last that can be hoisted."""
    steps: list[Operation] = []
    place = op
    while not isinstance(place, ReadOp):
        if len(place.operands) != 1 or len(place.results) != 1 or not is_side_effect_free(place):
            return None
        steps.insert(0, place)
        owner = place.operands[0].owner
        if not isinstance(owner, Operation) or owner.parent_block() is not points.body.block:
            return None
        if not isinstance(owner, ReadOp) and not _goes_on(owner):
            return None
        place = owner
    if not steps or place.outside is not None or not _fixed(place, points, walk) or _goes_on(steps[-1]):
        return None
    if not _exists(place, points.dims[-1]):
        return None
    value = steps[-1].results[0]
    counted = next((n for n, e in enumerate(place.indices.data) if isinstance(e, Const)), None)
    return RowChain(value, place, tuple(steps), counted)


def _fixed(read: ReadOp, points: ForeachOp, walk: ForOp) -> bool:
    lane = points.dims[-1]
    moving = [v for v in read.operands_ if v is not lane and defined_in(v, walk.body.block)]
    return lane in read.operands_ and not moving and isinstance(read.source, BlockArgument)


def _exists(read: ReadOp, lane: SSAValue) -> bool:
    """Return whether the row exists even where the walk has no row: its place is a number that the tensor's type knows
    to be in range, or given by the item."""
    assert isa(read.source.type, MemRefType[Attribute])
    for expr, size in zip(read.indices.data, read.source.type.get_shape(), strict=True):
        match expr:
            case Const(value):
                known = 0 <= value < size
            case Ref(_):
                known = True
            case _:
                known = lane in {read.operands_[n] for n in refs(expr)}
        if not known:
            return False
    return True


def _goes_on(step: Operation) -> bool:
    """Return whether one step follows that could be hoisted with this one."""
    users = [use.operation for use in step.results[0].uses]
    return len(users) == 1 and len(users[0].operands) == 1 and bool(users[0].results)
