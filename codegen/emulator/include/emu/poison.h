// What memory holds that nobody has written.
#pragma once

#include <cstdint>
#include <cstring>

#include "emu/random.h"

namespace emu {

/// Fill memory with a pattern of the seed: NaN in every float type, large numbers, or noise.
inline void poison(uint8_t* to, uint64_t bytes, uint64_t seed) {
    constexpr uint8_t nan = 0xff;
    constexpr uint8_t large = 0x7b;
    if (seed % 4 != 3) {
        std::memset(to, seed % 2 == 0 ? nan : large, bytes);
        return;
    }
    Random random(seed);
    for (uint64_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        const uint64_t noise = random.next();
        std::memcpy(to + at, &noise, bytes - at < sizeof noise ? bytes - at : sizeof noise);
    }
}

}  // namespace emu
