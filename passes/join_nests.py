"""join-nests: inner nests of one body that run over the same points become one.

Before:

    spec.each (%w: 0 to %n) { ... spec.write add %a to 0[%i] }
    %r = spec.read %start[%i] : index
    spec.each (%w: 0 to %n) { ... spec.write add %b to 1[%r + %w] }

After: what stood between stands in front.

    %r = spec.read %start[%i] : index
    spec.each (%w: 0 to %n) {
      ... spec.write add %a to 0[%i]
      ... spec.write add %b to 1[%r + %w]
    }
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.spec import ComputeOp, EachOp
from .spec_rewrite import computes, find_operator


@dataclass(frozen=True)
class JoinNestsPass(ModulePass):
    """Join neighbouring inner nests with equal ranges."""

    name = "join-nests"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        for compute in computes(operator) if operator is not None else []:
            join_all(compute)


def join_all(compute: ComputeOp) -> None:
    """Join the inner nests of a compute from the first on."""
    nests = [op for op in compute.body.block.ops if isinstance(op, EachOp)]
    while len(nests) > 1:
        first, second = nests[0], nests[1]
        if same_points(first, second):
            join(first, second)
            nests.remove(second)
        else:
            nests.pop(0)


def same_points(first: EachOp, second: EachOp) -> bool:
    """Return whether two nests have equal ranges on equal values."""
    return (first.lower, first.upper, list(first.bounds)) == (second.lower, second.upper, list(second.bounds))


def join(first: EachOp, second: EachOp) -> None:
    """Move what stands between in front of the first nest, and the second's body to the end of the first's."""
    block = first.parent_block()
    assert block is not None
    _move_between(block, first, second)
    for old, new in zip(second.dims, first.dims, strict=True):
        old.replace_all_uses_with(new)
    body = second.body.detach_block(0)
    for argument in list(body.args):
        body.erase_arg(argument)
    Rewriter.inline_block(body, InsertPoint.at_end(first.body.block))
    Rewriter.erase_op(second)


def _move_between(block: Block, first: EachOp, second: EachOp) -> None:
    ops = list(block.ops)
    for op in ops[ops.index(first) + 1 : ops.index(second)]:
        op.detach()
        block.insert_op_before(op, first)
