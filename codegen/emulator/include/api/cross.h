// Synchronisation between cores by flags, and through global memory.
#pragma once

#include "api/tensor.h"
#include "emu/machine.h"

namespace emu {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;

/// A flag group's first core and size: mode 0 all vector cores, mode 1 those of one core group.
inline GroupFlag& groupFlag(Core& core, int mode, int id) {
    const int cores = core.machine.cores();
    const int size = mode == 0 ? cores : core.kernelType == KernelType::oneToTwo ? 2 : 1;
    const int first = mode == 0 ? 0 : core.index / size * size;
    const int members = std::min(size, cores - first);
    return core.machine.sync.flags.try_emplace({mode, first, id}, first, members, cores).first->second;
}

/// Report a flag that the kernel may not use; true if it can be used.
bool checkCrossFlag(Core& core, const char* api, Site site, int mode, int id);

void crossSet(Core& core, int mode, pipe_t pipe, int id, Site site);
void crossWait(Core& core, pipe_t pipe, int id, Site site);

/// The workspaces of a barrier or flag in memory.
struct SyncSpace {
    const char* api;
    Site site;
    uint8_t* start;
    uint64_t declared;
    LocalRef ub;

    SyncSpace(const char* api, Site site, const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>& ub)
        : api(api), site(site), start(reinterpret_cast<uint8_t*>(gm.GetPhyAddr())),
          declared(gm.GetSize() * sizeof(int32_t)), ub(ub.ref()) {}

    /// Check the sizes and take the unified buffer's part; false: memory that must not be touched.
    bool claim(Core& core, uint64_t gmBytes, uint64_t ubBytes) const;
};

void softSyncAll(Core& core, const SyncSpace& space, int usedCores);
void pairSet(Core& core, const SyncSpace& space, int block, int event);
void pairWait(Core& core, const SyncSpace& space, int block, int event);
void turnsInit(Core& core, const SyncSpace& space);
void turnWait(Core& core, const SyncSpace& space);
void turnPass(Core& core, const SyncSpace& space);

}  // namespace emu

namespace AscendC {

/// Set a flag for the cores of a group when the pipe has finished what it was given. Modes 2 and 4 reach cube cores.
template <uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(uint16_t flagId, Site site = Site::here()) {
    static_assert(modeId < 2, "CrossCoreSetFlag: a vector kernel has modes 0 and 1; cube cores are not modelled");
    static_assert(pipe != PIPE_S && pipe != PIPE_ALL, "CrossCoreSetFlag: PIPE_S and PIPE_ALL are not legal here");
    emu::crossSet(emu::Core::current(), modeId, pipe, flagId, site);
}

/// Wait until all cores of the group have set the flag.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t flagId, Site site = Site::here()) {
    static_assert(modeId < 2, "CrossCoreWaitFlag: a vector kernel has modes 0 and 1; cube cores are not modelled");
    emu::crossWait(emu::Core::current(), pipe, flagId, site);
}

/// Barrier through memory over the first `usedCores` cores, or all.
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
             const int32_t usedCores = 0, Site site = Site::here()) {
    static_assert(isAIVOnly, "SyncAll: a vector kernel must use SyncAll<true>");
    emu::softSyncAll(emu::Core::current(), emu::SyncSpace("SyncAll", site, gmWorkspace, ubWorkspace), usedCores);
}

/// Set the flag of a block and an event in memory.
template <bool isAIVOnly = true>
void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
           int32_t eventID, Site site = Site::here()) {
    static_assert(isAIVOnly, "IBSet: cube cores are not modelled");
    emu::pairSet(emu::Core::current(), emu::SyncSpace("IBSet", site, gmWorkspace, ubWorkspace), blockIdx, eventID);
}

/// Wait for the flag of a block and an event, and take it.
template <bool isAIVOnly = true>
void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
            int32_t eventID, Site site = Site::here()) {
    static_assert(isAIVOnly, "IBWait: cube cores are not modelled");
    emu::pairWait(emu::Core::current(), emu::SyncSpace("IBWait", site, gmWorkspace, ubWorkspace), blockIdx, eventID);
}

inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                                          Site site = Site::here()) {
    emu::turnsInit(emu::Core::current(),
                   emu::SyncSpace("InitDetermineComputeWorkspace", site, gmWorkspace, ubWorkspace));
}

/// Wait until the block before has passed its turn on.
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                         Site site = Site::here()) {
    emu::turnWait(emu::Core::current(), emu::SyncSpace("WaitPreBlock", site, gmWorkspace, ubWorkspace));
}

inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                            Site site = Site::here()) {
    emu::turnPass(emu::Core::current(), emu::SyncSpace("NotifyNextBlock", site, gmWorkspace, ubWorkspace));
}

}  // namespace AscendC
