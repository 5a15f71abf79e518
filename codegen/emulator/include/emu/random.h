// Numbers that a seed determines, the same on every machine.
#pragma once

#include <cstdint>
#include <utility>

namespace emu {

/// A small generator; two with different seeds have nothing in common.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31);
    }

    /// A number from 0 to below the limit.
    uint64_t below(uint64_t limit) { return (next() >> 11) % limit; }

    bool chance(uint32_t percent) { return below(100) < percent; }

    template <typename List>
    void shuffle(List& list) {
        for (size_t i = list.size(); i > 1; i--) std::swap(list[i - 1], list[below(i)]);
    }

private:
    uint64_t state_;
};

}  // namespace emu
