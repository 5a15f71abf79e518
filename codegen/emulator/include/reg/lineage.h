// Which loads of a vector function the content of a register comes from.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace emu::reg {

/// The newest loads of a value's history; loads at or below `floor` count as part of it.
class Lineage {
public:
    static constexpr size_t kept = 6;

    static Lineage of(uint32_t load) {
        Lineage lineage;
        lineage.loads_[0] = load;
        return lineage;
    }

    bool has(uint32_t load) const {
        return load <= floor_ || std::find(loads_.begin(), loads_.end(), load) != loads_.end();
    }

    /// Take over another history; what no longer fits raises the floor.
    void join(const Lineage& other) {
        if (loads_ == other.loads_ && floor_ == other.floor_) return;
        std::array<uint32_t, 2 * kept> all{};
        const auto middle = std::copy(loads_.begin(), loads_.end(), all.begin());
        std::copy(other.loads_.begin(), other.loads_.end(), middle);
        std::sort(all.begin(), all.end(), [](uint32_t a, uint32_t b) { return a > b; });
        const auto end = std::unique(all.begin(), all.end());
        std::fill(end, all.end(), 0u);
        std::copy_n(all.begin(), kept, loads_.begin());
        floor_ = std::max({floor_, other.floor_, all[kept]});
    }

private:
    std::array<uint32_t, kept> loads_{};
    uint32_t floor_ = 0;
};

}  // namespace emu::reg
