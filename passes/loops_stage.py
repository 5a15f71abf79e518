"""Cores and on-chip buffers as parallel loops and arrays."""

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from ..dialect.index_expr import Const
from ..dialect.tile import AllocOp, CoresOp
from .index_code import Code
from .loops_context import LoopContext
from .loops_nest import Nest

LABEL = "tile.label"
"""Names the parallel loop of a stage."""


def lower_alloc(op: AllocOp, context: LoopContext) -> None:
    """Replace an on-chip buffer by an array that lives until the end of its block."""
    zones = Nest.before(op, context).zones
    extents = [e.value if isinstance(e, Const) else zones.index(e, op.operands_) for e in op.sizes.data]
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in extents]
    dynamic = [size for size in extents if not isinstance(size, int)]
    array = zones.put(memref.AllocOp(dynamic, [], MemRefType(op.result.type.element_type, shape)), 0).memref
    array.name_hint = op.result.name_hint or op.label.data
    block = op.parent_block()
    assert block is not None
    _free(array, block, op)
    op.result.replace_all_uses_with(array)
    op.detach()
    op.erase()
    context.add_extents(array, extents)


def _free(array: SSAValue, block: Block, op: AllocOp) -> None:
    free = memref.DeallocOp.get(array)
    free.location = op.location
    last = block.last_op
    if last is not None and last.has_trait(IsTerminator):
        block.insert_op_before(free, last)
    else:
        block.add_op(free)


def _cores_if(cores: SSAValue, condition: SSAValue, code: Code) -> SSAValue:
    """Append the number of cores that run a stage: none where its condition is 0."""
    runs = code.add(arith.CmpiOp(condition, code.constant(0), "ne")).result
    return code.add(arith.SelectOp(runs, cores, code.constant(0))).result


def lower_cores(op: CoresOp, context: LoopContext) -> None:
    """Replace the work of all cores by a parallel loop over their numbers."""
    region = op.detach_region(op.body)
    region.block.add_op(scf.ReduceOp())
    code = Code(Block(), op.location)
    cores = op.cores if op.condition is None else _cores_if(op.cores, op.condition, code)
    loop = scf.ParallelOp([context.constant(0)], [cores], [context.constant(1)], region)
    code.add(loop).attributes[LABEL] = op.label
    Rewriter.inline_block(code.block, InsertPoint.before(op))
    op.detach()
    op.erase()
