// The mask register of a vector core and its mode, as calls that leave the mask alone find it.
#pragma once

#include <cstdint>

namespace emu {

/// 128 mask bits, or in Counter mode a number of elements; and what put them there.
struct MaskState {
    bool counter = false;
    uint64_t low = ~uint64_t{0};
    uint64_t high = ~uint64_t{0};
    /// The call that left the register changed as a side effect; null after the kernel has programmed it itself.
    const char* leftBy = "the start of the kernel";

    /// The kernel programs the register.
    void program(uint64_t lowBits, uint64_t highBits) {
        low = lowBits;
        high = highBits;
        leftBy = nullptr;
    }

    /// A call leaves its own mask behind.
    void leave(const char* api, uint64_t lowBits, uint64_t highBits) {
        program(lowBits, highBits);
        leftBy = api;
    }

    /// A call leaves Normal mode and all lanes behind.
    void leaveFull(const char* api) {
        counter = false;
        leave(api, ~uint64_t{0}, ~uint64_t{0});
    }
};

}  // namespace emu
