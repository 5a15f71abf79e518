"""Operations on queues and plain buffers.

    %q = ascendc.queue "x_in" [%rows, %pitch] times 2 : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?x?xbf16, "ub">
    tile.load_rows ... to %t[...]
    ascendc.enque %t to %q : memref<?x?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?x?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?x?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>

Every path goes through these four steps in this order; protocol.py checks it.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntAttr, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from .types import BufferType, QueueType


class ReserveOp(IRDLOperation, ABC):
    """Reserve on-chip memory of rows x pitch elements, `times` copies of it, at the start of a stage."""

    label = prop_def(StringAttr)
    sizes = prop_def(IndexMapAttr)
    times = prop_def(IntAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(QueueType | BufferType)

    traits = traits_def(MemoryAllocEffect())

    SUFFIX: ClassVar[str]

    def __init__(
        self, label: str, sizes: IndexMapAttr, operands: Sequence[SSAValue], result_type: Attribute, times: int = 1
    ) -> None:
        super().__init__(
            operands=[operands],
            properties={"label": StringAttr(label), "sizes": sizes, "times": IntAttr(times)},
            result_types=[result_type],
        )
        self.result.name_hint = label + self.SUFFIX

    @property
    def element_type(self) -> Attribute:
        """Return the type of the elements."""
        assert isinstance(self.result.type, QueueType | BufferType)
        return self.result.type.element_type

    @classmethod
    def parse(cls, parser: Parser) -> "ReserveOp":
        label = parser.parse_str_literal()
        indices = IndexListParser(parser)
        sizes = indices.parse_list()
        times = 1
        if parser.parse_optional_keyword("times"):
            times = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        return cls(label, sizes, indices.resolve(), parser.parse_type(), times)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(" ")
        print_index_list(printer, self.sizes, self.operands_)
        if self.times.data != 1:
            printer.print_string(f" times {self.times.data}")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class QueueOp(ReserveOp):
    """Reserve a queue with `times` buffers of rows x pitch elements.

    `%q = ascendc.queue "x_in" [%rows, %pitch] times 2 : !ascendc.queue<"VECIN", bf16>` becomes
    `pipe->InitBuffer(xInQueue, 2, rows * pitch * sizeof(bfloat16_t))`.
    """

    name = "ascendc.queue"
    SUFFIX: ClassVar[str] = "_queue"

    def verify_(self) -> None:
        from .protocol import verify_queue

        verify_queue(self)

    @property
    def position(self) -> str:
        """Return VECIN, VECOUT or VECBIND."""
        assert isinstance(self.result.type, QueueType)
        return self.result.type.position.data


@irdl_op_definition
class BufferOp(ReserveOp):
    """Reserve a plain buffer of rows x pitch elements, for temporaries; nothing orders its users.

    `%b = ascendc.buffer "g" [%rows, %pitch] : !ascendc.buffer<f32>` becomes
    `pipe->InitBuffer(gBuffer, rows * pitch * sizeof(float))`.
    """

    name = "ascendc.buffer"
    SUFFIX: ClassVar[str] = "_buffer"

    def verify_(self) -> None:
        from .protocol import verify_place

        verify_place(self)


@irdl_op_definition
class GetOp(IRDLOperation):
    """Take the tensor of a plain buffer: `%t = ascendc.get %b : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">`.

    Becomes `LocalTensor<float> g = gBuffer.Get<float>();`.
    """

    name = "ascendc.get"

    buffer = operand_def(BufferType)
    tensor = result_def(MemRefType)

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$buffer attr-dict `:` type($buffer) `->` type($tensor)"

    def __init__(self, buffer: SSAValue, tensor_type: Attribute) -> None:
        super().__init__(operands=[buffer], result_types=[tensor_type])


@irdl_op_definition
class AllocTensorOp(IRDLOperation):
    """Take a free buffer of a queue, to be filled.

    `%t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?x?xbf16, "ub">` becomes
    `LocalTensor<bfloat16_t> xIn = xInQueue.AllocTensor<bfloat16_t>();`. Content is undefined.
    """

    name = "ascendc.alloc_tensor"

    queue = operand_def(QueueType)
    tensor = result_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$queue attr-dict `:` type($queue) `->` type($tensor)"

    def __init__(self, queue: SSAValue, tensor_type: Attribute) -> None:
        super().__init__(operands=[queue], result_types=[tensor_type])


@irdl_op_definition
class EnqueOp(IRDLOperation):
    """Hand a filled tensor over to the queue's consumer.

    `ascendc.enque %t to %q : memref<?x?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>` becomes `xInQueue.EnQue(xIn);`.
    """

    name = "ascendc.enque"

    tensor = operand_def(MemRefType)
    queue = operand_def(QueueType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$tensor `to` $queue attr-dict `:` type($tensor) `,` type($queue)"

    def __init__(self, tensor: SSAValue, queue: SSAValue) -> None:
        super().__init__(operands=[tensor, queue])


@irdl_op_definition
class DequeOp(IRDLOperation):
    """Take the oldest tensor handed over; the consumer waits until it is filled.

    `%u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?x?xbf16, "ub">` becomes
    `xIn = xInQueue.DeQue<bfloat16_t>();`.
    """

    name = "ascendc.deque"

    queue = operand_def(QueueType)
    tensor = result_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$queue attr-dict `:` type($queue) `->` type($tensor)"

    def __init__(self, queue: SSAValue, tensor_type: Attribute) -> None:
        super().__init__(operands=[queue], result_types=[tensor_type])


@irdl_op_definition
class FreeTensorOp(IRDLOperation):
    """Give a tensor back to its queue; whoever fills it next waits for its readers.

    `ascendc.free_tensor %u to %q : memref<?x?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>` becomes
    `xInQueue.FreeTensor(xIn);`.
    """

    name = "ascendc.free_tensor"

    tensor = operand_def(MemRefType)
    queue = operand_def(QueueType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$tensor `to` $queue attr-dict `:` type($tensor) `,` type($queue)"

    def __init__(self, tensor: SSAValue, queue: SSAValue) -> None:
        super().__init__(operands=[tensor, queue])
