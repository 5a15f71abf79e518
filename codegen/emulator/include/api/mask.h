// The mask register: what a kernel programs for calls that take no mask of their own.
#pragma once

#include "api/types.h"

namespace AscendC {

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };

constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

inline void SetMaskCount() { emu::Core::current().mask.counter = true; }
inline void SetMaskNorm() { emu::Core::current().mask.counter = false; }
inline void ResetMask() { emu::Core::current().mask.program(~uint64_t{0}, ~uint64_t{0}); }

/// Program both words, the high one first; in Counter mode the low one is the number of elements.
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow, Site site = Site::here()) {
    emu::Core& core = emu::Core::current();
    if (core.mask.counter && maskHigh != 0) {
        core.report(emu::Rule::maskRange, "SetVectorMask", site, "the high word must be 0 in Counter mode");
    }
    core.mask.program(maskLow, maskHigh);
}

/// Program the first `length` elements of each repeat, or with MaskMode::COUNTER `length` elements in all.
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t length, Site site = Site::here()) {
    emu::Core& core = emu::Core::current();
    if (core.mask.counter != (mode == MaskMode::COUNTER)) {
        core.report(emu::Rule::maskMode, "SetVectorMask", site, "programs the mask of the mode that is not set");
    }
    if (length < 0) core.report(emu::Rule::maskRange, "SetVectorMask", site, emu::text("length %d", length));
    const auto elements = static_cast<uint64_t>(length < 0 ? 0 : length);
    const emu::LaneMask lanes = emu::LaneMask::prefix(elements < 128 ? elements : 128);
    if constexpr (mode == MaskMode::COUNTER) {
        core.mask.program(elements, 0);
    } else {
        core.mask.program(lanes.word(0), lanes.word(1));
    }
}

}  // namespace AscendC
