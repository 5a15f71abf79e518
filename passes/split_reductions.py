"""split-reductions: sum in chunks whose size follows from the shapes alone, then sum the chunks in order.

Before:

    %s = spec.compute (%i: 0 to %S, %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[H], bf16> {
      %a = ...
      spec.write add %a to 0[%h]
    }

After: the first reduced dim is cut into chunks of `s_chunk` points. A chunk and each point of the other reduced dims
give one partial row; a second compute adds the rows in order. Nothing here depends on a core count. A target with
`sums_inside` sums over the other reduced dims in the chunk, so a chunk alone gives a partial row.

    %s_chunk = spec.dim "s_chunk" = [...]             // between 16 and 128, from S * B
    %s_chunks = spec.dim "s_chunks" = [%S ceildiv %s_chunk]
    %s_parts = spec.dim "s_parts" = [%s_chunks * %B]
    %s_partial = spec.compute (%c: 0 to %s_chunks, %j: 0 to %B, %i: %c * %s_chunk to min(%c * %s_chunk + %s_chunk, %S),
                               %h: 0 to %H) -> !spec.tensor<[s_parts, H], f32> {
      %a = ...
      spec.write add %a to 0[%c * %B + %j, %h]
    }
    %s = spec.compute (%h: 0 to %H, %p: 0 to %s_parts) -> !spec.tensor<[H], bf16> {
      %b = spec.read %s_partial[%p, %h] : f32
      spec.write add %b to 0[%h]
    }
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .coverage import verify_covered
from .reduction_plan import SplitPlan
from .reduction_split import split
from .spec_rewrite import computes, find_operator
from .targets import chip_of


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split every reduction over dims that are not written out, by the target's chunk sizes."""

    name = "split-reductions"

    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        chip = chip_of(self.target, operator)
        for compute in computes(operator):
            verify_covered(compute)
        plans = [SplitPlan.analyze(compute, chip) for compute in computes(operator)]
        for plan in plans:
            if plan is not None:
                split(plan, chip)
