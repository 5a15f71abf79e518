// The data cache of a core's scalar unit: no one else sees it, and it sees no one else.
#pragma once

#include <array>
#include <map>

#include "emu/gm.h"

namespace emu {

/// Lines of global memory as the scalar unit knows them. A line stays until the kernel cleans it, and is written back
/// as a whole where `wholeLines` says so, else byte by byte.
class ScalarCache {
public:
    static constexpr uint64_t lineBytes = 64;

    ScalarCache(GlobalMemory& gm, int core, bool wholeLines) : gm_(gm), core_(core), wholeLines_(wholeLines) {}

    /// The time at which the line of an address was filled; now, if it is filled only now.
    uint64_t filledAt(const uint8_t* address) { return line(address).filled; }

    void load(const uint8_t* from, void* to, uint64_t bytes);
    void store(uint8_t* to, const void* from, uint64_t bytes);

    /// Whether the line of an address holds what global memory does not have yet.
    bool isDirty(const uint8_t* address) const;
    size_t dirtyLines() const;

    /// Write back and forget the line of an address, or all lines.
    void clean(const uint8_t* address, const char* api, Site site);
    void cleanAll(const char* api, Site site);

private:
    struct Line {
        std::array<uint8_t, lineBytes> bytes;
        std::array<bool, lineBytes> dirty{};
        uint64_t filled;
    };
    using Lines = std::map<uint8_t*, Line>;

    static uint8_t* startOf(const uint8_t* address) {
        return reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(address) / lineBytes * lineBytes);
    }

    Line& line(const uint8_t* address);
    Lines::iterator drop(Lines::iterator entry, const char* api, Site site);

    GlobalMemory& gm_;
    int core_;
    bool wholeLines_;
    Lines lines_;
};

}  // namespace emu
