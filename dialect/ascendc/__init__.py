"""The ascendc dialect: kernels in the shape of the Ascend C API."""

from xdsl.ir import Dialect

from .copies import CopyInOp, CopyOp, CopyOutOp
from .queues import AllocTensorOp, BufferOp, DequeOp, EnqueOp, FreeTensorOp, GetOp, QueueOp, ReserveOp
from .stage import StageOp
from .sync import BarrierOp, EventOp, FlagOp, ReleaseEventOp, SetFlagOp, SyncAllOp, WaitFlagOp
from .tiling import RequireOp
from .types import BufferType, EventType, QueueType
from .vector import BinaryOp, CastOp, FillOp, ScalarOp, UnaryOp, VectorOp

__all__ = [
    "AllocTensorOp",
    "AscendC",
    "BarrierOp",
    "BinaryOp",
    "BufferOp",
    "BufferType",
    "CastOp",
    "CopyInOp",
    "CopyOp",
    "CopyOutOp",
    "DequeOp",
    "EnqueOp",
    "EventOp",
    "EventType",
    "FillOp",
    "FlagOp",
    "FreeTensorOp",
    "GetOp",
    "QueueOp",
    "QueueType",
    "ReleaseEventOp",
    "RequireOp",
    "ReserveOp",
    "ScalarOp",
    "SetFlagOp",
    "StageOp",
    "SyncAllOp",
    "UnaryOp",
    "VectorOp",
    "WaitFlagOp",
]

AscendC = Dialect(
    "ascendc",
    [
        AllocTensorOp,
        BarrierOp,
        BinaryOp,
        BufferOp,
        CastOp,
        CopyInOp,
        CopyOutOp,
        DequeOp,
        EnqueOp,
        EventOp,
        FillOp,
        FreeTensorOp,
        GetOp,
        QueueOp,
        ReleaseEventOp,
        RequireOp,
        ScalarOp,
        SetFlagOp,
        StageOp,
        SyncAllOp,
        UnaryOp,
        WaitFlagOp,
    ],
    [BufferType, EventType, QueueType],
)
