"""Row instructions that combine the lanes of a row or spread one lane over a row, as loops.

Folds and what spreads one lane become point loops, which lower as others do: the lanes of a strip are independent.
A tree becomes a loop over rows with one loop a level:

    %t = memref.alloca() : memref<62xf32>
    scf.for %r = %c0 to %rows step %c1 {
      scf.for %n = %c0 to %c32 step %c1 { t[n] = s[r, 2 * n] + s[r, 2 * n + 1] } {tile.lanes}
      scf.for %n = %c0 to %c16 step %c1 { t[32 + n] = t[2 * n] + t[2 * n + 1] } {tile.lanes}
      ...
      target[row, r] = t[60] + t[61]
    }
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec.nests import Header, rectangular
from ..dialect.tile import FOLD, ByRowOp, FoldOp, ForeachOp, ReadOp, SplatOp, TreeOp, WriteOp
from ..dialect.tile.divisors import constant
from ..dialect.tile.rows import Source
from .loops_context import LoopContext
from .loops_foreach import lower_foreach
from .loops_nest import Nest
from .loops_rows import element_type
from .loops_scalars import Insert, combine
from .loops_strips import strip_mined

AT_ROW = IndexMapAttr((Ref(0) + Ref(1), Ref(2)))
"""`[start + r, e]`."""

AT_LANE = IndexMapAttr((Ref(0), Ref(1)))
"""`[start, r]`."""


def lower_lane_rows(op: FoldOp | SplatOp | ByRowOp, context: LoopContext) -> None:
    """Replace a row instruction by loops."""
    block = Block(arg_types=[IndexType(), IndexType()])
    row, element = block.args
    row.name_hint, element.name_hint = "r", "e"

    insert = inserter(block, op)

    def read(source: Source, lane: SSAValue) -> SSAValue:
        buffer, start, step = source
        operands = (start, row, lane) if step else (start, lane)
        return insert(ReadOp(buffer, AT_ROW if step else AT_LANE, operands))

    place, combiner = AT_ROW, ""
    match op:
        case FoldOp():
            value, combiner = read(op.source_list[0], element), op.kind.data
            place = IndexMapAttr((Ref(0) + Ref(1), Ref(2) % FOLD))
        case SplatOp():
            value = insert(ReadOp(op.sources[0], AT_LANE, (op.source_rows[0], row)))
        case _:
            lanes, scalar = op.source_list
            value = combine(op.kind.data, read(lanes, element), read(scalar, context.constant(0)), insert)
    write = WriteOp(value, op.target, place, (op.row, row, element), combiner)
    write.location = op.location
    block.add_op(write)
    _replace(op, ForeachOp(rectangular([op.rows, op.width]), [op.rows, op.width], Region(block)), context)


def _replace(op: Operation, points: ForeachOp, context: LoopContext) -> None:
    points.location = op.location
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(points, op)
    op.detach()
    op.erase()
    lower_foreach(strip_mined(points), context)


@dataclass(frozen=True)
class Level:
    """The results of one level of a tree: elements from `first` on of an array, or of a row of it."""

    array: SSAValue
    row: SSAValue | None
    first: int

    def at(self, number: IndexExpr, values: Sequence[SSAValue]) -> tuple[IndexMapAttr, list[SSAValue]]:
        """Return the place of a result as an index map with its operands."""
        if self.row is None:
            return pack([number + self.first], values)
        return pack([Ref(len(values)), number + self.first], [*values, self.row])

    def pair(self, kind: str, number: IndexExpr, values: Sequence[SSAValue], insert: Insert) -> SSAValue:
        """Return the combination of results 2 * number and 2 * number + 1."""
        even, odd = (insert(ReadOp(self.array, *self.at(number * 2 + side, values))) for side in (0, 1))
        return combine(kind, even, odd, insert)


def lower_tree(op: TreeOp, context: LoopContext) -> None:
    """Replace a tree by a loop over rows."""
    buffer, start, step = op.source_list[0]
    nest = Nest.before(op, context)
    zones, kind = nest.zones, op.kind.data
    width = constant(op.width) or FOLD
    partial = zones.put(memref.AllocaOp.get(element_type(op.target), shape=[max(width - 2, 1)]), 0).memref
    partial.name_hint = "t"
    row = nest.open(context.constant(0), op.rows, "r")
    zones.complete = True
    level, count = Level(buffer, zones.plus(start, row) if step else start, 0), width // 2
    while count > 1:
        above = Level(partial, None, level.first + 2 * count if level.row is None else 0)
        points = _level(kind, level, above, count, op)
        zones.put(points, zones.inner)
        lower_foreach(points, context)
        level, count = above, count // 2
    insert = zones.inserter(zones.inner)
    value = level.pair(kind, Const(0), (), insert)
    zones.put(WriteOp(value, op.target, AT_LANE, (op.row, row)), zones.inner)
    nest.close(lanes=False, guard=None)
    op.detach()
    op.erase()


def _level(kind: str, below: Level, above: Level, count: int, op: Operation) -> ForeachOp:
    """Return the loop that computes one level from the one below."""
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = "n"
    insert = inserter(block, op)
    value = below.pair(kind, Ref(0), block.args, insert)
    write = WriteOp(value, above.array, *above.at(Ref(0), block.args))
    write.location = op.location
    block.add_op(write)
    points = ForeachOp(Header([[Const(0)]], [[Const(count)]]), [], Region(block))
    points.location = op.location
    return points


def inserter(block: Block, source: Operation) -> Insert:
    """Return a function that adds operations to a block, at the source's place in the text."""

    def insert(op: Operation) -> SSAValue:
        op.location = source.location
        block.add_op(op)
        return op.results[0]

    return insert
