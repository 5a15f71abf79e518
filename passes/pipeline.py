"""Pass `pipeline`: on-chip buffers become queues between the copy pipes and the vector pipe, and plain buffers."""

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialect.ascendc import (
    AllocTensorOp,
    BufferOp,
    BufferType,
    DequeOp,
    EnqueOp,
    FreeTensorOp,
    GetOp,
    QueueOp,
    QueueType,
)
from ..dialect.tile.buffers import AllocOp
from ..dialect.tile.ops import CoresOp
from .queue_plan import QueuePlan, plan_buffers
from .targets import chip_of


@dataclass(frozen=True)
class PipelinePass(ModulePass):
    """Give every on-chip buffer its queue, and place the steps of the queue around its uses.

    A buffer that is copied in and used by vector instructions becomes a VECIN queue, one that is copied out a VECOUT
    queue, one that is copied in and out a queue straight through; all others become plain buffers. A tensor is taken
    in front of its first use in the innermost block with all uses, and given back behind the last.

    Attributes:
        target: name of the chip, whose event ids limit double buffering.
    """

    name = "pipeline"

    target: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chip = chip_of(self.target, op)
        for cores in [inner for inner in op.walk() if isinstance(inner, CoresOp)]:
            allocs = [inner for inner in cores.body.block.ops if isinstance(inner, AllocOp)]
            for plan in plan_buffers(allocs, chip):
                apply_plan(plan)
            for alloc in allocs:
                alloc.detach()
                alloc.erase()


def apply_plan(plan: QueuePlan) -> None:
    """Replace one buffer by what is planned for it."""
    if plan.position:
        _make_queue(plan)
    else:
        _make_buffer(plan)


def _make_buffer(plan: QueuePlan) -> None:
    alloc = plan.life.alloc
    buffer_type = BufferType(alloc.result.type.element_type)
    reserve = BufferOp(alloc.label.data, alloc.sizes, alloc.operands_, buffer_type)
    tensor = GetOp(reserve.result, alloc.result.type)
    _insert([reserve, tensor], InsertPoint.before(alloc), alloc)
    _rename(tensor.tensor, plan)
    alloc.result.replace_all_uses_with(tensor.tensor)


def _make_queue(plan: QueuePlan) -> None:
    alloc = plan.life.alloc
    queue_type = QueueType(StringAttr(plan.position), alloc.result.type.element_type)
    queue = QueueOp(alloc.label.data, alloc.sizes, alloc.operands_, queue_type, plan.times)
    take = AllocTensorOp(queue.result, alloc.result.type)
    give = EnqueOp(take.tensor, queue.result)
    take_over = DequeOp(queue.result, alloc.result.type)
    free = FreeTensorOp(take_over.tensor, queue.result)
    _insert([queue], InsertPoint.before(alloc), alloc)
    _insert([take], InsertPoint.before(plan.alloc_at), plan.alloc_at)
    _insert([give], InsertPoint.after(plan.enque_at), plan.enque_at)
    _insert([take_over], InsertPoint.before(plan.deque_at), plan.deque_at)
    _insert([free], InsertPoint.after(plan.free_at), plan.free_at)
    for tensor in (take.tensor, take_over.tensor):
        _rename(tensor, plan)
    for _, use in plan.life.uses:
        _replace_operand(use.op, alloc.result, take_over.tensor if use.pipe in plan.consumers else take.tensor)


def _rename(tensor: SSAValue, plan: QueuePlan) -> None:
    tensor.name_hint = plan.life.alloc.result.name_hint or plan.life.label


def _replace_operand(op: Operation, old: SSAValue, new: SSAValue) -> None:
    op.operands = [new if operand is old else operand for operand in op.operands]


def _insert(ops: list[Operation], point: InsertPoint, at: Operation) -> None:
    for op in ops:
        op.location = at.location
    Builder(point).insert(ops)
