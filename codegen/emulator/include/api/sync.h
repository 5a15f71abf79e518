// Barriers, flags, whole-kernel barriers and cache maintenance.
#pragma once

#include "api/tensor.h"
#include "emu/machine.h"

namespace AscendC {

template <pipe_t pipe>
void PipeBarrier() {
    static_assert(pipe != PIPE_S, "PIPE_S is not a legal argument of PipeBarrier");
    emu::Core::current().clocks.barrier(pipe);
}

template <HardEvent event>
void SetFlag(int32_t id, Site site = Site::here()) {
    emu::Core::current().events.set(event, id, site);
}

template <HardEvent event>
void WaitFlag(int32_t id, Site site = Site::here()) {
    emu::Core::current().events.wait(event, id, site);
}

/// Hardware barrier over all vector cores.
template <bool isAIVOnly = true>
void SyncAll(Site site = Site::here()) {
    static_assert(isAIVOnly, "a vector kernel must use SyncAll<true>");
    emu::Core& core = emu::Core::current();
    core.machine.syncAll(core, site);
}

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

/// Write back (and forget) the scalar cache line of the first element, or all lines.
template <typename T, CacheLine extent, DcciDst destination = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& tensor) {
    emu::Core& core = emu::Core::current();
    if (extent == CacheLine::ENTIRE_DATA_CACHE) {
        core.dirtyLines.clear();
    } else {
        core.dirtyLines.erase(emu::cacheLine(reinterpret_cast<const uint8_t*>(tensor.GetPhyAddr())));
    }
}

}  // namespace AscendC
