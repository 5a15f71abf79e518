// The engine of the register level's lane-wise instructions.
#pragma once

#include "reg/register.h"

namespace emu::reg {

using AscendC::Reg::DefaultType;
using AscendC::Reg::MaskMergeMode;
using AscendC::Reg::MaskReg;
using AscendC::Reg::RegTensor;

template <typename R> using Element = typename std::decay_t<R>::ActualT;

/// Lanes of a register, and mask bits (or bytes of a part) that a lane has.
template <typename R> inline constexpr uint32_t laneCount = R::REG_NUM * registerBytes / sizeof(Element<R>);
template <typename R> inline constexpr uint32_t laneBits = registerBytes / laneCount<R>;

/// Whether a template argument names the register's own element type, as it must if it is written out.
template <typename T, typename R>
inline constexpr bool namesElement = std::is_same_v<T, DefaultType> || std::is_same_v<T, Element<R>>;

template <typename R>
using Lanes = std::array<Element<R>, laneCount<R>>;

/// The lanes of a register. The two parts of a double register hold the low and the high halves of its elements.
template <typename R>
Lanes<R> lanesOf(const R& reg) {
    Lanes<R> lanes;
    auto* to = reinterpret_cast<uint8_t*>(lanes.data());
    if constexpr (R::REG_NUM == 1) {
        std::memcpy(to, reg.part[0].bytes.data(), registerBytes);
    } else {
        for (uint32_t i = 0; i < registerBytes; i++) {
            to[i / 4 * 8 + i % 4] = reg.part[0].bytes[i];
            to[i / 4 * 8 + 4 + i % 4] = reg.part[1].bytes[i];
        }
    }
    return lanes;
}

template <typename R>
void setLanes(R& reg, const Lanes<R>& lanes) {
    const auto* from = reinterpret_cast<const uint8_t*>(lanes.data());
    if constexpr (R::REG_NUM == 1) {
        std::memcpy(reg.part[0].bytes.data(), from, registerBytes);
    } else {
        for (uint32_t i = 0; i < registerBytes; i++) {
            reg.part[0].bytes[i] = from[i / 4 * 8 + i % 4];
            reg.part[1].bytes[i] = from[i / 4 * 8 + 4 + i % 4];
        }
    }
}

/// Which lanes are defined as a whole, each as a group of `laneBits` bits.
template <typename R>
Bits definedLanes(const R& reg) {
    Bits all = reg.part[0].defined.whole(laneBits<R>);
    for (size_t p = 1; p < reg.part.size(); p++) all = all & reg.part[p].defined.whole(laneBits<R>);
    return all;
}

template <typename R>
void setDefined(R& reg, const Bits& defined) {
    const bool excused = VectorFunction::current().excused;
    for (Part& part : reg.part) part.defined = excused ? Bits::all() : defined;
    reg.written = true;
}

/// Begin an instruction of the register level: count it, and require its sources to have been written.
template <typename... Sources>
void startCall(const Call& call, const Sources&... sources) {
    VectorFunction& vf = VectorFunction::current();
    vf.step(call);
    const bool complete = (sources.written && ...);
    vf.excused = !complete;
    if (!complete) vf.report(Rule::regUnwritten, call, "a source register or mask was never written");
}

template <typename... Sources>
Lineage historyOf(const Sources&... sources) {
    Lineage lineage;
    (lineage.join(sources.lineage), ...);
    return lineage;
}

/// Write lanes computed under a mask: the others become 0, or keep the old content if merging.
template <typename D>
void writeMasked(D& dst, const Lanes<D>& result, const Bits& known, const MaskReg& mask, bool merging,
                 const Lineage& lineage) {
    const Bits active = mask.bits.spread(laneBits<D>);
    const Bits sure = mask.defined.spread(laneBits<D>);
    if (active.full()) {
        setLanes(dst, result);
    } else {
        Lanes<D> lanes{};
        if (merging) lanes = lanesOf(dst);
        for (uint32_t i = 0; i < laneCount<D>; i++) {
            if (active.test(i * laneBits<D>)) lanes[i] = result[i];
        }
        setLanes(dst, lanes);
    }
    const Bits rest = merging ? definedLanes(dst) & ~active : ~active;
    const Lineage old = dst.lineage;
    dst.lineage = lineage;
    if (merging) dst.lineage.join(old);
    setDefined(dst, ((known & active) | rest) & sure);
}

/// dst[i] = op(src[i]...) in the active lanes.
template <typename Op, typename D, typename... S>
void lanewise(const Call& call, const Op& op, MaskMergeMode mode, D& dst, const MaskReg& mask, const S&... src) {
    static_assert(((laneBits<S> == laneBits<D>) && ...));
    startCall(call, mask, src...);
    const std::tuple<Lanes<S>...> inputs{lanesOf(src)...};
    Lanes<D> result;
    std::apply(
        [&](const auto&... input) {
            for (uint32_t i = 0; i < laneCount<D>; i++) result[i] = op(input[i]...);
        },
        inputs);
    Bits known = Bits::all();
    ((known = known & definedLanes(src)), ...);
    writeMasked(dst, result, known, mask, mode == MaskMergeMode::MERGING, historyOf(mask, src...));
}

/// Convert a scalar argument to the element type.
template <typename T, typename U>
T scalarOf(U value) {
    if constexpr (std::is_same_v<T, U>) {
        return value;
    } else if constexpr (std::is_same_v<U, bfloat16_t>) {
        return static_cast<T>(bfloatToFloat(value.bits));
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
        return bfloat16_t::fromBits(floatToBfloat(static_cast<float>(value)));
    } else {
        return static_cast<T>(value);
    }
}

}  // namespace emu::reg
