// Fused arithmetic: one instruction, one rounding; and 32-bit arithmetic with a carry.
#pragma once

#include "reg/arithmetic.h"
#include "reg/mask.h"
#include "reg/widths.h"

namespace emu::reg {

struct AbsSubOp {
    template <typename T>
    T operator()(T a, T b) const { return AbsUnit{}(SubOp{}(a, b)); }
};

/// exp(a - b) in float, subnormals flushed as by Exp.
inline float expSub(float a, float b) { return ExpUnit<true>{}(a - b); }

/// The carry of a 32-bit addition or subtraction (1: no borrow).
template <bool subtract, typename D>
void withCarry(const Call& call, MaskReg& carry, D& dst, const D& a, const D& b, const MaskReg* carryIn,
               const MaskReg& mask) {
    startCall(call, a, b, mask);
    if (carryIn != nullptr) startCall(call, *carryIn);
    const auto x = lanesOf(a);
    const auto y = lanesOf(b);
    Bits known = definedLanes(a) & definedLanes(b);
    if (carryIn != nullptr) known = known & carryIn->defined.spread(4);
    const Bits active = mask.bits;
    const Lineage lineage = historyOf(a, b, mask);
    Lanes<D> result{};
    std::array<bool, laneCount<D>> out{};
    for (uint32_t i = 0; i < laneCount<D>; i++) {
        const uint64_t in = carryIn != nullptr ? carryIn->bits.test(4 * i) : subtract ? 1u : 0u;
        const auto low = static_cast<uint32_t>(y[i]);
        const uint64_t sum = uint64_t{static_cast<uint32_t>(x[i])} + (subtract ? ~low : low) + in;
        result[i] = static_cast<Element<D>>(static_cast<uint32_t>(sum));
        out[i] = active.test(4 * i) && (sum >> 32) != 0;
    }
    const Bits sure = (known | ~active.spread(4)) & mask.defined.spread(4);
    writeMasked(dst, result, known, mask, false, lineage);
    setLaneMask(carry, laneCount<D>, [&out](uint32_t lane) { return out[lane]; });
    carry.defined = carry.defined & sure;
    carry.lineage = lineage;
}

}  // namespace emu::reg

namespace AscendC::Reg {

// dst = a * b + dst, under its names.
#define EMU_REG_MULADD(Name)                                                                                         \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                     \
    void Name(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(MulAddDst, E, E, E);                                                                           \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        const auto lane = [](E a, E b, E dst) { return emu::reg::fused(a, b, dst); };                                \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, lane, mode, dstReg, mask, srcReg0, srcReg1, dstReg);         \
    }
EMU_REG_MULADD(MulAddDst)
EMU_REG_MULADD(Mula)
#undef EMU_REG_MULADD

// dst = dst * a + b, under its names.
#define EMU_REG_MULDST(Name)                                                                                         \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                     \
    void Name(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(MulDstAdd, E, E, E);                                                                           \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        const auto lane = [](E a, E b, E dst) { return emu::reg::fused(dst, a, b); };                                \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, lane, mode, dstReg, mask, srcReg0, srcReg1, dstReg);         \
    }
EMU_REG_MULDST(MulDstAdd)
EMU_REG_MULDST(FusedMulDstAdd)
#undef EMU_REG_MULDST

/// dst = scalar * src + dst.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
void Axpy(S& dstReg, S& srcReg, const U scalarValue, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<S>;
    EMU_REG_NAMES(Axpy, T, S);
    EMU_REG_TYPES(Axpy, E, E);
    EMU_REG_ZEROES(Axpy, mode);
    const E scalar = emu::reg::scalarOf<E>(scalarValue);
    const auto lane = [scalar](E a, E dst) { return emu::reg::fused(scalar, a, dst); };
    emu::reg::lanewise(emu::reg::Call{"Axpy", site}, lane, mode, dstReg, mask, srcReg, dstReg);
}

// |a - b|, under its names.
#define EMU_REG_ABSSUB(Name)                                                                                         \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                     \
    void Name(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(AbsSub, E, E, E);                                                                              \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, emu::reg::AbsSubOp{}, mode, dstReg, mask, srcReg0, srcReg1); \
    }
EMU_REG_ABSSUB(AbsSub)
EMU_REG_ABSSUB(FusedAbsSub)
#undef EMU_REG_ABSSUB

// exp(a - b) in float, under its names; of half sources the even or the odd lanes.
#define EMU_REG_EXPSUB(Name)                                                                                         \
    template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,                \
              MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>                                   \
    void Name(S& dstReg, V& srcReg0, V& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<V>;                                                                              \
        EMU_REG_TYPES(ExpSub, emu::reg::Element<S>, E, E);                                                           \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        static_assert(layout == RegLayout::ZERO || layout == RegLayout::ONE, #Name ": layout is ZERO or ONE");       \
        const emu::reg::Call call{#Name, site};                                                                      \
        const auto lane = [](E a, E b) { return emu::reg::expSub(emu::widen(a), emu::widen(b)); };                   \
        if constexpr (std::is_same_v<E, float>) {                                                                    \
            emu::reg::lanewise(call, lane, mode, dstReg, mask, srcReg0, srcReg1);                                    \
        } else {                                                                                                     \
            emu::reg::widenTo(call, lane, dstReg, mask, static_cast<uint32_t>(layout), srcReg0, srcReg1);            \
        }                                                                                                            \
    }
EMU_REG_EXPSUB(ExpSub)
EMU_REG_EXPSUB(FusedExpSub)
#undef EMU_REG_EXPSUB

/// The low and the high words of a 64-bit product.
template <typename T = DefaultType, typename U>
void Mull(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<U>;
    using Wide = std::conditional_t<std::is_signed_v<E>, int64_t, uint64_t>;
    EMU_REG_TYPES(Mull, E, E, E);
    const auto low = [](E a, E b) { return static_cast<E>(static_cast<Wide>(a) * static_cast<Wide>(b)); };
    const auto high = [](E a, E b) { return static_cast<E>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 32); };
    const emu::reg::Call call{"Mull", site};
    U upper(site);
    emu::reg::lanewise(call, high, MaskMergeMode::ZEROING, upper, mask, srcReg0, srcReg1);
    emu::reg::lanewise(call, low, MaskMergeMode::ZEROING, dstReg0, mask, srcReg0, srcReg1);
    dstReg1 = upper;
}

// Addition and subtraction that give a carry, and those that take one as well; under their names.
#define EMU_REG_CARRY(Name, Table, subtract)                                                                         \
    template <typename T = DefaultType, typename U>                                                                  \
    void Name(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {          \
        EMU_REG_TYPES(Table, emu::reg::Element<U>);                                                                  \
        emu::reg::withCarry<subtract>(emu::reg::Call{#Name, site}, carry, dstReg, srcReg0, srcReg1, nullptr, mask);  \
    }
#define EMU_REG_CARRY_IN(Name, Table, subtract)                                                                      \
    template <typename T = DefaultType, typename U>                                                                  \
    void Name(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& carrySrc, MaskReg& mask,                   \
              Site site = Site::here()) {                                                                            \
        EMU_REG_TYPES(Table, emu::reg::Element<U>);                                                                  \
        emu::reg::withCarry<subtract>(emu::reg::Call{#Name, site}, carry, dstReg, srcReg0, srcReg1, &carrySrc,       \
                                      mask);                                                                         \
    }
EMU_REG_CARRY(Add, AddC, false)
EMU_REG_CARRY(AddCarryOut, AddC, false)
EMU_REG_CARRY_IN(AddC, AddC, false)
EMU_REG_CARRY_IN(AddCarryOuts, AddC, false)
EMU_REG_CARRY(Sub, SubC, true)
EMU_REG_CARRY(SubCarryOut, SubC, true)
EMU_REG_CARRY_IN(SubC, SubC, true)
EMU_REG_CARRY_IN(SubCarryOuts, SubC, true)
#undef EMU_REG_CARRY
#undef EMU_REG_CARRY_IN

}  // namespace AscendC::Reg
