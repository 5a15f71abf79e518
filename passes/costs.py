"""What a chip's instructions cost: the form of the chip table's estimates of time."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class VectorCost:
    """Cost of a vector instruction, in cycles.

    Attributes:
        narrow, wide: of a repeat of elements of at most two bytes, and of larger ones.
        floor: fewest cycles that an instruction occupies its pipe.
        latency: from there to its result.
    """

    narrow: float
    wide: float
    floor: float = 3
    latency: float = 24


@dataclass(frozen=True)
class CopyCost:
    """Cost of a copy: cycles that it occupies its pipe at least, bytes a cycle, cycles from there to its data."""

    floor: float
    rate: float
    latency: float


@dataclass(frozen=True)
class Costs:
    """Estimates of a chip; cycles are those of a vector core's clock.

    Attributes:
        clock_mhz: the clock.
        gm_bytes_per_us: what all cores together move to and from global memory.
        copy_in, copy_out: copies from and to global memory.
        launch_us, launch_core_us: time of a launch before a core starts, alone and for each core.
        vector: vector instructions by API; `other_vector` for the rest.
        burst_bytes: fewest bytes that a row of a copy counts as.
        dispatch: scalar cycles to hand an instruction to a pipe.
        scalar_local, scalar_global: scalar access to the unified buffer, and to global memory through the cache.
        hand_over: from the end of an instruction to one of another pipe that waits for it.
        full_barrier: a barrier of all pipes.
        queue_call: one of AllocTensor, EnQue, DeQue, FreeTensor.
        setup_us: the construction of a TPipe and its buffers.
        tiling_us: a copy of tiling data.
        sync_us: a barrier or a flag between cores.
    """

    clock_mhz: float
    gm_bytes_per_us: float
    copy_in: CopyCost
    copy_out: CopyCost
    launch_us: float
    launch_core_us: float
    vector: Mapping[str, VectorCost]
    other_vector: VectorCost = VectorCost(2, 2)
    burst_bytes: int = 64
    dispatch: float = 2
    scalar_local: float = 2
    scalar_global: float = 11
    hand_over: float = 15
    full_barrier: float = 21
    queue_call: float = 25
    setup_us: float = 0.4
    tiling_us: float = 1.0
    sync_us: float = 1.0
