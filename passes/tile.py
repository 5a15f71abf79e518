"""tile: from computes to a kernel of loops over cores, items and tiles, with its tiling function.

Before:

    %s = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], bf16> {
      %a = spec.read %x[%i, %h] : bf16
      %b = arith.extf %a : bf16 to f32
      spec.write add %b to 0[%h]
    }

After (shortened): the lane dim is cut into tiles, the outer dims and the lane tiles form items that the cores share
evenly, and each item walks the stream dim a tile of rows at a time. Sums go to an accumulator that is written once an
item. A target with `jam_rows` takes the rows of a sum in blocks, `tile.foreach (%block, ..., %r: 0 to 4, %l)`, and then
one by one what is left: that order is part of its schedule.

    func.func @op_tiling(%N, %H, %cores) -> (s_h_tile, s_i_tile) {...}
    func.func @op(%x, %s, %N, %H, %s_h_tile, %s_i_tile, %cores) {
      tile.cores "s" %cores (%core) {
        %s_acc = tile.alloc "s_acc" accumulator [1, %s_h_tile] : memref<?x?xf32, "ub">
        scf.for %item = %first to %last step %c1 {
          tile.foreach (%a: 0 to 1, %l: 0 to %width) { tile.write %zero to %s_acc[%a, %l] }
          scf.for %i0 = %c0 to %N step %s_i_tile {
            tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
              %a = tile.read %x[%i0 + %r, %h0 + %l]
              %b = arith.extf %a : bf16 to f32
              tile.write add %b to %s_acc[0, %l]
            }
          }
          tile.foreach (%a: 0 to 1, %l: 0 to %width) { ... tile.write %rounded to %s[%h0 + %l] }
        }
      }
    }
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from .kernel_signature import KernelSignature
from .plans import stage_plans
from .scatter_plan import OwnerPlan, declare_places
from .spec_rewrite import find_operator
from .stage_build import build_kernel
from .targets import chip_of
from .tiling_function import build_tiling


@dataclass(frozen=True)
class TilePass(ModulePass):
    """Tile every compute for a target of the chip table."""

    name = "tile"

    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        chip = chip_of(self.target, operator)
        plans = stage_plans(operator, chip)
        for plan in plans:
            if isinstance(plan, OwnerPlan):
                declare_places(plan.scatter)
        signature = KernelSignature.of(operator, plans)
        tiling = build_tiling(operator, signature, plans, chip)
        kernel = build_kernel(operator, signature, plans)
        block = op.body.block
        block.insert_ops_before([tiling, kernel], operator)
        Rewriter.erase_op(operator)
