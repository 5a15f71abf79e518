"""The ascendc dialect: kernels in the shape of the Ascend C API."""

from xdsl.ir import Dialect

from .copies import CopyInOp, CopyOp, CopyOutOp
from .lanes import ByRowOp, ReduceOp, SpreadOp
from .queues import AllocTensorOp, BufferOp, DequeOp, EnqueOp, FreeTensorOp, GetOp, QueueOp, ReserveOp
from .selection import CompareOp, GatherMaskOp, IndexOp, SelectOp
from .stage import StageOp
from .sync import BarrierOp, CleanCacheOp, EventOp, FlagOp, ReleaseEventOp, SetFlagOp, SyncAllOp, WaitFlagOp
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
    "ByRowOp",
    "CastOp",
    "CleanCacheOp",
    "CompareOp",
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
    "GatherMaskOp",
    "GetOp",
    "IndexOp",
    "QueueOp",
    "QueueType",
    "ReduceOp",
    "ReleaseEventOp",
    "RequireOp",
    "ReserveOp",
    "ScalarOp",
    "SelectOp",
    "SetFlagOp",
    "SpreadOp",
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
        ByRowOp,
        CastOp,
        CleanCacheOp,
        CompareOp,
        CopyInOp,
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
        RequireOp,
        ScalarOp,
        SelectOp,
        SetFlagOp,
        SpreadOp,
        StageOp,
        SyncAllOp,
        UnaryOp,
        WaitFlagOp,
    ],
    [BufferType, EventType, QueueType],
)
