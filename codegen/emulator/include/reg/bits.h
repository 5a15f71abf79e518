// 256 bits: one for each byte of a vector register.
#pragma once

#include <array>
#include <cstdint>

namespace emu::reg {

/// The bits of a mask, or which bytes of a register have defined content.
struct Bits {
    static constexpr uint32_t count = 256;
    static constexpr size_t words = 4;

    std::array<uint64_t, words> word{};

    static Bits all() {
        Bits bits;
        bits.word.fill(~uint64_t{0});
        return bits;
    }

    /// The lowest bit of every group of `width` bits (1, 2, 4 or 8).
    static Bits lowest(uint32_t width) {
        static constexpr uint64_t patterns[] = {~uint64_t{0}, 0x5555555555555555, 0x1111111111111111,
                                                0x0101010101010101};
        Bits bits;
        bits.word.fill(patterns[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3]);
        return bits;
    }

    bool test(uint32_t bit) const { return (word[bit / 64] >> (bit % 64)) & 1u; }
    void set(uint32_t bit) { word[bit / 64] |= uint64_t{1} << (bit % 64); }
    void assign(uint32_t bit, bool value) {
        word[bit / 64] &= ~(uint64_t{1} << (bit % 64));
        word[bit / 64] |= uint64_t{value} << (bit % 64);
    }

    bool none() const { return (word[0] | word[1] | word[2] | word[3]) == 0; }
    bool full() const { return (word[0] & word[1] & word[2] & word[3]) == ~uint64_t{0}; }

    /// The lowest bit that is set, `count` if none is.
    uint32_t first() const {
        for (size_t w = 0; w < words; w++) {
            if (word[w] != 0) return static_cast<uint32_t>(64 * w + static_cast<size_t>(__builtin_ctzll(word[w])));
        }
        return count;
    }

    /// The lowest bit of each group of `width` bits, copied to the whole group.
    Bits spread(uint32_t width) const {
        Bits out = *this & lowest(width);
        for (uint64_t& w : out.word) w *= (uint64_t{1} << width) - 1;
        return out;
    }

    /// For each group of `width` bits whether all are set, as a whole group.
    Bits whole(uint32_t width) const {
        Bits out = *this;
        for (uint64_t& w : out.word) {
            for (uint32_t step = 1; step < width; step *= 2) w &= w >> step;
        }
        return out.spread(width);
    }

    Bits operator~() const {
        return {{~word[0], ~word[1], ~word[2], ~word[3]}};
    }
    Bits operator&(const Bits& o) const {
        return {{word[0] & o.word[0], word[1] & o.word[1], word[2] & o.word[2], word[3] & o.word[3]}};
    }
    Bits operator|(const Bits& o) const {
        return {{word[0] | o.word[0], word[1] | o.word[1], word[2] | o.word[2], word[3] | o.word[3]}};
    }
    Bits operator^(const Bits& o) const {
        return {{word[0] ^ o.word[0], word[1] ^ o.word[1], word[2] ^ o.word[2], word[3] ^ o.word[3]}};
    }
};

}  // namespace emu::reg
