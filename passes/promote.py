"""promote: let point loops work on on-chip buffers that row copies fill and empty.

Before:

    tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
      %a = tile.read %x[%i0 + %r, %h0 + %l]
      %b = tile.read %x[%i0 + %r + 1, %h0 + %l] else %z
      %m = tile.read %keep[%i0 + %r]
      ...
      tile.write %v to %y[%i0 + %r, %h0 + %l]
    }

After: reads that differ by a number of rows share a buffer with a halo; rows outside the tensor are filled; a tensor
whose contiguous dim is the walked one is read by scalars.

    %x_in = tile.alloc "x_in" in [%i_tile + 1, %h_tile] times 2 : ...
    %keep_in = tile.alloc "keep_in" scalars [1, %i_tile + 32] : ...
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : ...
    ...
    tile.load_rows %x[%i0, %h0] along 0 to %x_in[%c0] rows %valid width %width
    tile.fill (%z) to %x_in[%valid] rows %missing width %width
    tile.load_rows %keep[%i0] along 0 to %keep_in[%c0] rows %c1 width %rows
    tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
      %a = tile.read %x_in[%r, %l]
      %b = tile.read %x_in[%r + 1, %l]
      %m = tile.read %keep_in[0, %r]
      ...
      tile.write %v to %y_out[%r, %l]
    }
    tile.store_rows %y_out[%c0] to %y[%i0, %h0] along 0 rows %rows width %width
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .promote_build import build
from .promote_plan import PromotionPlan
from .promote_ranges import Ranges
from .ragged_promote import promote_ragged
from .stage_view import StageView, irregular_stages, regular_stages, stages


@dataclass(frozen=True)
class PromotePass(ModulePass):
    """Promote all global reads and writes of point loops to buffers."""

    name = "promote"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not stages(op):
            return
        ranges = Ranges.of(op)
        irregular = irregular_stages(op)
        views = [StageView.analyze(stage) for stage in regular_stages(op)]
        plans = [PromotionPlan.analyze(view, points, ranges) for view in views for points in view.foreachs()]
        for plan in plans:
            build(plan)
        for stage in irregular:
            promote_ragged(stage, ranges)
