// Where the distribution modes of loads and stores take each byte from.
#pragma once

#include "reg/types.h"

namespace emu::reg {

using AscendC::Reg::LoadDist;
using AscendC::Reg::StoreDist;

/// What a distribution of a load reads: bytes, alignment, and the width of the elements it moves.
struct LoadShape {
    uint32_t bytes;
    uint32_t alignment;
    uint32_t width;
};

constexpr LoadShape shapeOf(LoadDist dist) {
    switch (dist) {
        case LoadDist::DIST_BRC_B8: return {1, 1, 1};
        case LoadDist::DIST_BRC_B16: return {2, 2, 2};
        case LoadDist::DIST_BRC_B32: return {4, 4, 4};
        case LoadDist::DIST_US_B8: return {128, 32, 1};
        case LoadDist::DIST_US_B16: return {128, 32, 2};
        case LoadDist::DIST_DS_B8: return {512, 32, 1};
        case LoadDist::DIST_DS_B16: return {512, 32, 2};
        case LoadDist::DIST_UNPACK_B8: return {128, 32, 1};
        case LoadDist::DIST_UNPACK_B16: return {128, 32, 2};
        case LoadDist::DIST_UNPACK_B32: return {128, 32, 4};
        case LoadDist::DIST_UNPACK4_B8: return {64, 32, 1};
        case LoadDist::DIST_BLK: return {32, 32, 1};
        case LoadDist::DIST_E2B_B16: return {16, 16, 2};
        case LoadDist::DIST_E2B_B32: return {32, 32, 4};
        case LoadDist::DIST_DINTLV_B8: return {512, 32, 1};
        case LoadDist::DIST_DINTLV_B16: return {512, 32, 2};
        case LoadDist::DIST_DINTLV_B32: return {512, 32, 4};
        default: return {256, 32, 1};
    }
}

constexpr bool isPair(LoadDist dist) {
    return dist == LoadDist::DIST_DINTLV_B8 || dist == LoadDist::DIST_DINTLV_B16 || dist == LoadDist::DIST_DINTLV_B32;
}

/// The byte of memory that fills byte `at` of register `reg` of a load, -1 for a zero.
constexpr int sourceOf(LoadDist dist, uint32_t at, uint32_t reg) {
    const uint32_t w = shapeOf(dist).width;
    const uint32_t in = at % w;
    uint32_t from = at;
    switch (dist) {
        case LoadDist::DIST_BRC_B8:
        case LoadDist::DIST_BRC_B16:
        case LoadDist::DIST_BRC_B32: from = in; break;
        case LoadDist::DIST_US_B8:
        case LoadDist::DIST_US_B16: from = at / (2 * w) * w + in; break;
        case LoadDist::DIST_DS_B8:
        case LoadDist::DIST_DS_B16: from = at / w * 2 * w + in; break;
        case LoadDist::DIST_UNPACK_B8:
        case LoadDist::DIST_UNPACK_B16:
        case LoadDist::DIST_UNPACK_B32:
            if (at % (2 * w) >= w) return -1;
            from = at / (2 * w) * w + in;
            break;
        case LoadDist::DIST_UNPACK4_B8:
            if (at % 4 != 0) return -1;
            from = at / 4;
            break;
        case LoadDist::DIST_BLK: from = at % 32; break;
        case LoadDist::DIST_E2B_B16:
        case LoadDist::DIST_E2B_B32: from = at / 32 * w + in; break;
        case LoadDist::DIST_DINTLV_B8:
        case LoadDist::DIST_DINTLV_B16:
        case LoadDist::DIST_DINTLV_B32: from = (at / w * 2 + reg) * w + in; break;
        default: break;
    }
    return static_cast<int>(from);
}

/// What a distribution of a store writes: bytes at most, alignment, the width of the lanes that the mask selects (0: it
/// selects none, all bytes are written), and how many bytes of a lane are kept.
struct StoreShape {
    uint32_t bytes;
    uint32_t alignment;
    uint32_t width;
    uint32_t kept;
};

constexpr StoreShape shapeOf(StoreDist dist, uint32_t element) {
    switch (dist) {
        case StoreDist::DIST_NORM_B8: return {256, 32, 1, 1};
        case StoreDist::DIST_NORM_B16: return {256, 32, 2, 2};
        case StoreDist::DIST_NORM_B32: return {256, 32, 4, 4};
        case StoreDist::DIST_FIRST_ELEMENT_B8: return {1, 1, 0, 1};
        case StoreDist::DIST_FIRST_ELEMENT_B16: return {2, 2, 0, 2};
        case StoreDist::DIST_FIRST_ELEMENT_B32: return {4, 4, 0, 4};
        case StoreDist::DIST_PACK_B16: return {128, 32, 2, 1};
        case StoreDist::DIST_PACK_B32: return {128, 32, 4, 2};
        case StoreDist::DIST_PACK_B64: return {128, 32, 8, 4};
        case StoreDist::DIST_PACK4_B32: return {64, 32, 4, 1};
        case StoreDist::DIST_INTLV_B8: return {512, 32, 0, 1};
        case StoreDist::DIST_INTLV_B16: return {512, 32, 0, 2};
        case StoreDist::DIST_INTLV_B32: return {512, 32, 0, 4};
        default: return {256, 32, element, element};
    }
}

constexpr bool isPair(StoreDist dist) {
    return dist == StoreDist::DIST_INTLV_B8 || dist == StoreDist::DIST_INTLV_B16 || dist == StoreDist::DIST_INTLV_B32;
}

}  // namespace emu::reg
