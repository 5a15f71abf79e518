// Checks of the order of accesses to global memory.
#include "emu/gm.h"

namespace emu {

namespace {

bool isOrdered(const GmTouch& earlier, const GmTouch& who, const Clocks& clocks) {
    if (earlier.core < 0 || earlier == who) return true;
    if (earlier.core != who.core) return clocks.orderedAcross(earlier.core, earlier.pipe, earlier.number, who.pipe);
    return clocks.ordered(earlier.pipe, earlier.number, who.pipe);
}

/// Add an access to a list that keeps the latest one of each pipe of each core, without those that come before it.
void keep(std::vector<GmTouch>& list, const GmTouch& who, const Clocks& clocks) {
    size_t kept = 0;
    for (const GmTouch& other : list) {
        const bool samePipe = other.core == who.core && other.pipe == who.pipe;
        if (!samePipe && !isOrdered(other, who, clocks)) list[kept++] = other;
    }
    list.resize(kept);
    list.push_back(who);
}

/// The latest write or atomic write of a byte by somebody else than the scalar unit of a core.
uint64_t latestOther(const GmState& state, const GmTouch& who) {
    const auto stampOf = [&](const GmTouch& touch) {
        return touch.core < 0 || (touch.core == who.core && touch.pipe == PIPE_S) ? 0 : touch.stamp;
    };
    uint64_t latest = stampOf(state.writer);
    for (const GmTouch& adder : state.adders) latest = std::max(latest, stampOf(adder));
    return latest;
}

}  // namespace

Region* GlobalMemory::find(const uint8_t* pointer) const {
    for (const auto& region : regions_) {
        if (region->contains(pointer)) return region.get();
    }
    return nullptr;
}

Region* GlobalMemory::nearest(const uint8_t* pointer) const {
    Region* best = nullptr;
    for (const auto& region : regions_) {
        if (region->base <= pointer && (best == nullptr || region->base > best->base)) best = region.get();
    }
    return best;
}

void GlobalMemory::read(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks) {
    if (region.role == Role::input) return;
    region.state.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, GmState& state) {
        checkWritten(region, state, who, begin, end);
        check(region, "read-after-write", state.writer, who, clocks, begin, end);
        for (const GmTouch& adder : state.adders) check(region, "read-after-atomic", adder, who, clocks, begin, end);
        keep(state.readers, who, clocks);
    });
}

void GlobalMemory::write(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks, GmWrite how) {
    const bool combines = how == GmWrite::combine || how == GmWrite::combineInOrder;
    region.state.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, GmState& state) {
        if (combines) checkWritten(region, state, who, begin, end);
        check(region, "write-after-write", state.writer, who, clocks, begin, end);
        for (const GmTouch& reader : state.readers) check(region, "write-after-read", reader, who, clocks, begin, end);
        if (!combines) {
            for (const GmTouch& adder : state.adders) {
                check(region, "write-after-atomic", adder, who, clocks, begin, end);
            }
            state = GmState{true, how == GmWrite::cached, who};
            return;
        }
        if (how == GmWrite::combineInOrder) checkAdders(region, state, who, clocks, begin, end);
        state.readers.clear();
        keep(state.adders, who, clocks);
    });
}

void GlobalMemory::checkFresh(const uint8_t* at, uint64_t bytes, uint64_t filled, const GmTouch& who) {
    const Region* region = find(at);
    const auto offset = static_cast<uint64_t>(at - region->base);
    region->state.visit(offset, offset + bytes, [&](uint64_t begin, uint64_t end, const GmState& state) {
        if (state.cached || latestOther(state, who) <= filled) return;
        findings_.add(Rule::gmStaleCache, who.api, who.site, who.core,
                      text("bytes [%llu, %llu) of %s come from the scalar cache, which was filled before they were "
                           "written: clean and invalidate the line first",
                           (unsigned long long)begin, (unsigned long long)end, region->name));
    });
}

void GlobalMemory::writeBack(const uint8_t* line, const bool* dirty, uint64_t bytes, uint64_t filled,
                             const GmTouch& who) {
    for (uint64_t i = 0; i < bytes; i++) {
        Region* region = find(line + i);
        if (region == nullptr) continue;
        const auto offset = static_cast<uint64_t>(line + i - region->base);
        region->state.update(offset, offset + 1, [&](uint64_t begin, uint64_t, GmState& state) {
            if (dirty[i] && state.cached && state.writer.core == who.core) {
                state.cached = false;
                state.writer.stamp = nextStamp();
            } else if (latestOther(state, who) > filled) {
                findings_.add(Rule::gmSharedLine, who.api, who.site, who.core,
                              text("the cache line also holds byte %llu of %s, which somebody else has written since: "
                                   "it is overwritten",
                                   (unsigned long long)begin, region->name));
            }
        });
    }
}

bool GlobalMemory::isDefined(const uint8_t* at, uint64_t bytes) const {
    const Region* region = find(at);
    const auto offset = static_cast<uint64_t>(at - region->base);
    bool all = true;
    region->state.visit(offset, offset + bytes,
                        [&](uint64_t, uint64_t, const GmState& state) { all &= state.defined; });
    return all;
}

void GlobalMemory::define(const uint8_t* at, uint64_t bytes) {
    Region* region = find(at);
    if (region == nullptr) return;
    const auto offset = static_cast<uint64_t>(at - region->base);
    region->state.update(offset, std::min(offset + bytes, region->bytes), [](uint64_t, uint64_t, GmState& state) { state.defined = true; });
}

void GlobalMemory::checkComplete() const {
    for (const auto& region : regions_) {
        if (region->role != Role::output) continue;
        region->state.visit(0, region->bytes, [&](uint64_t begin, uint64_t end, const GmState& state) {
            if (state.defined) return;
            findings_.add(Rule::gmUnwritten, region->name, Site{}, -1,
                          text("no core wrote bytes [%llu, %llu) of %s (%llu bytes)", (unsigned long long)begin,
                               (unsigned long long)end, region->name, (unsigned long long)region->bytes));
        });
    }
}

void GlobalMemory::check(const Region& region, const char* kind, const GmTouch& earlier, const GmTouch& who,
                         const Clocks& clocks, uint64_t begin, uint64_t end) {
    if (isOrdered(earlier, who, clocks)) return;
    findings_.add(Rule::gmRace, who.api, who.site, who.core,
                  text("%s: pipe %s of core %d and the earlier %s on pipe %s of core %d (%s:%d) meet on bytes "
                       "[%llu, %llu) of %s without an order",
                       kind, pipeName(who.pipe), who.core, earlier.api, pipeName(earlier.pipe), earlier.core,
                       earlier.site.file, earlier.site.line, (unsigned long long)begin, (unsigned long long)end,
                       region.name));
}

void GlobalMemory::checkWritten(const Region& region, const GmState& state, const GmTouch& who, uint64_t begin,
                                uint64_t end) {
    if (!state.defined) {
        findings_.add(Rule::gmUninitialized, who.api, who.site, who.core,
                      text("reads bytes [%llu, %llu) of %s that nothing has written", (unsigned long long)begin,
                           (unsigned long long)end, region.name));
    }
    if (state.cached && (who.core != state.writer.core || who.pipe != PIPE_S)) {
        findings_.add(Rule::gmDirtyCache, who.api, who.site, who.core,
                      text("reads bytes [%llu, %llu) of %s, which still lie in the scalar cache of core %d",
                           (unsigned long long)begin, (unsigned long long)end, region.name, state.writer.core));
    }
}

void GlobalMemory::checkAdders(const Region& region, const GmState& state, const GmTouch& who, const Clocks& clocks,
                               uint64_t begin, uint64_t end) {
    for (const GmTouch& adder : state.adders) {
        if (adder.core == who.core || isOrdered(adder, who, clocks)) continue;
        findings_.add(Rule::atomicOrder, who.api, who.site, who.core,
                      text("cores %d and %d add floats to bytes [%llu, %llu) of %s without an order: the result "
                           "depends on which comes first",
                           adder.core, who.core, (unsigned long long)begin, (unsigned long long)end, region.name));
    }
}

}  // namespace emu
