// Comparisons into bit masks, and selection by bit masks.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

using AscendC::CMPMODE;
using AscendC::SELMODE;

/// One comparison; with NaN every mode but NE is false.
template <typename T>
bool compareLane(CMPMODE mode, T a, T b) {
    if constexpr (isFloating<T>) {
        return compareLane(mode, static_cast<double>(widen(a)), static_cast<double>(widen(b)));
    } else {
        switch (mode) {
            case CMPMODE::LT: return a < b;
            case CMPMODE::GT: return a > b;
            case CMPMODE::EQ: return a == b;
            case CMPMODE::LE: return a <= b;
            case CMPMODE::GE: return a >= b;
            default: return a != b;
        }
    }
}

/// Bits of whole repeats, packed from the lowest bit of the first byte on.
template <typename T>
class BitWriter {
public:
    BitWriter(uint8_t* to, CMPMODE mode) : to_(to), mode_(mode) {}

    void put(uint64_t position, T a, T b) {
        const auto bit = static_cast<uint8_t>(1u << (position % 8));
        uint8_t& byte = to_[position / 8];
        byte = static_cast<uint8_t>(compareLane(mode_, a, b) ? byte | bit : byte & ~bit);
        if constexpr (isFloating<T>) unordered_ |= std::isnan(widen(a)) || std::isnan(widen(b));
    }

    /// Chips disagree on NE with NaN.
    bool doubtful() const { return unordered_ && mode_ == CMPMODE::NE; }

private:
    uint8_t* to_;
    CMPMODE mode_;
    bool unordered_ = false;
};

/// Issue a comparison of whole repeats; the second source is a tensor or a scalar.
template <typename U, typename T, typename Second>
void compare(const char* api, Site site, const LocalTensor<U>& dst, const Shape& shape, const Strided<T>& a,
             const Second& b, CMPMODE mode) {
    static_assert(sizeof(U) == 1, "the result of a comparison is a tensor of bytes");
    constexpr bool scalar = std::is_same_v<Second, T>;
    Core& core = Core::current();
    Instruction instruction{api, PIPE_V, site, shape, Overlap::forbidden};
    const uint64_t base = dst.ref().address;
    const uint64_t bytes = uint64_t{shape.repeats} * shape.lanes / 8;
    instruction.operands.push_back(
        Operand{"dst", dst.ref(), Use::write, 1, chip::blockBytes, false, {}, {{base, base + bytes}}});
    instruction.operands.push_back(a.operand("src0", Use::read));
    if constexpr (!scalar) instruction.operands.push_back(b.operand("src1", Use::read));
    core.issue(instruction, [&] {
        std::array<T, maxLanes> first, second;
        BitWriter<T> writer(core.ub + base, mode);
        if constexpr (scalar) second.fill(b);
        for (uint32_t r = 0; r < shape.repeats; r++) {
            loadRepeat(first.data(), a, r, shape.lanes);
            if constexpr (!scalar) loadRepeat(second.data(), b, r, shape.lanes);
            for (uint32_t l = 0; l < shape.lanes; l++) writer.put(uint64_t{r} * shape.lanes + l, first[l], second[l]);
        }
        if (writer.doubtful()) core.report(Rule::chipDependent, api, site, "NE meets NaN: chips disagree");
    });
}

/// Whole repeats of a counted comparison; chips disagree on a partial one, which is reported and left out.
template <typename T>
Shape comparedRepeats(const char* api, Site site, int64_t count) {
    constexpr uint32_t lanes = lanesFor<T>;
    if (count % lanes != 0) {
        Core::current().report(Rule::countRange, api, site,
                               text("count %lld does not fill whole repeats of %u", (long long)count, lanes));
    }
    return Selection(api, site, lanes).counted(count / lanes * lanes);
}

/// Repeats of a masked comparison; chips disagree on what a partial mask does.
template <typename T>
Shape comparedMasked(const char* api, Site site, Shape shape) {
    if (shape.repeats > 0 && shape.mask.bound() != shape.lanes) {
        Core::current().report(Rule::chipDependent, api, site, "a partial mask: chips disagree on the result");
    }
    return Shape{shape.lanes, shape.repeats, LaneMask::prefix(shape.lanes), LaneMask::prefix(shape.lanes)};
}

/// How many bits a selection looks at.
inline uint64_t usedBits(const Shape& shape, bool reuse) {
    if (shape.repeats == 0) return 0;
    if (reuse) return shape.repeats > 1 ? shape.mask.bound() : shape.last.bound();
    return uint64_t{shape.repeats - 1} * shape.lanes + shape.last.bound();
}

/// Issue a selection: dst = bit ? src0 : src1. With `reuse` every repeat takes the bits of the first one.
template <typename T, typename U, typename Second>
void select(Site site, const Strided<T>& dst, const LocalTensor<U>& bits, const Strided<T>& a, const Second& b,
            bool reuse, const Shape& shape) {
    constexpr bool scalar = std::is_same_v<Second, T>;
    Core& core = Core::current();
    const uint64_t base = bits.ref().address;
    const uint64_t used = usedBits(shape, reuse);
    Instruction instruction{"Select", PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    instruction.operands.push_back(a.operand("src0", Use::read));
    if constexpr (!scalar) instruction.operands.push_back(b.operand("src1", Use::read));
    const std::vector<Run> read{{base, base + (used + 7) / 8}};
    instruction.operands.push_back(
        Operand{"selMask", bits.ref(), Use::read, sizeof(U), chip::blockBytes, false, {}, read});
    core.issue(instruction, [&] {
        std::array<T, maxLanes> first, second;
        const std::vector<uint8_t> mask(core.ub + base, core.ub + read.front().end);
        if constexpr (scalar) second.fill(b);
        for (uint32_t r = 0; r < shape.repeats; r++) {
            const uint32_t bound = shape.maskOf(r).bound();
            loadRepeat(first.data(), a, r, bound);
            if constexpr (!scalar) loadRepeat(second.data(), b, r, bound);
            for (uint32_t l = 0; l < bound; l++) {
                const uint64_t position = uint64_t{reuse ? 0 : r} * shape.lanes + l;
                if (!((mask[position / 8] >> (position % 8)) & 1u)) first[l] = second[l];
            }
            storeRepeat(first.data(), dst, r, shape.maskOf(r));
        }
    });
}

/// A selection with a mode that fits a tensor or a scalar as second source.
template <typename T>
bool modeFits(SELMODE mode, bool scalar, Site site) {
    if ((mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) == scalar) return true;
    Core::current().report(Rule::countRange, "Select", site,
                           text("mode %d does not fit the kind of the second source", static_cast<int>(mode)));
    return false;
}

}  // namespace emu

namespace AscendC {

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode,
             int64_t count, Site site = Site::here()) {
    static_assert(emu::isLegalFor<U, T, T>("Compare"), "the chip's vector unit does not have this comparison");
    const emu::Strides row = emu::contiguous<T>(emu::lanesFor<T>);
    emu::compare("Compare", site, dst, emu::comparedRepeats<T>("Compare", site, count), emu::Strided<T>{src0, row},
                 emu::Strided<T>{src1, row}, mode);
}

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode,
             uint64_t mask, int64_t repeatTime, const BinaryRepeatParams& p, Site site = Site::here()) {
    static_assert(emu::isLegalFor<U, T, T>("Compare"), "the chip's vector unit does not have this comparison");
    const emu::Selection selection("Compare", site, emu::lanesFor<T>);
    const emu::Shape shape = emu::comparedMasked<T>("Compare", site, selection.continuous(mask, repeatTime));
    emu::compare("Compare", site, dst, shape,
                 emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)},
                 emu::Strided<T>{src1, emu::blockStrides(p.src1BlkStride, p.src1RepStride)}, mode);
}

template <typename T, typename U>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src, Same<T> scalar, CMPMODE mode, int64_t count,
              Site site = Site::here()) {
    static_assert(emu::isLegalFor<U, T>("Compares"), "the chip's vector unit does not have this comparison");
    emu::compare("Compares", site, dst, emu::comparedRepeats<T>("Compares", site, count),
                 emu::Strided<T>{src, emu::contiguous<T>(emu::lanesFor<T>)}, scalar, mode);
}

template <typename T, typename U>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src, Same<T> scalar, CMPMODE mode, int64_t count,
                   Site site = Site::here()) {
    Compares(dst, src, scalar, mode, count, site);
}

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE mode, uint32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T, T>("Select"), "the chip's vector unit does not have this selection");
    if (!emu::modeFits<T>(mode, false, site)) return;
    const emu::Strides row = emu::contiguous<T>(emu::lanesFor<T>);
    emu::select(site, emu::Strided<T>{dst, row}, selMask, emu::Strided<T>{src0, row}, emu::Strided<T>{src1, row},
                mode == SELMODE::VSEL_CMPMASK_SPR, emu::Selection("Select", site, emu::lanesFor<T>).counted(count));
}

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, Same<T> src1,
            SELMODE mode, uint32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T, T>("Select"), "the chip's vector unit does not have this selection");
    if (!emu::modeFits<T>(mode, true, site)) return;
    const emu::Strides row = emu::contiguous<T>(emu::lanesFor<T>);
    emu::select(site, emu::Strided<T>{dst, row}, selMask, emu::Strided<T>{src0, row}, src1, false,
                emu::Selection("Select", site, emu::lanesFor<T>).counted(count));
}

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE mode, uint64_t mask, int64_t repeatTime, const BinaryRepeatParams& p,
            Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T, T>("Select"), "the chip's vector unit does not have this selection");
    if (!emu::modeFits<T>(mode, false, site)) return;
    emu::select(site, emu::Strided<T>{dst, emu::blockStrides(p.dstBlkStride, p.dstRepStride)}, selMask,
                emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)},
                emu::Strided<T>{src1, emu::blockStrides(p.src1BlkStride, p.src1RepStride)},
                mode == SELMODE::VSEL_CMPMASK_SPR,
                emu::Selection("Select", site, emu::lanesFor<T>).continuous(mask, repeatTime));
}

}  // namespace AscendC
