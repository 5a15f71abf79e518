"""hoist-rows: compute rows that every tile of an item needs once, before the walk.

Before:

    scf.for %i0 = ... {
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %w[0, %h0 + %l] : memref<2x?xbf16>
        %b = arith.extf %a : bf16 to f32
        %c = tile.read %w[1, %h0 + %l] : memref<2x?xbf16>
        %d = arith.extf %c : bf16 to f32
        ...

After: rows that differ by a number that counts up come from one loop.

    %w_rows = tile.alloc "w_rows" temp [2, %h_tile] : memref<?x?xf32, "ub">        // at the start of the stage
    tile.foreach (%a: 0 to 2, %l: 0 to %width) {
      %v = tile.read %w[%a, %h0 + %l] : memref<2x?xbf16>
      %x = arith.extf %v : bf16 to f32
      tile.write %x to %w_rows[%a, %l]
    }
    scf.for %i0 = ... {
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %b = tile.read %w_rows[0, %l]
        %d = tile.read %w_rows[1, %l]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.scf import ForOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import AllocOp, ForeachOp, ReadOp, WriteOp
from .index_code import Code
from .row_chains import RowChain, row_groups
from .spec_scope import FROM_ZERO, Bound, make_header
from .stage_view import StageView, regular_stages


@dataclass(frozen=True)
class HoistRowsPass(ModulePass):
    """Hoist widened rows out of the walk over the stream dim."""

    name = "hoist-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for stage in regular_stages(op):
            view = StageView.analyze(stage)
            if view.walk is None:
                continue
            loops = [points for points in view.foreachs() if view.in_walk(points)]
            for group in row_groups(loops, view.walk):
                _hoist(view, view.walk, group)


def _hoist(view: StageView, walk: ForOp, group: Sequence[RowChain]) -> None:
    first = group[0]
    label = f"{first.read.source.name_hint or 'rows'}_rows"
    sizes, operands = pack([Const(_rows(group)), Ref(0)], [view.lane_tile])
    alloc = AllocOp(label, "temp", sizes, operands, first.value.type)
    alloc.location = first.read.location
    view.stage.body.block.insert_op_before(alloc, view.item_loop)
    walk_block = walk.parent_block()
    assert walk_block is not None
    walk_block.insert_op_before(_row_loop(group, alloc.result), walk)
    for chain in group:
        place = [Const(chain.row - first.row), Ref(0)]
        read = ReadOp(alloc.result, *pack(place, [chain.points.dims[-1]]))
        read.location = chain.read.location
        read.result.name_hint = chain.value.name_hint
        Rewriter.replace_op(chain.steps[-1], read)
        for dead in (*reversed(chain.steps[:-1]), chain.read):
            if not dead.results[0].uses:
                Rewriter.erase_op(dead)


def _rows(group: Sequence[RowChain]) -> int:
    return group[-1].row - group[0].row + 1


def _row_loop(group: Sequence[RowChain], buffer: SSAValue) -> ForeachOp:
    chain = group[0]
    points = chain.points
    body = Block(arg_types=[IndexType(), IndexType()])
    row, lane = body.args
    row.name_hint, lane.name_hint = "a", "l"
    code = Code(body, chain.read.location)
    operands = [lane if v is points.dims[-1] else v for v in chain.read.operands_]
    at = Ref(len(operands))
    indices: list[IndexExpr] = [
        at + chain.row if n == chain.counted else e for n, e in enumerate(chain.read.indices.data)
    ]
    value: SSAValue = code.add(
        ReadOp(chain.read.source, *pack(indices, [*operands, row])), chain.read.result.name_hint
    ).result
    for step in chain.steps:
        value = code.add(step.clone({step.operands[0]: value}), step.results[0].name_hint).results[0]
    code.add(WriteOp(value, buffer, *pack([Ref(0), Ref(1)], [row, lane])))
    upper: list[Bound] = [([Const(_rows(group))], []), ([Ref(0)], [_width(points)])]
    header, bounds = make_header(body.args, [FROM_ZERO] * 2, upper)
    loop = ForeachOp(header, bounds, Region(body))
    loop.location = chain.read.location
    return loop


def _width(points: ForeachOp) -> SSAValue:
    (bound,) = points.upper.data[-1].data
    assert isinstance(bound, Ref)
    return points.bound_values[bound.position]
