// A map from byte ranges to states that merges equal neighbours.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace emu {

/// States of the bytes [0, size). `State` is a value type with operator==.
template <typename State>
class IntervalMap {
public:
    explicit IntervalMap(uint64_t size, State initial = State{}) : size_(size) { starts_.emplace(0, initial); }

    uint64_t size() const { return size_; }

    /// Call change(begin, end, State&) for each segment of [begin, end), split at both ends, then merge neighbours.
    template <typename Change>
    void update(uint64_t begin, uint64_t end, Change&& change) {
        if (begin >= end) return;
        const auto first = split(begin);
        const auto stop = end < size_ ? split(end) : starts_.end();
        for (auto it = first; it != stop; ++it) {
            const auto next = std::next(it);
            change(it->first, next == starts_.end() ? size_ : next->first, it->second);
        }
        merge(first, stop);
    }

    /// Call look(begin, end, const State&) for each segment that meets [begin, end), clipped to it.
    template <typename Look>
    void visit(uint64_t begin, uint64_t end, Look&& look) const {
        if (begin >= end) return;
        for (auto it = std::prev(starts_.upper_bound(begin)); it != starts_.end() && it->first < end;) {
            const auto next = std::next(it);
            const uint64_t last = next == starts_.end() ? size_ : next->first;
            look(it->first < begin ? begin : it->first, last < end ? last : end, it->second);
            it = next;
        }
    }

private:
    using Map = std::map<uint64_t, State>;

    typename Map::iterator split(uint64_t at) {
        const auto next = starts_.lower_bound(at);
        if (next != starts_.end() && next->first == at) return next;
        return starts_.emplace_hint(next, at, std::prev(next)->second);
    }

    void merge(typename Map::iterator first, typename Map::iterator stop) {
        auto it = first == starts_.begin() ? std::next(first) : first;
        while (it != starts_.end()) {
            const bool last = it == stop;
            it = it->second == std::prev(it)->second ? starts_.erase(it) : std::next(it);
            if (last) break;
        }
    }

    uint64_t size_;
    Map starts_;
};

}  // namespace emu
