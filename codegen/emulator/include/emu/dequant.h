// What SetDeqScale has set for the conversions that scale.
#pragma once

#include <array>
#include <cstdint>

namespace emu {

/// Scale, offset and sign of the conversion of 16-bit integers to 8 bits.
struct DequantEntry {
    float scale = 1.0f;
    int16_t offset = 0;
    bool isSigned = true;
};

/// One entry for all lanes, and one for each of the 16 lanes of a block.
struct DequantTable {
    DequantEntry tensor;
    std::array<DequantEntry, 16> block{};
    bool hasBlock = false;
};

}  // namespace emu
