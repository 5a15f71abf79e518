// Mask registers: creation, logic, packing, and masks from and to vector registers.
#pragma once

#include "reg/lanes.h"

namespace emu::reg {

/// Set the bits of the lanes that `active(lane)` selects. The other bits of a lane's group get content that no kernel
/// may rely on.
template <typename Active>
void setLaneMask(MaskReg& mask, uint32_t lanes, const Active& active) {
    const uint32_t width = Bits::count / lanes;
    mask.bits = ~Bits::lowest(width);
    for (uint32_t i = 0; i < lanes; i++) mask.bits.assign(i * width, active(i));
    mask.defined = Bits::lowest(width);
    mask.written = true;
}

/// Combine masks bit by bit.
template <typename Function>
void maskLogic(const Call& call, MaskReg& dst, const MaskReg& a, const MaskReg& b, const MaskReg& mask,
               const Function& function) {
    startCall(call, a, b, mask);
    const Bits bits = function(a.bits, b.bits) & mask.bits;
    const Bits known = ((a.defined & b.defined) | ~mask.bits) & mask.defined;
    const Lineage lineage = historyOf(a, b, mask);
    dst.bits = bits;
    dst.defined = known;
    dst.lineage = lineage;
    dst.written = true;
}

/// Build a mask bit by bit out of others: from(bit) names the source and its bit; no source is a 0.
struct BitSource {
    const MaskReg* mask;
    uint32_t bit;
};
template <typename From>
MaskReg permuteMask(const From& from) {
    MaskReg out;
    out.bits = Bits{};
    out.defined = Bits::all();
    for (uint32_t i = 0; i < Bits::count; i++) {
        const BitSource source = from(i);
        if (source.mask == nullptr) continue;
        out.bits.assign(i, source.mask->bits.test(source.bit));
        out.defined.assign(i, source.mask->defined.test(source.bit));
    }
    out.written = true;
    return out;
}

/// Lanes of a mask that a type and trait have.
template <typename T, const AscendC::Reg::RegTrait& trait>
inline constexpr uint32_t maskLanes = static_cast<uint32_t>(trait.REG_NUM) * registerBytes / sizeof(T);

}  // namespace emu::reg

namespace AscendC::Reg {

template <typename T, MaskPattern mode = MaskPattern::ALL, const RegTrait& regTrait = RegTraitNumOne>
MaskReg CreateMask(Site site = Site::here()) {
    constexpr uint32_t lanes = emu::reg::maskLanes<T, regTrait>;
    constexpr auto prefix = [](uint32_t lane) {
        switch (mode) {
            case MaskPattern::ALL: return true;
            case MaskPattern::ALLF: return false;
            case MaskPattern::M3: return lane % 3 == 0;
            case MaskPattern::M4: return lane % 4 == 0;
            case MaskPattern::H: return lane < lanes / 2;
            case MaskPattern::Q: return lane < lanes / 4;
            default: break;
        }
        constexpr uint32_t lengths[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 128};
        return lane < lengths[static_cast<int>(mode)];
    };
    MaskReg mask(site);
    emu::reg::startCall(emu::reg::Call{"CreateMask", site});
    emu::reg::setLaneMask(mask, lanes, prefix);
    return mask;
}

template <typename T, const RegTrait& regTrait = RegTraitNumOne>
MaskReg UpdateMask(uint32_t& scalarValue, Site site = Site::here()) {
    constexpr uint32_t lanes = emu::reg::maskLanes<T, regTrait>;
    MaskReg mask(site);
    emu::reg::startCall(emu::reg::Call{"UpdateMask", site});
    emu::reg::setLaneMask(mask, lanes, [n = scalarValue](uint32_t lane) { return lane < n; });
    scalarValue = scalarValue < lanes ? 0 : scalarValue - lanes;
    return mask;
}

// The logic of masks under its two names.
#define EMU_MASK_BINARY(Name, symbol)                                                                                \
    inline void Name(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask, Site site = Site::here()) {          \
        emu::reg::maskLogic(emu::reg::Call{#Name, site}, dst, src0, src1, mask,                                      \
                            [](const auto& a, const auto& b) { return a symbol b; });                                \
    }
EMU_MASK_BINARY(And, &)
EMU_MASK_BINARY(Or, |)
EMU_MASK_BINARY(Xor, ^)
EMU_MASK_BINARY(MaskAnd, &)
EMU_MASK_BINARY(MaskOr, |)
EMU_MASK_BINARY(MaskXor, ^)
#undef EMU_MASK_BINARY

inline void Not(MaskReg& dst, MaskReg& src, MaskReg& mask, Site site = Site::here()) {
    emu::reg::maskLogic(emu::reg::Call{"Not", site}, dst, src, src, mask,
                        [](const auto& a, const auto&) { return ~a; });
}
inline void MaskNot(MaskReg& dst, MaskReg& src, MaskReg& mask, Site site = Site::here()) { Not(dst, src, mask, site); }

inline void Move(MaskReg& dst, MaskReg& src, MaskReg& mask, Site site = Site::here()) {
    emu::reg::maskLogic(emu::reg::Call{"Move", site}, dst, src, src, mask,
                        [](const auto& a, const auto&) { return a; });
}
inline void Move(MaskReg& dst, MaskReg& src, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"Move", site}, src);
    dst = src;
}
inline void MaskMov(MaskReg& dst, MaskReg& src, MaskReg& mask, Site site = Site::here()) { Move(dst, src, mask, site); }
inline void MaskMov(MaskReg& dst, MaskReg& src, Site site = Site::here()) { Move(dst, src, site); }

inline void Select(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"Select", site}, src0, src1, mask);
    dst = emu::reg::permuteMask([&](uint32_t bit) {
        return emu::reg::BitSource{mask.bits.test(bit) ? &src0 : &src1, bit};
    });
    dst.defined = dst.defined & mask.defined;
    dst.lineage = emu::reg::historyOf(src0, src1, mask);
}
inline void MaskSel(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask, Site site = Site::here()) {
    Select(dst, src0, src1, mask, site);
}

/// The even bits of the source, in one half of the destination.
template <HighLowPart part = HighLowPart::LOWEST>
void Pack(MaskReg& dst, MaskReg& src, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"Pack", site}, src);
    constexpr uint32_t start = part == HighLowPart::LOWEST ? 0 : 128;
    dst = emu::reg::permuteMask([&](uint32_t bit) {
        const bool inside = bit >= start && bit < start + 128;
        return emu::reg::BitSource{inside ? &src : nullptr, 2 * (bit - start)};
    });
    dst.lineage = src.lineage;
}
template <HighLowPart part = HighLowPart::LOWEST>
void MaskPack(MaskReg& dst, MaskReg& src, Site site = Site::here()) { Pack<part>(dst, src, site); }

/// One half of the source, on the even bits of the destination.
template <HighLowPart part = HighLowPart::LOWEST>
void UnPack(MaskReg& dst, MaskReg& src, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"UnPack", site}, src);
    constexpr uint32_t start = part == HighLowPart::LOWEST ? 0 : 128;
    dst = emu::reg::permuteMask([&](uint32_t bit) {
        return emu::reg::BitSource{bit % 2 == 0 ? &src : nullptr, start + bit / 2};
    });
    dst.lineage = src.lineage;
}
template <HighLowPart part = HighLowPart::LOWEST>
void MaskUnPack(MaskReg& dst, MaskReg& src, Site site = Site::here()) { UnPack<part>(dst, src, site); }

template <typename T>
void Interleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"Interleave", site}, src0, src1);
    constexpr uint32_t width = sizeof(T);
    const auto half = [&](uint32_t start) {
        return emu::reg::permuteMask([&](uint32_t bit) {
            const uint32_t lane = bit / width;
            return emu::reg::BitSource{lane % 2 == 0 ? &src0 : &src1, start + lane / 2 * width + bit % width};
        });
    };
    const MaskReg low = half(0);
    const MaskReg high = half(128);
    const emu::reg::Lineage lineage = emu::reg::historyOf(src0, src1);
    dst0 = low;
    dst1 = high;
    dst0.lineage = dst1.lineage = lineage;
}
template <typename T>
void MaskInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1, Site site = Site::here()) {
    Interleave<T>(dst0, dst1, src0, src1, site);
}

template <typename T>
void DeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1, Site site = Site::here()) {
    emu::reg::startCall(emu::reg::Call{"DeInterleave", site}, src0, src1);
    constexpr uint32_t width = sizeof(T);
    const auto every = [&](uint32_t odd) {
        return emu::reg::permuteMask([&](uint32_t bit) {
            const uint32_t from = (bit / width * 2 + odd) * width + bit % width;
            return emu::reg::BitSource{from < 256 ? &src0 : &src1, from % 256};
        });
    };
    const MaskReg even = every(0);
    const MaskReg odd = every(1);
    const emu::reg::Lineage lineage = emu::reg::historyOf(src0, src1);
    dst0 = even;
    dst1 = odd;
    dst0.lineage = dst1.lineage = lineage;
}
template <typename T>
void MaskDeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1, Site site = Site::here()) {
    DeInterleave<T>(dst0, dst1, src0, src1, site);
}

/// Expand chunk `offset` of a register that holds one bit an element.
template <typename T = DefaultType, int16_t offset = 0, typename U>
void MaskGenWithRegTensor(MaskReg& dst, U& srcReg, Site site = Site::here()) {
    static_assert(emu::reg::namesElement<T, U>, "MaskGenWithRegTensor: T is not the register's element type");
    constexpr uint32_t width = sizeof(emu::reg::Element<U>);
    static_assert(width == 2 || width == 4, "MaskGenWithRegTensor: elements have 16 or 32 bits");
    static_assert(offset >= 0 && offset < (width == 2 ? 16 : 32), "MaskGenWithRegTensor: offset out of range");
    emu::reg::startCall(emu::reg::Call{"MaskGenWithRegTensor", site}, srcReg);
    for (uint32_t bit = 0; bit < 256; bit++) {
        const uint32_t from = static_cast<uint32_t>(offset) * 256 / width + bit / width;
        dst.bits.assign(bit, (srcReg.part[0].bytes[from / 8] >> (from % 8)) & 1u);
        dst.defined.assign(bit, srcReg.part[0].defined.test(from / 8));
    }
    dst.lineage = srcReg.lineage;
    dst.written = true;
}

/// The classic vector mask register as a mask.
template <typename T>
MaskReg MoveMask(Site site = Site::here()) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "MoveMask: elements have 16 or 32 bits");
    MaskReg mask(site);
    emu::reg::startCall(emu::reg::Call{"MoveMask", site});
    const emu::MaskState& state = emu::reg::VectorFunction::current().core().mask;
    for (uint32_t bit = 0; bit < 256; bit++) {
        const uint32_t from = bit / sizeof(T);
        mask.bits.assign(bit, ((from < 64 ? state.low : state.high) >> (from % 64)) & 1u);
    }
    mask.defined = emu::reg::Bits::all();
    mask.written = true;
    return mask;
}

}  // namespace AscendC::Reg
