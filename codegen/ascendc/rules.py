"""One small function for each operation of the ascendc dialect."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import memref, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...dialect.ascendc import (
    AllocTensorOp,
    BarrierOp,
    BinaryOp,
    BufferOp,
    CastOp,
    CopyInOp,
    CopyOp,
    CopyOutOp,
    DequeOp,
    EnqueOp,
    EventOp,
    FillOp,
    FreeTensorOp,
    GetOp,
    QueueOp,
    ReleaseEventOp,
    ScalarOp,
    SetFlagOp,
    UnaryOp,
    VectorOp,
    WaitFlagOp,
)
from ..cfamily import UPSTREAM_RULES, Expr, ExpressionRule, Level, StatementRule, call, infix, member
from ..cfamily.control import LoopRange, emit_for, loop_header
from ..cfamily.memory import offset
from .language import KERNEL_LANGUAGE
from .printer import KernelPrinter

REPEAT_PARAMS: Mapping[type[VectorOp], tuple[str, str]] = {
    UnaryOp: ("UnaryRepeatParams", "1, 1"),
    ScalarOp: ("UnaryRepeatParams", "1, 1"),
    CastOp: ("UnaryRepeatParams", "1, 1"),
    BinaryOp: ("BinaryRepeatParams", "1, 1, 1"),
}
"""The struct with the strides of the repeat form, and its block strides: blocks follow one another."""


def is_zero(value: SSAValue) -> bool:
    """Return whether a value is the constant 0."""
    owner = value.owner
    return isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr) and owner.value.value.data == 0


def tensor_at(printer: KernelPrinter, tensor: SSAValue, start: SSAValue) -> str:
    """Return a tensor from an element on: `g`, or `g[start]`."""
    name = printer.text(tensor)
    return name if is_zero(start) else f"{name}[{printer.text(start)}]"


def global_at(printer: KernelPrinter, tensor: SSAValue, start: SSAValue) -> str:
    """Return a tensor in global memory from an element on."""
    name = printer.globals[tensor]
    return name if is_zero(start) else f"{name}[{printer.text(start)}]"


# Queues


def alloc_tensor(printer: KernelPrinter, op: AllocTensorOp) -> None:
    """Print `LocalTensor<T> x = queue.AllocTensor<T>();`."""
    element = printer.element_name(op.tensor, op)
    text = f"{printer.text(op.queue)}.AllocTensor<{element}>()"
    printer.assign(op.tensor, f"LocalTensor<{element}>", text)


def enque(printer: KernelPrinter, op: EnqueOp) -> None:
    """Print `queue.EnQue(x);`."""
    printer.line(f"{printer.text(op.queue)}.EnQue({printer.text(op.tensor)});")


def deque(printer: KernelPrinter, op: DequeOp) -> None:
    """Print `x = queue.DeQue<T>();`, into the variable that was handed over in the same block."""
    element = printer.element_name(op.tensor, op)
    text = f"{printer.text(op.queue)}.DeQue<{element}>()"
    handed = _handed_over(op)
    if handed is None:
        printer.assign(op.tensor, f"LocalTensor<{element}>", text)
        return
    printer.bind(op.tensor, printer.value(handed))
    printer.line(f"{printer.text(handed)} = {text};")


def _handed_over(op: DequeOp) -> SSAValue | None:
    before = op.prev_op
    while before is not None:
        if isinstance(before, EnqueOp) and before.queue is op.queue:
            return before.tensor
        before = before.prev_op
    return None


def free_tensor(printer: KernelPrinter, op: FreeTensorOp) -> None:
    """Print `queue.FreeTensor(x);`."""
    printer.line(f"{printer.text(op.queue)}.FreeTensor({printer.text(op.tensor)});")


def get(printer: KernelPrinter, op: GetOp) -> None:
    """Print `LocalTensor<T> g = buffer.Get<T>();`."""
    element = printer.element_name(op.tensor, op)
    printer.assign(op.tensor, f"LocalTensor<{element}>", f"{printer.text(op.buffer)}.Get<{element}>()")


# Copies


def _bytes(printer: KernelPrinter, count: SSAValue, element: str) -> str:
    if is_zero(count):
        return "0"
    return infix("*", Level.MULTIPLY, printer.value(count), Expr(f"sizeof({element})")).text


def _copy_params(printer: KernelPrinter, op: CopyOp, element: str) -> str:
    length, gm_gap = _bytes(printer, op.length, element), _bytes(printer, op.gm_gap, element)
    ub_gap = printer.text(op.ub_gap)
    gaps = (gm_gap, ub_gap) if op.INWARD else (ub_gap, gm_gap)
    return f"DataCopyExtParams({printer.text(op.blocks)}, {length}, {gaps[0]}, {gaps[1]}, 0)"


def copy_in(printer: KernelPrinter, op: CopyInOp) -> None:
    """Print the copy from global memory to a tensor."""
    printer.place(op)
    element = printer.element_name(op.tensor, op)
    places = (tensor_at(printer, op.tensor, op.at), global_at(printer, op.gm, op.offset))
    pad = f"DataCopyPadExtParams<{element}>()"
    printer.wrapped("DataCopyPad", (*places, _copy_params(printer, op, element), pad), ";")


def copy_out(printer: KernelPrinter, op: CopyOutOp) -> None:
    """Print the copy from a tensor to global memory."""
    printer.place(op)
    element = printer.element_name(op.tensor, op)
    places = (global_at(printer, op.gm, op.offset), tensor_at(printer, op.tensor, op.at))
    printer.wrapped("DataCopyPad", (*places, _copy_params(printer, op, element)), ";")


# Vector instructions


def vector(printer: KernelPrinter, op: VectorOp) -> None:
    """Print a vector instruction in its count or its repeat form."""
    printer.place(op)
    tensors = [tensor_at(printer, *place) for place in op.places]
    scalars = [printer.text(scalar) for scalar in op.scalars]
    cast = isinstance(op, CastOp)
    mode = [f"RoundMode::{op.api.data}"] if cast else []
    repeat = [] if op.repeat is None else [printer.text(op.repeat), *_strides(printer, op)]
    name = "Cast" if cast else op.api.data
    printer.wrapped(name, (*tensors, *scalars, *mode, printer.text(op.lanes), *repeat), ";")


def _strides(printer: KernelPrinter, op: VectorOp) -> Sequence[str]:
    strides = [printer.text(stride) for stride in op.strides]
    if isinstance(op, FillOp):
        return ("1", *strides)
    if op.api.data == "Copy":
        return (f"CopyRepeatParams(1, 1, {', '.join(strides)})",)
    name, blocks = REPEAT_PARAMS[type(op)]
    return (f"{name}({blocks}, {', '.join(strides)})",)


# Order


def barrier(printer: KernelPrinter, op: BarrierOp) -> None:
    """Print `PipeBarrier<PIPE_V>();`."""
    printer.line(f"PipeBarrier<PIPE_{op.pipe.data}>();")


def set_flag(printer: KernelPrinter, op: SetFlagOp) -> None:
    """Print `SetFlag<HardEvent::A_B>(id);`."""
    printer.line(f"SetFlag<HardEvent::{op.pair}>({printer.text(op.event)});")


def wait_flag(printer: KernelPrinter, op: WaitFlagOp) -> None:
    """Print `WaitFlag<HardEvent::A_B>(id);`."""
    printer.line(f"WaitFlag<HardEvent::{op.pair}>({printer.text(op.event)});")


def release_event(printer: KernelPrinter, op: ReleaseEventOp) -> None:
    """Print `pipe->ReleaseEventID<HardEvent::A_B>(id);`."""
    printer.line(f"pipe->ReleaseEventID<HardEvent::{op.pair}>({printer.text(op.event)});")


def reserved(printer: KernelPrinter, op: Operation) -> None:
    """Print nothing: the method Init reserves queues, buffers and events."""


# Scalars


def load(printer: KernelPrinter, op: memref.LoadOp) -> Expr:
    """Print `x.GetValue(i)`, of a tensor on chip or in global memory."""
    name = printer.globals.get(op.memref)
    base = Expr(name) if name is not None else printer.value(op.memref)
    return call(member(base, "GetValue").text, [offset(printer, op.memref, op.indices, op)])


def store(printer: KernelPrinter, op: memref.StoreOp) -> None:
    """Print `x.SetValue(i, v);`."""
    place = offset(printer, op.memref, op.indices, op)
    printer.line(f"{printer.text(op.memref)}.SetValue({place}, {printer.text(op.value)});")


def loop(printer: KernelPrinter, op: scf.ForOp) -> None:
    """Print a loop; where its body is a method of its own, with a call as its body."""
    if any(isinstance(inner, VectorOp) for inner in op.body.block.ops):
        printer.place(op)
    method = printer.methods.get(op)
    if method is None:
        emit_for(printer, op)
        return
    with printer.scope():
        header = loop_header(printer, op.body.block.args[0], LoopRange(op.lb, op.ub, op.step), op)
        with printer.braces(header):
            printer.wrapped(method.name, [printer.text(value) for value in method.parameters], ";")


KERNEL_EXPRESSIONS: Mapping[type[Operation], ExpressionRule] = {memref.LoadOp: load}

KERNEL_STATEMENTS: Mapping[type[Operation], StatementRule] = {
    AllocTensorOp: alloc_tensor,
    BarrierOp: barrier,
    BinaryOp: vector,
    BufferOp: reserved,
    CastOp: vector,
    CopyInOp: copy_in,
    CopyOutOp: copy_out,
    DequeOp: deque,
    EnqueOp: enque,
    EventOp: reserved,
    FillOp: vector,
    FreeTensorOp: free_tensor,
    GetOp: get,
    QueueOp: reserved,
    ReleaseEventOp: release_event,
    ScalarOp: vector,
    SetFlagOp: set_flag,
    UnaryOp: vector,
    WaitFlagOp: wait_flag,
    memref.StoreOp: store,
    scf.ForOp: loop,
}

KERNEL_RULES = UPSTREAM_RULES.extended(expressions=KERNEL_EXPRESSIONS, statements=KERNEL_STATEMENTS)
"""The rules of kernels."""


def new_printer() -> KernelPrinter:
    """Return a printer of an empty kernel file."""
    return KernelPrinter(KERNEL_LANGUAGE, KERNEL_RULES)
