// Comparison and selection of vector registers.
#pragma once

#include "reg/arithmetic.h"
#include "reg/mask.h"

namespace emu::reg {

/// Write test(lane) of the active lanes to a mask; the bits of the others are 0.
template <typename R, typename Test>
void compareLanes(MaskReg& dst, const MaskReg& mask, const Bits& known, const Lineage& lineage, const Test& test) {
    const Bits active = mask.bits;
    const Bits sure = (known | ~active.spread(laneBits<R>)) & mask.defined.spread(laneBits<R>);
    setLaneMask(dst, laneCount<R>, [&](uint32_t lane) { return active.test(lane * laneBits<R>) && test(lane); });
    dst.defined = dst.defined & sure;
    dst.lineage = lineage;
}

}  // namespace emu::reg

namespace AscendC::Reg {

template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U>
void Compare(MaskReg& dst, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<U>;
    EMU_REG_NAMES(Compare, T, U);
    EMU_REG_TYPES(Compare, E, E);
    emu::reg::startCall(emu::reg::Call{"Compare", site}, srcReg0, srcReg1, mask);
    const auto a = emu::reg::lanesOf(srcReg0);
    const auto b = emu::reg::lanesOf(srcReg1);
    emu::reg::compareLanes<U>(dst, mask, emu::reg::definedLanes(srcReg0) & emu::reg::definedLanes(srcReg1),
                              emu::reg::historyOf(srcReg0, srcReg1, mask),
                              [&](uint32_t lane) { return emu::reg::compares<mode>(a[lane], b[lane]); });
}

// Against a scalar, under its names.
#define EMU_REG_COMPARES(Name)                                                                                       \
    template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S>                          \
    void Name(MaskReg& dst, U& srcReg, S scalarValue, MaskReg& mask, Site site = Site::here()) {                     \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Compare, E, E);                                                                                \
        emu::reg::startCall(emu::reg::Call{#Name, site}, srcReg, mask);                                              \
        const auto a = emu::reg::lanesOf(srcReg);                                                                    \
        const E b = emu::reg::scalarOf<E>(scalarValue);                                                              \
        emu::reg::compareLanes<U>(dst, mask, emu::reg::definedLanes(srcReg), emu::reg::historyOf(srcReg, mask),      \
                                  [&](uint32_t lane) { return emu::reg::compares<mode>(a[lane], b); });              \
    }
EMU_REG_COMPARES(Compares)
EMU_REG_COMPARES(CompareScalar)
#undef EMU_REG_COMPARES

/// dst[i] = mask[i] ? src0[i] : src1[i].
template <typename T = DefaultType, typename U>
void Select(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {
    EMU_REG_NAMES(Select, T, U);
    emu::reg::startCall(emu::reg::Call{"Select", site}, srcReg0, srcReg1, mask);
    constexpr uint32_t width = emu::reg::laneBits<U>;
    const emu::reg::Bits active = mask.bits.spread(width);
    const auto a = emu::reg::lanesOf(srcReg0);
    auto lanes = emu::reg::lanesOf(srcReg1);
    for (uint32_t i = 0; i < emu::reg::laneCount<U>; i++) {
        if (active.test(i * width)) lanes[i] = a[i];
    }
    const emu::reg::Bits known =
        (emu::reg::definedLanes(srcReg0) & active) | (emu::reg::definedLanes(srcReg1) & ~active);
    const emu::reg::Lineage lineage = emu::reg::historyOf(srcReg0, srcReg1, mask);
    emu::reg::setLanes(dstReg, lanes);
    emu::reg::setDefined(dstReg, known & mask.defined.spread(width));
    dstReg.lineage = lineage;
}

}  // namespace AscendC::Reg
