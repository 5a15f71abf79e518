// Waiting of cores for one another.
#include "api/cross.h"

namespace emu {

namespace {

constexpr int maxFlag = 15;
constexpr int maxFreeFlag = 10;
constexpr int64_t maxUnwaited = 15;
constexpr uint64_t slotBytes = 32;

int32_t valueAt(const uint8_t* slot) {
    int32_t value;
    std::memcpy(&value, slot, sizeof value);
    return value;
}

void putAt(Core& core, uint8_t* slot, int32_t value) {
    std::memcpy(slot, &value, sizeof value);
    core.machine.gm().define(slot, sizeof value);
}

/// A flag of two cores in memory; null if it may not be touched. What was never zeroed counts as zero after a report.
uint8_t* pairSlot(Core& core, const SyncSpace& space, int block, int event) {
    const int cores = core.machine.cores();
    if (block < 0 || block >= cores || event < 0) {
        core.report(Rule::syncFlagId, space.api, space.site,
                    text("block %d of %d and event %d are no legal pair", block, cores, event));
        return nullptr;
    }
    const uint64_t offset = (static_cast<uint64_t>(cores) * static_cast<uint64_t>(event) +
                             static_cast<uint64_t>(block)) * slotBytes;
    if (!space.claim(core, offset + slotBytes, slotBytes)) return nullptr;
    uint8_t* slot = space.start + offset;
    const int32_t value = valueAt(slot);
    if (core.machine.gm().isDefined(slot, sizeof value) && (value == 0 || value == 1)) return slot;
    core.report(Rule::syncWorkspace, space.api, space.site, "the workspace was not set to zero before");
    putAt(core, slot, 0);
    return slot;
}

uint64_t slotsOf(const Core& core) { return static_cast<uint64_t>(core.machine.cores()) * slotBytes; }

}  // namespace

bool checkCrossFlag(Core& core, const char* api, Site site, int mode, int id) {
    const bool grouped = core.kernelType == KernelType::oneToTwo || core.kernelType == KernelType::oneToOne;
    if (core.kernelType == KernelType::vectorOnly || (mode == 1 && !grouped)) {
        core.report(Rule::syncKernelType, api, site,
                    text("the declared kernel type has no cross-core flags of mode %d", mode));
    }
    if (id >= 0 && id <= maxFreeFlag) return true;
    core.report(Rule::syncFlagId, api, site,
                text("flag %d is outside 0..%d, what SyncAll and the framework leave to kernels", id, maxFreeFlag));
    return id >= 0 && id <= maxFlag;
}

void crossSet(Core& core, int mode, pipe_t pipe, int id, Site site) {
    if (!checkCrossFlag(core, "CrossCoreSetFlag", site, mode, id)) return;
    core.settle(pipe);
    GroupFlag& flag = groupFlag(core, mode, id);
    flag.set(core.index, *core.promise(pipe), site);
    if (flag.unwaited(core.index) > maxUnwaited) {
        core.report(Rule::syncFlagCount, "CrossCoreSetFlag", site,
                    text("flag %d was set more than %lld times without a wait", id, (long long)maxUnwaited));
    }
    core.machine.yield(core);
}

void crossWait(Core& core, pipe_t pipe, int id, Site site) {
    if (!checkCrossFlag(core, "CrossCoreWaitFlag", site, 0, id)) return;
    GroupFlag* flags[] = {&groupFlag(core, 0, id), &groupFlag(core, 1, id)};
    const auto isSet = [&](const GroupFlag* flag) { return flag->isSet(core.index); };
    core.machine.await(core, [&] { return std::any_of(std::begin(flags), std::end(flags), isSet); },
                       Hang{Rule::syncHang, "CrossCoreWaitFlag", site,
                            text("flag %d is not set by all cores of its group", id)});
    GroupFlag* flag = *std::find_if(std::begin(flags), std::end(flags), isSet);
    const pipe_t stopped = chip::crossWaitStopsAll || pipe == PIPE_S ? PIPE_ALL : pipe;
    core.clocks.waitAcross(stopped, flag->take(core.index), core.index);
}

bool SyncSpace::claim(Core& core, uint64_t gmBytes, uint64_t ubBytes) const {
    core.barrier(PIPE_ALL, api);
    const Region* region = core.machine.gm().find(start);
    const bool inside = region != nullptr && region->contains(start + gmBytes - 1);
    if (!inside || (declared != 0 && declared < gmBytes) || ub.bytes < ubBytes) {
        core.report(Rule::syncWorkspace, api, site,
                    text("needs %llu bytes of global memory and %llu of the unified buffer",
                         (unsigned long long)gmBytes, (unsigned long long)ubBytes));
    }
    if (inside && region->role == Role::input) {
        core.report(Rule::gmWriteInput, api, site, text("writes the input %s", region->name));
        return false;
    }
    Instruction scratch{api, PIPE_S, site};
    const uint64_t taken = std::min(ubBytes, ub.bytes);
    scratch.operands.push_back(Operand{"ubWorkspace", ub, Use::clobber, sizeof(int32_t), chip::blockBytes, false, {},
                                       {{ub.address, ub.address + taken}}});
    core.issue(scratch, [] {});
    return inside;
}

void softSyncAll(Core& core, const SyncSpace& space, int usedCores) {
    const int cores = core.machine.cores();
    if (usedCores < 0 || usedCores > cores) {
        core.report(Rule::syncWorkspace, space.api, space.site, text("usedCores %d of %d cores", usedCores, cores));
        return;
    }
    const int members = usedCores == 0 ? cores : usedCores;
    if (!space.claim(core, slotsOf(core), slotsOf(core))) return;
    GroupFlag& flag = core.machine.sync.soft.try_emplace(space.start, 0, members, cores).first->second;
    uint8_t* slot = space.start + static_cast<uint64_t>(core.index) * slotBytes;
    const auto round = static_cast<int32_t>(flag.waits(core.index));
    if (!core.machine.gm().isDefined(slot, sizeof round) || valueAt(slot) != round) {
        core.report(Rule::syncWorkspace, space.api, space.site, "the workspace was not set to zero before");
    }
    putAt(core, slot, round + 1);
    flag.set(core.index, *core.promise(PIPE_S), space.site);
    core.machine.await(core, [&] { return flag.isSet(core.index); },
                       Hang{Rule::syncMismatch, space.api, space.site, "not all cores reach this barrier"});
    core.clocks.waitAcross(PIPE_ALL, flag.take(core.index), core.index);
}

void pairSet(Core& core, const SyncSpace& space, int block, int event) {
    uint8_t* slot = pairSlot(core, space, block, event);
    if (slot == nullptr) return;
    core.machine.await(core, [slot] { return valueAt(slot) == 0; },
                       Hang{Rule::syncHang, space.api, space.site,
                            text("the flag of block %d, event %d is set and no one waits for it", block, event)});
    putAt(core, slot, 1);
    core.machine.sync.pairs[slot] = core.promise(PIPE_S);
}

void pairWait(Core& core, const SyncSpace& space, int block, int event) {
    uint8_t* slot = pairSlot(core, space, block, event);
    if (slot == nullptr) return;
    core.machine.await(core, [slot] { return valueAt(slot) == 1; },
                       Hang{Rule::syncHang, space.api, space.site,
                            text("no one sets the flag of block %d, event %d", block, event)});
    putAt(core, slot, 0);
    const auto promise = core.machine.sync.pairs.find(slot);
    if (promise != core.machine.sync.pairs.end()) core.clocks.waitAcross(PIPE_ALL, promise->second, core.index);
}

void turnsInit(Core& core, const SyncSpace& space) {
    if (!space.claim(core, slotsOf(core), slotsOf(core) + slotBytes)) return;
    putAt(core, space.start + static_cast<uint64_t>(core.index) * slotBytes, 0);
}

void turnWait(Core& core, const SyncSpace& space) {
    if (!space.claim(core, slotsOf(core), slotsOf(core) + slotBytes)) return;
    if (!core.machine.gm().isDefined(space.start + static_cast<uint64_t>(core.index) * slotBytes, sizeof(int32_t))) {
        core.report(Rule::syncWorkspace, space.api, space.site, "InitDetermineComputeWorkspace was not called");
    }
    Turns& turns = core.machine.sync.turns;
    core.machine.await(core, [&] { return turns.isTurn(core.index); },
                       Hang{Rule::syncHang, space.api, space.site, "the block before never passes its turn on"});
    const Promise promise = turns.take(core.index);
    if (promise != nullptr) core.clocks.waitAcross(PIPE_ALL, promise, core.index);
}

void turnPass(Core& core, const SyncSpace& space) {
    if (!space.claim(core, slotsOf(core), slotsOf(core) + slotBytes)) return;
    core.machine.sync.turns.pass(core.index, *core.promise(PIPE_S), space.site);
    core.machine.yield(core);
}

}  // namespace emu
