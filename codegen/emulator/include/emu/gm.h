// Global memory: the regions a launch registers, and what the model remembers of their bytes.
#pragma once

#include <memory>
#include <vector>

#include "emu/shadow.h"

namespace emu {

/// What the kernel may do with a region.
enum class Role { input = 0, output = 1, workspace = 2, inout = 3 };

/// One access of a core to global memory; accesses of different epochs are separated by a whole-kernel barrier.
struct GmTouch {
    int core = -1;
    uint32_t epoch = 0;
    pipe_t pipe = PIPE_S;
    uint32_t number = 0;
    const char* api = nullptr;
    Site site;

    bool operator==(const GmTouch& other) const {
        return core == other.core && epoch == other.epoch && pipe == other.pipe && number == other.number;
    }
};

/// State of a GM byte: the last write, the last read, and whether several cores read it in that epoch.
struct GmState {
    bool defined = false;
    bool sharedRead = false;
    GmTouch writer;
    GmTouch reader;

    bool operator==(const GmState& other) const {
        return defined == other.defined && sharedRead == other.sharedRead && writer == other.writer &&
               reader == other.reader;
    }
};

/// One kernel argument's memory.
struct Region {
    const char* name;
    uint8_t* base;
    uint64_t bytes;
    Role role;
    IntervalMap<GmState> state;

    Region(const char* name, uint8_t* base, uint64_t bytes, Role role)
        : name(name), base(base), bytes(bytes), role(role),
          state(bytes, GmState{role == Role::input || role == Role::inout, false, {}, {}}) {}

    bool contains(const uint8_t* pointer) const {
        return pointer >= base && static_cast<uint64_t>(pointer - base) < bytes;
    }
};

/// Global memory of a launch.
class GlobalMemory {
public:
    explicit GlobalMemory(Findings& findings) : findings_(findings) {}

    void add(const char* name, uint8_t* base, uint64_t bytes, Role role) {
        regions_.push_back(std::make_unique<Region>(name, base, bytes, role));
    }

    Region* find(const uint8_t* pointer) const {
        for (const auto& region : regions_) {
            if (region->contains(pointer)) return region.get();
        }
        return nullptr;
    }

    /// The region with the nearest base at or below the pointer, for messages about stray accesses.
    Region* nearest(const uint8_t* pointer) const {
        Region* best = nullptr;
        for (const auto& region : regions_) {
            if (region->base <= pointer && (best == nullptr || region->base > best->base)) best = region.get();
        }
        return best;
    }

    void read(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks) {
        region.state.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, GmState& state) {
            if (!state.defined) {
                findings_.add(Rule::gmUninitialized, who.api, who.site, who.core,
                              text("reads bytes [%llu, %llu) of %s that nothing has written", (unsigned long long)begin,
                                   (unsigned long long)end, region.name));
            }
            check(region, "read-after-write", state.writer, who, clocks, begin, end);
            const bool sameEpoch = state.reader.core >= 0 && state.reader.epoch == who.epoch;
            state.sharedRead = sameEpoch && (state.sharedRead || state.reader.core != who.core);
            state.reader = who;
        });
    }

    void write(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks) {
        region.state.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, GmState& state) {
            check(region, "write-after-write", state.writer, who, clocks, begin, end);
            GmTouch reader = state.reader;
            if (state.sharedRead && reader.core == who.core && reader.epoch == who.epoch) reader.core = -2;
            check(region, "write-after-read", reader, who, clocks, begin, end);
            state = GmState{true, false, who, {}};
        });
    }

    /// Report bytes of outputs that no core has written.
    void checkComplete() const {
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

private:
    void check(const Region& region, const char* kind, const GmTouch& earlier, const GmTouch& who, const Clocks& clocks,
               uint64_t begin, uint64_t end) {
        if (earlier.core == -1) return;
        if (earlier.core == who.core) {
            const bool same = earlier.pipe == who.pipe && earlier.number == who.number;
            if (same || clocks.ordered(earlier.pipe, earlier.number, who.pipe)) return;
        } else if (earlier.epoch != who.epoch) {
            return;
        }
        findings_.add(Rule::gmRace, who.api, who.site, who.core,
                      text("%s: pipe %s of core %d and the earlier %s on pipe %s of core %d (%s:%d) meet on bytes "
                           "[%llu, %llu) of %s without an order",
                           kind, pipeName(who.pipe), who.core, earlier.api, pipeName(earlier.pipe), earlier.core,
                           earlier.site.file, earlier.site.line, (unsigned long long)begin, (unsigned long long)end,
                           region.name));
    }

    Findings& findings_;
    std::vector<std::unique_ptr<Region>> regions_;
};

}  // namespace emu
