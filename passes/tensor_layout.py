"""How rows lie in on-chip tensors: pitches, and the places of elements in the flat memory."""

from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import FixedBitwidthType, MemRefType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .chips import Chip
from .index_code import Code
from .index_facts import Facts
from .scalar_flags import Memory, memory_of


def element_of(tensor: SSAValue) -> Attribute:
    """Return the element type of a tensor."""
    return cast("MemRefType[Attribute]", tensor.type).element_type


def element_bytes(element: Attribute) -> int:
    """Return the size of an element in bytes."""
    assert isinstance(element, FixedBitwidthType)
    return element.size


@dataclass(frozen=True)
class Layouts:
    """The pitches of a kernel's on-chip tensors, computed once behind the queue or buffer they come from.

    Attributes:
        chip: gives the size of a block.
        facts: what is known of index values.
    """

    chip: Chip
    facts: Facts
    _pitches: dict[Memory, SSAValue] = field(default_factory=dict[Memory, SSAValue])
    _blocks: dict[tuple[Block, SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[Block, SSAValue, int], SSAValue]
    )

    def pitch(self, tensor: SSAValue) -> SSAValue:
        """Return the number of elements from one row to the next."""
        memory = memory_of(tensor)
        if memory not in self._pitches:
            code = Code(Block(), memory.location)
            value = code.expr(memory.sizes.data[1], list(memory.operands_), f"{memory.label.data}_pitch")
            Rewriter.inline_block(code.block, InsertPoint.after(memory))
            self._pitches[memory] = value
        return self._pitches[memory]

    def block_elements(self, tensor: SSAValue) -> int:
        """Return the number of elements of a block."""
        return self.chip.block_bytes // element_bytes(element_of(tensor))

    def pitch_at_most(self, tensor: SSAValue, bound: int) -> bool:
        """Return whether the pitch is proven to be at most `bound`."""
        return self.facts.at_most(self.pitch(tensor), bound)

    def row_blocks(self, tensor: SSAValue) -> SSAValue:
        """Return the number of blocks from one row to the next."""
        pitch, memory = self.pitch(tensor), memory_of(tensor)
        stage = memory.parent_block()
        assert stage is not None
        key = (stage, self.facts.resolve(pitch), self.block_elements(tensor))
        if key not in self._blocks:
            code = Code(Block(), memory.location)
            elements = code.constant(self.block_elements(tensor))
            hint = f"row_blocks_{element_of(tensor)}"
            value = code.binary("div", pitch, elements, hint)
            self._blocks[key] = value
            first = stage.first_op
            place = pitch.owner if not isinstance(pitch.owner, Block) and pitch.owner.parent_block() is stage else None
            if place is not None:
                Rewriter.inline_block(code.block, InsertPoint.after(place))
            elif first is not None:
                Rewriter.inline_block(code.block, InsertPoint.before(first))
        return self._blocks[key]

    def start(self, code: Code, tensor: SSAValue, row: SSAValue, column: SSAValue | None) -> SSAValue:
        """Return the place of an element: row * pitch + column."""
        if self.facts.constant(row) == 0:
            return column if column is not None else code.constant(0)
        base = self.pitch(tensor) if self.facts.constant(row) == 1 else code.binary("*", row, self.pitch(tensor))
        return base if column is None else code.binary("+", base, column)
