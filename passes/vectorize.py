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

A select on a condition that is the same for a whole row becomes a branch a row. A sum of lanes at `%l mod 64` becomes a
fold. Floats that differ from row to row only are computed as rows of scalars, then given to all lanes of their row:

    tile.cast %w_in[%c0] to %tmp0[%c0] rows %c1 width %rows
    tile.splat %tmp0[%c0] to %tmp1[%c0] rows %rows width %c8
    tile.by_row "mul" %x[%c0], %tmp1[%c0] to %y[%c0] rows %rows width %width
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialect.tile import ForeachOp
from .row_values import RowValues
from .stage_view import stages
from .vectorize_build import build


@dataclass(frozen=True)
class VectorizePass(ModulePass):
    """Vectorize every point loop."""

    name = "vectorize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [(stage, points) for stage in stages(op) for points in stage.body.walk()]
        plans = [(stage, RowValues.analyze(points)) for stage, points in loops if isinstance(points, ForeachOp)]
        for stage, values in plans:
            build(stage, values)
