"""Operations that order pipes of one core, and all cores."""

from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from .types import PIPES, EventType


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Let later instructions of a pipe wait for all earlier ones of it.

    `ascendc.barrier "V"` becomes `PipeBarrier<PIPE_V>();`.
    """

    name = "ascendc.barrier"

    pipe = prop_def(StringAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$pipe attr-dict"

    def __init__(self, pipe: str) -> None:
        super().__init__(properties={"pipe": StringAttr(pipe)})

    def verify_(self) -> None:
        if self.pipe.data not in PIPES:
            raise VerifyException(f"pipe is one of {', '.join(PIPES)}, found '{self.pipe.data}'")


@irdl_op_definition
class EventOp(IRDLOperation):
    """Take an event id for a stage.

    `%e = ascendc.event : !ascendc.event<"MTE2_S">` becomes
    `keepLoaded = pipe->AllocEventID<HardEvent::MTE2_S>();`.
    """

    name = "ascendc.event"

    event = result_def(EventType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict `:` type($event)"

    def __init__(self, pair: str, name_hint: str = "") -> None:
        super().__init__(result_types=[EventType(StringAttr(pair))])
        self.event.name_hint = name_hint or None

    @property
    def pair(self) -> str:
        """Return the pipes, as in MTE2_S."""
        assert isinstance(self.event.type, EventType)
        return self.event.type.pair.data

    def verify_(self) -> None:
        from .protocol import verify_event

        verify_event(self)


class FlagOp(IRDLOperation):
    """The base of the operations on one event id."""

    event = operand_def(EventType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, event: SSAValue) -> None:
        super().__init__(operands=[event])

    @property
    def pair(self) -> str:
        """Return the pipes, as in MTE2_S."""
        assert isinstance(self.event.type, EventType)
        return self.event.type.pair.data


@irdl_op_definition
class SetFlagOp(FlagOp):
    """Set a flag once all earlier instructions of the event's first pipe are done.

    `ascendc.set_flag %e : !ascendc.event<"MTE2_S">` becomes `SetFlag<HardEvent::MTE2_S>(keepLoaded);`.
    """

    name = "ascendc.set_flag"
    assembly_format = "$event attr-dict `:` type($event)"


@irdl_op_definition
class WaitFlagOp(FlagOp):
    """Stop the event's second pipe until the flag is set, and clear it.

    `ascendc.wait_flag %e : !ascendc.event<"MTE2_S">` becomes `WaitFlag<HardEvent::MTE2_S>(keepLoaded);`.
    """

    name = "ascendc.wait_flag"
    assembly_format = "$event attr-dict `:` type($event)"


@irdl_op_definition
class ReleaseEventOp(FlagOp):
    """Give an event id back at the end of the stage.

    `ascendc.release_event %e : !ascendc.event<"MTE2_S">` becomes
    `pipe->ReleaseEventID<HardEvent::MTE2_S>(keepLoaded);`.
    """

    name = "ascendc.release_event"
    assembly_format = "$event attr-dict `:` type($event)"


@irdl_op_definition
class SyncAllOp(IRDLOperation):
    """Let every core wait until all cores are here and what they wrote can be read: `ascendc.sync_all`.

    Becomes `PipeBarrier<PIPE_ALL>(); SyncAll<true>();`.
    """

    name = "ascendc.sync_all"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"


@irdl_op_definition
class CleanCacheOp(IRDLOperation):
    """Write back and forget all lines of the scalar unit's data cache: no other unit sees it, and it sees no other.

    `ascendc.clean_cache %count : memref<?xi64>` becomes
    `DataCacheCleanAndInvalid<int64_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(countGm);` and
    `DataSyncBarrier<MemDsbT::ALL>();`. The tensor is any that the scalar unit uses.
    """

    name = "ascendc.clean_cache"

    tensor = operand_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor])
