"""ascendc: stages, queues, buffers and copies. What orders pipes writes nothing: the text runs in order."""

from typing import cast

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Operation, SSAValue

from ...dialect.ascendc import (
    AllocTensorOp,
    BarrierOp,
    BufferOp,
    CleanCacheOp,
    CopyInOp,
    CopyOp,
    CopyOutOp,
    DequeOp,
    EnqueOp,
    EventOp,
    FreeTensorOp,
    GetOp,
    QueueOp,
    ReleaseEventOp,
    RequireOp,
    ReserveOp,
    SetFlagOp,
    StageOp,
    SyncAllOp,
    WaitFlagOp,
)
from ...dialect.ascendc.units import BLOCK_BYTES
from . import support
from .expr import Level
from .indices import index_text
from .memory import element_type, memref_type, new_array
from .rows import emit_cores
from .writer import Table, Writer


def _stage(w: Writer, op: StageOp) -> None:
    w.line(f"# {op.label.data}")
    emit_cores(w, op)


def _queue(w: Writer, op: QueueOp) -> None:
    w.assign_name(op.result, "[]")


def _new_tensor(w: Writer, op: AllocTensorOp | GetOp, source: SSAValue) -> None:
    """Write a poisoned array: rows x pitch, or flat where the tensor is."""
    reserve = cast("ReserveOp", source.owner)
    names = [w.once(value) for value in reserve.operands_]
    sizes = [index_text(expr, names) for expr in reserve.sizes.data]
    if memref_type(op.tensor).get_num_dims() == 1:
        sizes = [f"({sizes[0]}) * ({sizes[1]})"]
    w.assign_name(op.tensor, new_array(w, op, sizes, element_type(op.tensor)))


def _enque(w: Writer, op: EnqueOp) -> None:
    w.line(f"{w.text(op.queue)}.append({w.text(op.tensor)})")


def _deque(w: Writer, op: DequeOp) -> None:
    w.assign_name(op.tensor, f"{w.text(op.queue)}.pop(0)")


def block_elements(tensor: SSAValue) -> int:
    """Return how many elements of a tensor a block holds."""
    return BLOCK_BYTES // cast("FixedBitwidthType", element_type(tensor)).size


def _copy(w: Writer, op: CopyOp) -> None:
    """Write a copy of blocks: each starts on chip where the one before ended, rounded up, plus the gap."""
    view, elements = w.helper(support.strided), block_elements(op.tensor)
    rows, lanes = w.once(op.blocks), w.once(op.length)
    gm_step = f"{lanes} + {w.text(op.gm_gap)}"
    left, right = ("0", "0") if op.border is None else (w.once(op.border[0]), w.once(op.border[1]))
    whole = lanes if op.border is None else f"({left} + {lanes} + {right})"
    ub_step = f"(-(-{whole} // {elements}) + {w.text(op.ub_gap)}) * {elements}"
    gm = f"{view}({w.text(op.gm)}, {w.argument(op.offset)}, {rows}, {gm_step}, {lanes})"
    if op.border is not None:
        bordered = f"{view}({w.text(op.tensor)}, {w.argument(op.at)}, {rows}, {ub_step}, {whole})"
        w.line(f"{bordered}[...] = {w.text(op.border[2])}")
    at = w.argument(op.at) if op.border is None else f"{w.once(op.at)} + {left}"
    tensor = f"{view}({w.text(op.tensor)}, {at}, {rows}, {ub_step}, {lanes})"
    target, source = (tensor, gm) if op.INWARD else (gm, tensor)
    w.line(f"{target}[...] = {source}")


def _require(w: Writer, op: RequireOp) -> None:
    with w.block(f"if not {w.text(op.condition, Level.COMPARE)}"):
        w.line(f"raise ValueError({op.message.data!r})")


def _nothing(w: Writer, op: Operation) -> None:
    """Write nothing."""


EMITTERS: Table = {
    AllocTensorOp: lambda w, op: _new_tensor(w, op, op.queue),
    BarrierOp: _nothing,
    BufferOp: _nothing,
    CleanCacheOp: _nothing,
    CopyInOp: _copy,
    CopyOutOp: _copy,
    DequeOp: _deque,
    EnqueOp: _enque,
    EventOp: _nothing,
    FreeTensorOp: _nothing,
    GetOp: lambda w, op: _new_tensor(w, op, op.buffer),
    QueueOp: _queue,
    ReleaseEventOp: _nothing,
    RequireOp: _require,
    SetFlagOp: _nothing,
    StageOp: _stage,
    SyncAllOp: _nothing,
    WaitFlagOp: _nothing,
}
