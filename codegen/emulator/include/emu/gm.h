// Global memory: the regions a launch registers, and what the model remembers of their bytes.
#pragma once

#include <memory>
#include <vector>

#include "emu/shadow.h"

namespace emu {

/// What the kernel may do with a region.
enum class Role { input = 0, output = 1, workspace = 2, inout = 3 };

/// One access of a core to global memory; `stamp` counts all accesses of the launch.
struct GmTouch {
    int core = -1;
    pipe_t pipe = PIPE_S;
    uint32_t number = 0;
    uint64_t stamp = 0;
    const char* api = nullptr;
    Site site;

    bool operator==(const GmTouch& other) const {
        return core == other.core && pipe == other.pipe && number == other.number;
    }
};

/// How a write changes bytes: it replaces them, at once or through the scalar cache, or combines them atomically with
/// what they hold, in a way that depends on the order of the writes or not.
enum class GmWrite { replace, cached, combine, combineInOrder };

/// State of a GM byte: the last write, and since then the atomic writes and the reads, at most one a pipe of a core.
/// A cached byte has been written by a scalar store that no one else can see yet.
struct GmState {
    bool defined = false;
    bool cached = false;
    GmTouch writer{};
    std::vector<GmTouch> adders{};
    std::vector<GmTouch> readers{};

    bool operator==(const GmState& other) const {
        return defined == other.defined && cached == other.cached && writer == other.writer &&
               adders == other.adders && readers == other.readers;
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
          state(bytes, GmState{role == Role::input || role == Role::inout}) {}

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

    Region* find(const uint8_t* pointer) const;

    /// The region with the nearest base at or below the pointer, for messages about stray accesses.
    Region* nearest(const uint8_t* pointer) const;

    /// The stamp of the latest access.
    uint64_t now() const { return stamp_; }
    uint64_t nextStamp() { return ++stamp_; }

    void read(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks);
    void write(Region& region, const Run& run, const GmTouch& who, const Clocks& clocks, GmWrite how);

    /// Report bytes that others have written since a scalar cache line was filled.
    void checkFresh(const uint8_t* at, uint64_t bytes, uint64_t filled, const GmTouch& who);

    /// A core's scalar cache writes a line back; report bytes beside its own that others have written meanwhile.
    void writeBack(const uint8_t* line, const bool* dirty, uint64_t bytes, uint64_t filled, const GmTouch& who);

    /// Whether every byte has been written; a read outside of the checks, for flags between cores.
    bool isDefined(const uint8_t* at, uint64_t bytes) const;
    void define(const uint8_t* at, uint64_t bytes);

    /// Report bytes of outputs that no core has written.
    void checkComplete() const;

private:
    void check(const Region& region, const char* kind, const GmTouch& earlier, const GmTouch& who, const Clocks& clocks,
               uint64_t begin, uint64_t end);
    void checkWritten(const Region& region, const GmState& state, const GmTouch& who, uint64_t begin, uint64_t end);
    void checkAdders(const Region& region, const GmState& state, const GmTouch& who, const Clocks& clocks,
                     uint64_t begin, uint64_t end);

    Findings& findings_;
    uint64_t stamp_ = 0;
    std::vector<std::unique_ptr<Region>> regions_;
};

}  // namespace emu
