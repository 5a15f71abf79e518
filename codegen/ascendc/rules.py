"""One small function for each operation of the ascendc dialect."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import memref, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...dialect.ascendc import (
    AllocTensorOp,
    BarrierOp,
    BinaryOp,
    BufferOp,
    ByRowOp,
    CastOp,
    CleanCacheOp,
    CompareOp,
    CopyInOp,
    CopyOp,
    CopyOutOp,
    DequeOp,
    EnqueOp,
    EventOp,
    FillOp,
    FreeTensorOp,
    GatherMaskOp,
    GetOp,
    IndexOp,
    QueueOp,
    ReduceOp,
    ReleaseEventOp,
    ScalarOp,
    SelectOp,
    SetFlagOp,
    SpreadOp,
    UnaryOp,
    VectorOp,
    WaitFlagOp,
)
from ..cfamily import UPSTREAM_RULES, Expr, ExpressionRule, Level, StatementRule, call, infix, member
from ..cfamily.control import LoopRange, emit_for, is_one, loop_header
from ..cfamily.memory import load as load_element
from ..cfamily.memory import memref_type, offset
from ..cfamily.memory import store as store_element
from .language import KERNEL_LANGUAGE
from .printer import KernelPrinter

REPEAT_PARAMS: Mapping[type[VectorOp], tuple[str, str]] = {
    UnaryOp: ("UnaryRepeatParams", "1, 1"),
    ScalarOp: ("UnaryRepeatParams", "1, 1"),
    CastOp: ("UnaryRepeatParams", "1, 1"),
    BinaryOp: ("BinaryRepeatParams", "1, 1, 1"),
    ByRowOp: ("BinaryRepeatParams", "1, 1, 0"),
}
"""The struct with the strides of the repeat form, and its block strides: blocks follow one another, or are the same."""


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
    size = Expr(f"sizeof({element})")
    if is_zero(count):
        return "0"
    return size.text if is_one(count) else infix("*", Level.MULTIPLY, printer.value(count), size).text


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
    border = ", ".join(["true", *(printer.text(value) for value in op.border)]) if op.border is not None else ""
    pad = f"DataCopyPadExtParams<{element}>({border})"
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


def reduce(printer: KernelPrinter, op: ReduceOp) -> None:
    """Print `WholeReduceSum<T>(t, f, lanes, repeat, 1, 1, s);`; an extreme returns its value alone."""
    printer.place(op)
    assert op.repeat is not None
    name = f"{op.api.data}<{printer.element_name(op.tensors[1], op)}>"
    tensors = [tensor_at(printer, *place) for place in op.places]
    target, source = (printer.text(stride) for stride in op.strides)
    order = [] if op.api.data == "WholeReduceSum" else ["ReduceOrder::ORDER_ONLY_VALUE"]
    counts = (printer.text(op.lanes), printer.text(op.repeat), target, "1", source)
    printer.wrapped(name, (*tensors, *counts, *order), ";")


def spread(printer: KernelPrinter, op: SpreadOp) -> None:
    """Print `Brcb(s, t, repeat, BrcbRepeatParams(p, q));`."""
    printer.place(op)
    assert op.repeat is not None
    tensors = [tensor_at(printer, *place) for place in op.places]
    strides = ", ".join(printer.text(stride) for stride in op.strides)
    printer.wrapped("Brcb", (*tensors, printer.text(op.repeat), f"BrcbRepeatParams({strides})"), ";")


def compare(printer: KernelPrinter, op: CompareOp) -> None:
    """Print `CompareScalar(b.ReinterpretCast<uint8_t>(), x, v, CMPMODE::NE, n);`."""
    printer.place(op)
    bits, source = (tensor_at(printer, *place) for place in op.places)
    mode = f"CMPMODE::{op.api.data}"
    scalar, lanes = printer.text(op.scalars[0]), printer.text(op.lanes)
    printer.wrapped("CompareScalar", (f"{bits}.ReinterpretCast<uint8_t>()", source, scalar, mode, lanes), ";")


def select(printer: KernelPrinter, op: SelectOp) -> None:
    """Print a comparison into the compare-mask register and the selection by it: see ascendc.select."""
    printer.place(op)
    target, lhs, rhs, chosen, other = (tensor_at(printer, *place) for place in op.places)
    element, lanes = printer.element_name(op.tensors[0], op), printer.text(op.lanes)
    params = "BinaryRepeatParams(1, 1, 1, 8, 8, 8)"
    printer.wrapped("Compare", (lhs, rhs, f"CMPMODE::{op.api.data}", lanes, params), ";")
    printer.line("PipeBarrier<PIPE_V>();")
    printer.line(f"SetVectorMask<{element}>({lanes});")
    printer.wrapped(f"Select<{element}, SELMODE::VSEL_CMPMASK_SPR>", (target, chosen, other, "1", params), ";")
    printer.line("ResetMask();")


def gather_mask(printer: KernelPrinter, op: GatherMaskOp) -> None:
    """Print `GatherMask(y, x, m.ReinterpretCast<uint32_t>(), true, n, GatherMaskParams(1, 1, 0, 0), kept);`."""
    printer.place(op)
    target, source, bits = (tensor_at(printer, *place) for place in op.places)
    element = memref_type(op.tensors[1]).element_type
    assert isinstance(element, FixedBitwidthType)
    pattern = f"{bits}.ReinterpretCast<uint{8 * element.size}_t>()"
    kept = printer.names.fresh("kept")
    printer.line(f"uint64_t {kept} = 0;")
    params = "GatherMaskParams(1, 1, 0, 0)"
    printer.wrapped("GatherMask", (target, source, pattern, "true", printer.text(op.lanes), params, kept), ";")


# Order


def clean_cache(printer: KernelPrinter, op: CleanCacheOp) -> None:
    """Print the call that writes back and forgets the scalar unit's cache, and the wait for it."""
    kinds = (printer.element_name(op.tensor, op), "CacheLine::ENTIRE_DATA_CACHE", "DcciDst::CACHELINE_OUT")
    printer.line(f"DataCacheCleanAndInvalid<{', '.join(kinds)}>({printer.globals[op.tensor]});")
    printer.line("DataSyncBarrier<MemDsbT::ALL>();")


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
    """Print `x.GetValue(i)`, of a tensor on chip or in global memory, or `x[i]` of a local array."""
    if isinstance(op.memref.owner, memref.AllocaOp):
        return load_element(printer, op)
    name = printer.globals.get(op.memref)
    base = Expr(name) if name is not None else printer.value(op.memref)
    return call(member(base, "GetValue").text, [offset(printer, op.memref, op.indices, op)])


def store(printer: KernelPrinter, op: memref.StoreOp) -> None:
    """Print `x.SetValue(i, v);`, of a tensor on chip or in global memory, or `x[i] = v;` of a local array."""
    if isinstance(op.memref.owner, memref.AllocaOp):
        store_element(printer, op)
        return
    place = offset(printer, op.memref, op.indices, op)
    name = printer.globals.get(op.memref)
    if name is not None:
        printer.place(op)
    printer.line(f"{name or printer.text(op.memref)}.SetValue({place}, {printer.text(op.value)});")


def loop(printer: KernelPrinter, op: scf.ForOp) -> None:
    """Print a loop; where its body is a method of its own, with a call as its body."""
    method = printer.methods.get(op)
    first = next((inner for inner in op.body.block.ops if isinstance(inner, VectorOp)), None)
    if method is None and first is not None:
        printer.place(first)
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
    ByRowOp: vector,
    CastOp: vector,
    CleanCacheOp: clean_cache,
    CompareOp: compare,
    CopyInOp: copy_in,
    CopyOutOp: copy_out,
    DequeOp: deque,
    EnqueOp: enque,
    EventOp: reserved,
    FillOp: vector,
    FreeTensorOp: free_tensor,
    GatherMaskOp: gather_mask,
    GetOp: get,
    IndexOp: vector,
    QueueOp: reserved,
    ReduceOp: reduce,
    ReleaseEventOp: release_event,
    ScalarOp: vector,
    SelectOp: select,
    SetFlagOp: set_flag,
    SpreadOp: spread,
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
