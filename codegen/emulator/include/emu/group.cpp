// Group barriers.
#include "api/group.h"

namespace emu {

namespace {

/// Report an index outside of its group; true if it can be used.
bool checkMember(Core& core, const char* api, uint32_t index, uint32_t size, Site site) {
    if (index < size) return true;
    core.report(Rule::syncFlagId, api, site, text("index %u of a group of %u cores", index, size));
    return false;
}

Group& groupOf(Core& core, const GroupSpace& space) {
    return core.machine.sync.groups.try_emplace(space.start, space.arrivals, space.waiters).first->second;
}

}  // namespace

void groupInit(Core& core, const GroupSpace& space, Site site) {
    const uint64_t bytes = space.waiters * groupSlotBytes;
    GlobalMemory& gm = core.machine.gm();
    const Region* region = gm.find(space.start);
    const bool inside = region != nullptr && bytes > 0 && region->contains(space.start + bytes - 1);
    const auto isZero = [&] { return std::all_of(space.start, space.start + bytes, [](uint8_t b) { return b == 0; }); };
    if (!inside || reinterpret_cast<uintptr_t>(space.start) % groupSlotBytes != 0) {
        core.report(Rule::syncWorkspace, "GroupBarrier", site,
                    text("needs %llu bytes of global memory on a boundary of %llu", (unsigned long long)bytes,
                         (unsigned long long)groupSlotBytes));
    } else if (!gm.isDefined(space.start, bytes) || !isZero()) {
        core.report(Rule::syncWorkspace, "GroupBarrier", site, "the workspace was not set to zero before");
    }
}

void groupArrive(Core& core, const GroupSpace& space, uint32_t index, Site site) {
    if (!checkMember(core, "Arrive", index, space.arrivals, site)) return;
    core.settle(PIPE_MTE3);
    groupOf(core, space).arrive(index, *core.promise(PIPE_MTE3));
    core.machine.yield(core);
}

void groupWait(Core& core, const GroupSpace& space, uint32_t index, Site site) {
    if (!checkMember(core, "Wait", index, space.waiters, site)) return;
    Group& group = groupOf(core, space);
    core.machine.await(core, [&] { return group.isComplete(index); },
                       Hang{Rule::syncHang, "Wait", site, "not all cores of the other group arrive"});
    core.clocks.waitAcross(PIPE_ALL, group.take(index), core.index);
}

}  // namespace emu
