// Barriers and flags inside a core, and the hardware barrier over all cores.
#pragma once

#include "api/tensor.h"
#include "emu/machine.h"

namespace AscendC {

template <pipe_t pipe>
void PipeBarrier() {
    static_assert(pipe != PIPE_S, "PIPE_S is not a legal argument of PipeBarrier");
    emu::Core::current().barrier(pipe);
}

template <HardEvent event>
void SetFlag(int32_t id, Site site = Site::here()) {
    emu::Core::current().setFlag(event, id, site);
}

template <HardEvent event>
void WaitFlag(int32_t id, Site site = Site::here()) {
    emu::Core::current().waitFlag(event, id, site);
}

/// Flags from one pipe to another, by the names of the pipes.
template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    static_assert(emu::eventBetween(src, dst) != HardEvent::MAX, "TQueSync: a vector core has no flag for these pipes");

    void SetFlag(int32_t id, Site site = Site::here()) {
        emu::Core::current().setFlag(emu::eventBetween(src, dst), id, site);
    }
    void WaitFlag(int32_t id, Site site = Site::here()) {
        emu::Core::current().waitFlag(emu::eventBetween(src, dst), id, site);
    }
};

/// The pipe whose work a barrier over all cores waits for, and the pipe that it stops.
struct SyncAllConfig {
    pipe_t triggerPipe = PIPE_ALL;
    pipe_t waitPipe = PIPE_ALL;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG{};

/// Hardware barrier over all vector cores.
template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
void SyncAll(Site site = Site::here()) {
    static_assert(isAIVOnly, "SyncAll: a vector kernel must use SyncAll<true>");
    static_assert(config.triggerPipe == PIPE_ALL || config.triggerPipe == PIPE_MTE2 || config.triggerPipe == PIPE_MTE3,
                  "SyncAll: triggerPipe is PIPE_ALL, PIPE_MTE2 or PIPE_MTE3");
    static_assert(config.waitPipe == PIPE_ALL || config.waitPipe == PIPE_MTE2 || config.waitPipe == PIPE_MTE3,
                  "SyncAll: waitPipe is PIPE_ALL, PIPE_MTE2 or PIPE_MTE3");
    emu::Core& core = emu::Core::current();
    core.machine.syncAll(core, config.triggerPipe, config.waitPipe, site);
}

}  // namespace AscendC

/// The forms of the flags and barriers that name pipes at run time.
inline void set_flag(pipe_t src, pipe_t dst, int32_t id, emu::Site site = emu::Site::here()) {
    emu::Core::current().setFlag(emu::eventBetween(src, dst), id, site);
}
inline void wait_flag(pipe_t src, pipe_t dst, int32_t id, emu::Site site = emu::Site::here()) {
    emu::Core::current().waitFlag(emu::eventBetween(src, dst), id, site);
}
inline void pipe_barrier(pipe_t pipe) { emu::Core::current().barrier(pipe); }
