// Lane-wise instructions between element types of different widths.
#pragma once

#include "reg/lanes.h"

namespace emu::reg {

/// Which lanes of a source count as defined: those whose mask bit is, and that are inactive or have content.
template <typename R>
Bits soundLanes(const R& src, const MaskReg& mask) {
    return (definedLanes(src) | ~mask.bits.spread(laneBits<R>)) & mask.defined.spread(laneBits<R>);
}

/// A result that is `factor` times as wide as the sources: lane i comes from lane factor * i + part.
template <typename Op, typename D, typename... S>
void widenTo(const Call& call, const Op& op, D& dst, const MaskReg& mask, uint32_t part, const S&... src) {
    startCall(call, mask, src...);
    constexpr uint32_t width = (laneBits<S>, ...);
    constexpr uint32_t factor = laneBits<D> / width;
    const std::tuple<Lanes<S>...> inputs{lanesOf(src)...};
    Bits sound = Bits::all();
    ((sound = sound & soundLanes(src, mask)), ...);
    Lanes<D> result{};
    Bits defined{};
    for (uint32_t i = 0; i < laneCount<D>; i++) {
        const uint32_t from = factor * i + part;
        if (mask.bits.test(from * width)) {
            result[i] = std::apply([&](const auto&... input) { return op(input[from]...); }, inputs);
        }
        defined.assign(i * laneBits<D>, sound.test(from * width));
    }
    const Lineage lineage = historyOf(mask, src...);
    setLanes(dst, result);
    setDefined(dst, defined.spread(laneBits<D>));
    dst.lineage = lineage;
}

/// A result that is narrower: lane factor * i + part comes from lane i, all other lanes are 0.
template <typename Op, typename D, typename S>
void narrowTo(const Call& call, const Op& op, D& dst, const MaskReg& mask, uint32_t part, const S& src) {
    startCall(call, mask, src);
    constexpr uint32_t factor = laneBits<S> / laneBits<D>;
    const Lanes<S> input = lanesOf(src);
    const Bits sound = soundLanes(src, mask);
    Lanes<D> result{};
    Bits defined = Bits::all();
    for (uint32_t i = 0; i < laneCount<S>; i++) {
        const uint32_t to = factor * i + part;
        if (mask.bits.test(i * laneBits<S>)) result[to] = op(input[i]);
        defined.assign(to * laneBits<D>, sound.test(i * laneBits<S>));
    }
    const Lineage lineage = historyOf(mask, src);
    setLanes(dst, result);
    setDefined(dst, defined.spread(laneBits<D>));
    dst.lineage = lineage;
}

}  // namespace emu::reg
