"""Scalars of global memory that loops read one after the other: through a block of them on chip.

Before:

    scf.for %i = %first to %last step %c1 {
      %p = tile.read %index[%i] : memref<?xi32>
    }

After: a block is copied in when the first of its elements is wanted. A tensor of several dims comes a row at a time.

    scf.for %i = %first to %last step %c1 {
      %number = %i div 512
      %held = memref.load %index_tag[%c0]
      %miss = arith.cmpi ne, %held, %number
      scf.if %miss {
        memref.store %number, %index_tag[%c0]
        tile.load_rows %index[%number * 512] along 0 to %index_block[%c0] rows %c1 width %count
      }
      %p = memref.load %index_block[%c0, %i mod 512]
    }
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue
from xdsl.utils.hints import isa

from ..dialect.index_expr import refs
from ..dialect.tile import AllocOp, CoresOp, LoadRowsOp, ReadOp
from .index_code import Code
from .promote_ranges import Ranges
from .tile_bounds import packed_sizes

BLOCK = 512
"""Elements of a block of a list."""

STEPS = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.DivSIOp,
    arith.FloorDivSIOp,
    arith.RemSIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.ConstantOp,
)
"""Operations that lead from a loop variable to places one after the other."""


def is_cacheable(op: ReadOp, globals_: Iterable[SSAValue]) -> bool:
    """Return whether a scalar read of global memory takes its elements, or its rows, one after the other."""
    if op.source not in globals_ or not op.indices.data:
        return False
    leading = op.indices.data if len(op.indices.data) == 1 else op.indices.data[:-1]
    values = [op.operands_[n] for e in leading for n in refs(e)]
    return bool(values) and all(_runs(value) for value in values)


def _runs(value: SSAValue) -> bool:
    """Return whether a value follows from loop variables and arguments alone."""
    if isinstance(value, BlockArgument):
        return True
    return isinstance(value.owner, STEPS) and all(_runs(operand) for operand in value.owner.operands)


@dataclass(frozen=True)
class ScalarCache:
    """The block of one tensor.

    Attributes:
        block: the buffer.
        tag: the number of the block that it holds.
    """

    block: SSAValue
    tag: SSAValue

    @staticmethod
    def reserve(stage: CoresOp, op: ReadOp, ranges: Ranges) -> "ScalarCache":
        """Reserve a block at the start of a stage."""
        kind = op.source.type
        assert isa(kind, MemRefType[Attribute])
        name = op.source.name_hint or "x"
        last = len(op.indices.data) - 1
        sizes = packed_sizes(1, ranges.size(op.source, last) if last else BLOCK)
        code = Code(Block(), op.location)
        block = code.add(AllocOp(f"{name}_block", "cache", *sizes, kind.element_type)).result
        tag = code.add(memref.AllocaOp.get(IndexType(), shape=[1]), f"{name}_tag").results[0]
        code.add(memref.StoreOp.get(code.constant(-1), tag, [code.constant(0)]))
        first = stage.body.block.first_op
        assert first is not None
        for inner in list(code.block.ops):
            inner.detach()
            stage.body.block.insert_op_before(inner, first)
        return ScalarCache(block, tag)

    def load(self, op: ReadOp, indices: list[SSAValue], ranges: Ranges, code: Code) -> SSAValue:
        """Append the read of an element that lies in its tensor."""
        zero = code.constant(0)
        if len(indices) == 1:
            number = code.binary("div", indices[0], code.constant(BLOCK), "block")
            start = [code.binary("*", number, code.constant(BLOCK), "start")]
            size = _size(op, 0, ranges, code)
            count = code.binary("min", code.constant(BLOCK), code.binary("-", size, start[0]), "count")
            place = code.binary("-", indices[0], start[0])
        else:
            number = indices[0]
            for position in range(1, len(indices) - 1):
                number = code.binary("*", number, _size(op, position, ranges, code))
                number = code.binary("+", number, indices[position], "block")
            start, count = [*indices[:-1], zero], _size(op, len(indices) - 1, ranges, code)
            place = indices[-1]
        held = code.add(memref.LoadOp.get(self.tag, [zero]), "held").results[0]
        miss = code.add(arith.CmpiOp(held, number, "ne"), "miss").result
        with code.when(miss) as branch:
            branch.add(memref.StoreOp.get(number, self.tag, [zero]))
            along = len(indices) - 1
            branch.add(LoadRowsOp(op.source, start, along, self.block, zero, branch.constant(1), count))
        return code.add(memref.LoadOp.get(self.block, [zero, place]), op.result.name_hint).results[0]


def _size(op: ReadOp, position: int, ranges: Ranges, code: Code) -> SSAValue:
    size = ranges.size(op.source, position)
    return code.constant(size) if isinstance(size, int) else size
