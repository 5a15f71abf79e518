// State of a core that one call leaves for later ones.
#pragma once

#include <array>
#include <cstdint>

namespace emu {

/// Registers beside the mask, and the objects a kernel reaches without naming them.
struct Registers {
    /// Result of a comparison that has no tensor for it, and of SetCmpMask.
    std::array<uint64_t, 2> compareMask{};
    /// The last sum of all repeats, and the last extreme of a repeat with its index.
    float repeatSum = 0.0f;
    float repeatExtreme = 0.0f;
    uint32_t repeatIndex = 0;
    /// Pairs that the last merge took from each list.
    std::array<uint16_t, 4> mergedCounts{};
    /// The live TPipe, null if there is none.
    void* pipe = nullptr;
    /// What SetSysWorkspace was given.
    uint8_t* systemWorkspace = nullptr;
    /// The value that SetPadValue has set, and whether it has.
    uint64_t padValue = 0;
    bool padValueSet = false;
};

}  // namespace emu
