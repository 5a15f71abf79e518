"""Between which operations a buffer holds something, and which copies and instructions it connects."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.buffers import AllocOp
from .ub_access import Access, accesses


@dataclass(frozen=True)
class Life:
    """One buffer, and the block each of whose runs fills and empties it.

    Attributes:
        alloc: the buffer.
        block: the innermost block with all uses.
        uses: each use with the operation of `block` that holds it, in order.
    """

    alloc: AllocOp
    block: Block
    uses: tuple[tuple[Operation, Access], ...]

    @property
    def label(self) -> str:
        """Return the buffer's name."""
        return self.alloc.label.data

    def holders(self, *pipes: str) -> list[Operation]:
        """Return the operations of the block that hold uses by these pipes, in order."""
        return list(dict.fromkeys(holder for holder, use in self.uses if use.pipe in pipes))

    def uses_of(self, *pipes: str) -> list[Access]:
        """Return the uses by these pipes."""
        return [use for _, use in self.uses if use.pipe in pipes]

    def first(self, *pipes: str) -> Operation:
        """Return the first operation of the block that holds such a use."""
        return self.holders(*pipes)[0]

    def last(self, *pipes: str) -> Operation:
        """Return the last operation of the block that holds such a use."""
        return self.holders(*pipes)[-1]


def find_life(alloc: AllocOp) -> Life | None:
    """Return the life of a buffer, or None where nothing uses it.

    Raises:
        Diagnostic: OPW378 where a use is none that a chip has.
    """
    stage = alloc.parent_block()
    assert stage is not None
    users = list(dict.fromkeys(use.operation for use in alloc.result.uses))
    if not users:
        return None
    block = _common_block(users, stage)
    found = {op: [a for a in accesses(op) if a.tensor is alloc.result] for op in users}
    for op, uses in found.items():
        if not uses:
            raise Diagnostic(
                "OPW378",
                f"'{op.name}' uses the on-chip buffer '{alloc.label.data}' in a way no chip instruction does",
                op,
                "run the pass vectorize first",
            )
    order = {op: n for n, op in enumerate(block.walk())}
    users.sort(key=lambda op: order[op])
    return Life(alloc, block, tuple((_holder(op, block), use) for op in users for use in found[op]))


def _blocks_around(op: Operation, stage: Block) -> list[Block]:
    """Return the blocks around an operation, from the stage's body inwards."""
    blocks: list[Block] = []
    block = op.parent_block()
    while block is not None:
        blocks.append(block)
        if block is stage:
            break
        parent = block.parent_op()
        block = parent.parent_block() if parent is not None else None
    return blocks[::-1]


def _common_block(ops: Sequence[Operation], stage: Block) -> Block:
    chains = [_blocks_around(op, stage) for op in ops]
    common = stage
    for level in zip(*chains, strict=False):
        if any(block is not level[0] for block in level):
            break
        common = level[0]
    return common


def _holder(op: Operation, block: Block) -> Operation:
    """Return the operation of the block in which an operation stands."""
    while op.parent_block() is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op
