"""vectorize: from point loops on buffers to row instructions.

Before:

    tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
      %a = tile.read %x_in[%r, %l] : bf16
      %b = arith.extf %a : bf16 to f32
      %c = tile.read %x_in[%r + 1, %l] : bf16
      %d = arith.extf %c : bf16 to f32
      %w = tile.read %w_rows[0, %l] : f32
      %p = arith.mulf %d, %w : f32
      tile.write add %p to %acc[0, %l]
    }

After: values that are the same but for a number of rows are computed once, on that many more rows; each value gets a
temporary buffer, reused as soon as nothing reads it any more.

    tile.cast %x_in[%c0] to %tmp0[%c0] rows %rows_1 width %width
    tile.binary "mul" %tmp0[%c1], %w_rows[%c0] step 0 to %tmp1[%c0] rows %rows width %width
    tile.accumulate "add" %tmp1[%c0] to %acc[%c0] rows %rows width %width

A select on a condition that is the same for a whole row becomes a branch a row.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .row_values import RowValues
from .stage_view import StageView, has_points, stages
from .vectorize_build import build


@dataclass(frozen=True)
class VectorizePass(ModulePass):
    """Vectorize every point loop."""

    name = "vectorize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        views = [StageView.analyze(stage) for stage in stages(op) if has_points(stage)]
        plans = [(view, RowValues.analyze(points)) for view in views for points in view.foreachs()]
        for view, values in plans:
            build(view, values)
