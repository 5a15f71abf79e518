"""Where in the loops of a ragged stage the rows of an access are known: there they are copied, once."""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.index_expr import IndexExpr, Ref, refs
from ..dialect.tile import CoresOp, ForeachOp
from .promote_access import Access
from .promote_ranges import Ranges
from .stage_view import extent


@dataclass(frozen=True)
class Nesting:
    """The blocks around a point loop.

    Attributes:
        points: the loop.
        blocks: from the block that holds it outwards, to the body of the loop over items.
    """

    points: ForeachOp
    blocks: tuple[Block, ...]

    @staticmethod
    def of(points: ForeachOp) -> "Nesting":
        """Collect the blocks."""
        found: list[Block] = []
        block = points.parent_block()
        while block is not None and not isinstance(block.parent_op(), CoresOp):
            found.append(block)
            parent = block.parent_op()
            block = None if parent is None else parent.parent_block()
        return Nesting(points, tuple(found))

    @property
    def item(self) -> Block:
        """Return the body of the loop over items."""
        return self.blocks[-1]

    @property
    def loop(self) -> scf.ForOp | None:
        """Return the innermost loop around the point loop, inside the item."""
        loops = (block.parent_op() for block in self.blocks[:-1])
        return next((op for op in loops if isinstance(op, scf.ForOp)), None)

    def holder(self, block: Block) -> Operation:
        """Return the operation of a block that is, or holds, the point loop."""
        at = self.blocks.index(block)
        if at == 0:
            return self.points
        inner = self.blocks[at - 1].parent_op()
        assert inner is not None
        return inner

    def depth(self, values: Iterable[SSAValue]) -> int:
        """Return the position of the innermost block that defines one of the values; the item's where none does."""
        places = [self._place(value) for value in values]
        return min((p for p in places if p is not None), default=len(self.blocks) - 1)

    def _place(self, value: SSAValue) -> int | None:
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
        return self.blocks.index(block) if block in self.blocks else None

    def moves(self, value: SSAValue) -> bool:
        """Return whether a value changes inside an item."""
        place = self._place(value)
        return place is not None and place < len(self.blocks) - 1


def base_values(access: Access, position: int | None = None) -> list[SSAValue]:
    """Return the values that an index, or all indices, need besides the row and the lane."""
    exprs = access.base if position is None else (access.base[position],)
    return [access.op.operands_[n] for e in exprs for n in sorted(refs(e))]


def home_of(access: Access, nesting: Nesting, ranges: Ranges) -> Block:
    """Return the outermost block in which the rows are known and certain to exist."""
    depth = nesting.depth(base_values(access))
    if depth > 0 and not stays_inside(access, nesting.points, ranges):
        depth = 0
    return nesting.blocks[depth]


def stays_inside(access: Access, points: ForeachOp, ranges: Ranges) -> bool:
    """Return whether all elements of an access certainly lie in its tensor."""
    return all(index_stays_inside(access, n, points, ranges) for n in range(len(access.base)))


def index_stays_inside(access: Access, position: int, points: ForeachOp, ranges: Ranges) -> bool:
    """Return whether one index of an access certainly lies in its tensor."""
    expr, operands = access.base[position], list(access.op.operands_)
    last: IndexExpr = expr
    for at, dim in ((access.row_at, 0), (access.lane_at, 1)):
        count = extent(points, dim)
        if at == position and isinstance(count, int):
            last = last + (count - 1)
        elif at == position and isinstance(count, SSAValue):
            last = last + Ref(len(operands)) - 1
            operands.append(count)
    size = ranges.size(access.memref, position)
    return ranges.not_negative(expr, operands) and ranges.below(last, operands, size)
