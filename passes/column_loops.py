"""Loops over columns of lanes: neighbours over the same columns become one loop.

Every instruction in such a loop works on one column of lanes, the same in all its tensors, so columns do not depend on
each other and the order of the instructions of one column is all that matters. A tensor of which every column uses the
same lanes is another matter: loops of which one changes it stay apart.
"""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from ..dialect.ascendc import VectorOp
from .index_facts import Facts

MARK = "ascendc.columns"
"""The attribute of a loop over columns; the pass that makes such loops also takes it away."""


def mark_columns(loop: Operation | None) -> None:
    """Say that a loop is one over columns."""
    assert isinstance(loop, scf.ForOp)
    loop.attributes[MARK] = UnitAttr()


def fuse_columns(block: Block, facts: Facts) -> None:
    """Join neighbouring loops over the same columns in a block and in all blocks inside it, and remove the marks."""
    previous: scf.ForOp | None = None
    between: list[Operation] = []
    for op in list(block.ops):
        for inner in _blocks(op):
            fuse_columns(inner, facts)
        if isinstance(op, scf.ForOp) and MARK in op.attributes:
            if previous is not None and _same_columns(previous, op, facts) and _are_apart(previous, op):
                _join(previous, op, between)
            else:
                previous = op
            between = []
        elif is_side_effect_free(op):
            between.append(op)
        else:
            previous, between = None, []
    for op in block.ops:
        op.attributes.pop(MARK, None)


def _blocks(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        yield from region.blocks


def _same_columns(first: scf.ForOp, second: scf.ForOp, facts: Facts) -> bool:
    return all(facts.form(a) == facts.form(b) for a, b in zip(first.operands, second.operands, strict=True))


def _are_apart(first: scf.ForOp, second: scf.ForOp) -> bool:
    """Return whether no tensor that one loop uses the same lanes of in every column is changed by one of them."""
    uses = [(loop, op) for loop in (first, second) for op in loop.body.walk() if isinstance(op, VectorOp)]
    changed = {op.tensors[0] for _, op in uses}
    return not any(
        tensor in changed and not _moves(start, loop.body.block.args[0], loop.body.block)
        for loop, op in uses
        for tensor, start in op.places
    )


def _moves(place: SSAValue, column: SSAValue, body: Block) -> bool:
    """Return whether a place depends on the column."""
    if place is column:
        return True
    owner = place.owner
    if not isinstance(owner, Operation) or owner.parent_block() is not body:
        return False
    return any(_moves(operand, column, body) for operand in owner.operands)


def _join(first: scf.ForOp, second: scf.ForOp, between: list[Operation]) -> None:
    """Move the second loop's body to the end of the first's, and what stands between them in front of both."""
    block = first.parent_block()
    assert block is not None
    for op in between:
        op.detach()
        block.insert_op_before(op, first)
    end = first.body.block.last_op
    assert isinstance(end, scf.YieldOp)
    Rewriter.erase_op(end)
    body = second.body.block
    body.args[0].replace_all_uses_with(first.body.block.args[0])
    for op in list(body.ops):
        op.detach()
        first.body.block.add_op(op)
    Rewriter.erase_op(second)
