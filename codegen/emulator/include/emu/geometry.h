// Which bytes the lanes of a vector instruction touch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/shadow.h"

namespace emu {

/// Round up to whole 32-byte blocks.
inline uint64_t roundToBlock(uint64_t bytes) {
    return (bytes + chip::blockBytes - 1) / chip::blockBytes * chip::blockBytes;
}

inline constexpr uint32_t maxLanes = chip::repeatBytes;

/// The active lanes of one repeat.
class LaneMask {
public:
    static LaneMask prefix(uint64_t lanes) {
        LaneMask mask;
        for (size_t w = 0; w < mask.words_.size(); w++) {
            const uint64_t from = 64 * w;
            const uint64_t here = lanes > from ? lanes - from : 0;
            mask.words_[w] = here >= 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1;
        }
        return mask;
    }

    static LaneMask bits(uint64_t low, uint64_t high) {
        LaneMask mask;
        mask.words_ = {low, high, 0, 0};
        return mask;
    }

    uint64_t word(size_t index) const { return words_[index]; }
    bool test(uint32_t lane) const { return (words_[lane / 64] >> (lane % 64)) & 1u; }

    /// One past the highest active lane, 0 if none is.
    uint32_t bound() const {
        for (size_t w = words_.size(); w-- > 0;) {
            if (words_[w] != 0) return static_cast<uint32_t>(64 * w + 64 - __builtin_clzll(words_[w]));
        }
        return 0;
    }

    bool isPrefix() const { return *this == prefix(bound()); }

    /// One lane for each two neighbours: active if the lower one is.
    LaneMask coupled() const {
        LaneMask pairs;
        for (uint32_t lane = 0; lane < 128; lane++) pairs.words_[lane / 64] |= uint64_t{test(2 * lane)} << (lane % 64);
        return pairs;
    }

    /// Two lanes for each of the first 128.
    LaneMask doubled() const {
        LaneMask lanes;
        for (uint32_t lane = 0; lane < 256; lane++) lanes.words_[lane / 64] |= uint64_t{test(lane / 2)} << (lane % 64);
        return lanes;
    }

    LaneMask operator&(const LaneMask& other) const {
        LaneMask both = *this;
        for (size_t w = 0; w < words_.size(); w++) both.words_[w] &= other.words_[w];
        return both;
    }

    LaneMask operator|(const LaneMask& other) const {
        LaneMask both = *this;
        for (size_t w = 0; w < words_.size(); w++) both.words_[w] |= other.words_[w];
        return both;
    }

    bool operator==(const LaneMask& other) const { return words_ == other.words_; }

private:
    std::array<uint64_t, 4> words_{};
};

/// The lanes of a whole instruction: `repeats` times `lanes`, of which `mask` (in the last repeat `last`) are active.
struct Shape {
    uint32_t lanes = 0;
    uint32_t repeats = 0;
    LaneMask mask;
    LaneMask last;

    const LaneMask& maskOf(uint32_t repeat) const { return repeat + 1 == repeats ? last : mask; }

    /// `count` elements in a row, `lanes` a repeat.
    static Shape counted(uint64_t count, uint32_t lanes) {
        const auto repeats = static_cast<uint32_t>((count + lanes - 1) / lanes);
        const uint64_t tail = count - uint64_t{repeats == 0 ? 0 : repeats - 1} * lanes;
        return Shape{lanes, repeats, LaneMask::prefix(lanes), LaneMask::prefix(tail)};
    }

    static Shape masked(const LaneMask& mask, uint32_t repeats, uint32_t lanes) {
        return Shape{lanes, mask.bound() == 0 ? 0 : repeats, mask, mask};
    }
};

/// Byte distances between the blocks of a repeat and between repeats.
struct Strides {
    uint64_t block;
    uint64_t repeat;
};

/// Byte address of a lane.
inline uint64_t laneAddress(uint64_t base, Strides strides, uint32_t elementBytes, uint64_t repeat, uint32_t lane) {
    const uint32_t perBlock = chip::blockBytes / elementBytes;
    return base + repeat * strides.repeat + lane / perBlock * strides.block + lane % perBlock * elementBytes;
}

/// Append the bytes that the lanes [from, to) of one repeat touch.
void appendLanes(std::vector<Run>& runs, uint64_t base, Strides strides, uint32_t elementBytes, uint64_t repeat,
                        uint32_t from, uint32_t to);

/// Append the bytes that one repeat touches under a mask.
void appendRepeat(std::vector<Run>& runs, uint64_t base, Strides strides, uint32_t elementBytes, uint64_t repeat,
                         const LaneMask& mask);

/// Append the bytes that a whole instruction touches in one operand.
void appendShape(std::vector<Run>& runs, const Shape& shape, uint64_t base, Strides strides,
                        uint32_t elementBytes);

}  // namespace emu
