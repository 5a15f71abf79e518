"""Types of the ascendc dialect: what the members of a kernel's class are.

A tensor taken from a queue or a plain buffer is a memref in memory space "ub": rows by pitch before the pass
lower-to-ascendc, flat behind it.
"""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

POSITIONS = ("VECIN", "VECOUT", "VECBIND")
"""Where a queue's tensors go: from global memory to the vector unit, from there to global memory, or through."""

EVENTS = ("MTE2_S", "S_MTE2", "V_S", "S_V", "MTE2_MTE3", "V_MTE3", "MTE3_MTE2", "V_MTE2", "MTE2_V", "S_MTE3", "MTE3_V")
"""The pairs of pipes that kernels order by flags of their own: the first sets, the second waits."""

PIPES = ("V", "MTE2", "MTE3", "ALL")
"""The pipes a barrier may stand for."""


@irdl_attr_definition
class QueueType(ParametrizedAttribute, TypeAttribute):
    """A queue of on-chip tensors: `!ascendc.queue<"VECIN", bf16>` is a `TQue<QuePosition::VECIN, 1>`."""

    name = "ascendc.queue"

    position: StringAttr
    element_type: Attribute

    def verify(self) -> None:
        if self.position.data not in POSITIONS:
            raise VerifyException(f"position is one of {', '.join(POSITIONS)}, found '{self.position.data}'")


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A plain on-chip buffer: `!ascendc.buffer<f32>` is a `TBuf<TPosition::VECCALC>`."""

    name = "ascendc.buffer"

    element_type: Attribute


@irdl_attr_definition
class EventType(ParametrizedAttribute, TypeAttribute):
    """An event id: `!ascendc.event<"MTE2_S">`."""

    name = "ascendc.event"

    pair: StringAttr

    def verify(self) -> None:
        if self.pair.data not in EVENTS:
            raise VerifyException(f"an event is one of {', '.join(EVENTS)}, found '{self.pair.data}'")
