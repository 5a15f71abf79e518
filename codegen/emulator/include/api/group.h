// Barriers between two groups of cores, and marks between kernels that run as one.
#pragma once

#include "api/cross.h"

namespace emu {

/// A group barrier in memory: those who arrive and those who wait.
struct GroupSpace {
    uint8_t* start;
    uint32_t arrivals;
    uint32_t waiters;
};

/// Bytes of a waiter's slot.
inline constexpr uint64_t groupSlotBytes = 512;

/// Check the memory of a group barrier.
void groupInit(Core& core, const GroupSpace& space, Site site);
void groupArrive(Core& core, const GroupSpace& space, uint32_t index, Site site);
void groupWait(Core& core, const GroupSpace& space, uint32_t index, Site site);

}  // namespace emu

namespace AscendC {

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/// Cores of one group wait until all of the other group have arrived, round by round.
template <PipeMode pipeMode>
class GroupBarrier {
public:
    static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: MTE3_MODE only");

    GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSize, uint32_t waitSize, Site site = Site::here())
        : space_{groupWorkspace, arriveSize, waitSize} {
        emu::groupInit(emu::Core::current(), space_, site);
    }

    void Arrive(uint32_t arriveIndex, Site site = Site::here()) {
        emu::groupArrive(emu::Core::current(), space_, arriveIndex, site);
    }
    void Wait(uint32_t waitIndex, Site site = Site::here()) {
        emu::groupWait(emu::Core::current(), space_, waitIndex, site);
    }
    uint64_t GetWorkspaceLen() const { return space_.waiters * emu::groupSlotBytes; }

private:
    emu::GroupSpace space_;
};

// One kernel runs alone: nothing comes before or after it.
inline void WaitPreTaskEnd() {}
inline void SetNextTaskStart() {}

}  // namespace AscendC
