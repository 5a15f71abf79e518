// Comparisons into bits: of a tensor, or of the compare-mask register.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

using AscendC::CMPMODE;

/// One comparison. With NaN all modes are false; only chips built on vector registers call NaN unequal.
template <typename T>
bool compareLane(CMPMODE mode, T a, T b) {
    if constexpr (isFloating<T> && !std::is_same_v<T, double>) {
        return compareLane(mode, static_cast<double>(widen(a)), static_cast<double>(widen(b)));
    } else {
        switch (mode) {
            case CMPMODE::LT: return a < b;
            case CMPMODE::GT: return a > b;
            case CMPMODE::EQ: return a == b;
            case CMPMODE::LE: return a <= b;
            case CMPMODE::GE: return a >= b;
            default: return chip::registerBased ? a != b : a < b || a > b;
        }
    }
}

/// Bits of whole repeats, packed from the lowest bit of the first byte on.
template <typename T>
class BitWriter {
public:
    BitWriter(uint8_t* to, CMPMODE mode) : to_(to), mode_(mode) {}

    void put(uint64_t position, T a, T b) {
        set(position, compareLane(mode_, a, b));
        if constexpr (isFloating<T>) unordered_ |= std::isnan(widen(a)) || std::isnan(widen(b));
    }

    void set(uint64_t position, bool value) {
        const auto bit = static_cast<uint8_t>(1u << (position % 8));
        uint8_t& byte = to_[position / 8];
        byte = static_cast<uint8_t>(value ? byte | bit : byte & ~bit);
    }

    /// NE with NaN is not what IEEE 754 says.
    bool doubtful() const { return !chip::registerBased && unordered_ && mode_ == CMPMODE::NE; }

private:
    uint8_t* to_;
    CMPMODE mode_;
    bool unordered_ = false;
};

/// A comparison: where it stands, its name, its mode, and the lanes that are compared (others give 0 bits).
struct Comparison {
    const char* api;
    Site site;
    CMPMODE mode;
    Shape shape;
};

/// The mode in force; an element type may have equality only.
template <typename T>
CMPMODE legalMode(const char* api, Site site, CMPMODE mode) {
    const bool equality = (std::is_same_v<T, int32_t> && !chip::registerBased) ||
                          (std::is_same_v<T, double> && std::string_view(api) == "Compares");
    if (!equality || mode == CMPMODE::EQ) return mode;
    Core::current().report(Rule::chipDependent, api, site, "this chip compares the type for equality only");
    return CMPMODE::EQ;
}

/// Issue a comparison of whole repeats; the second source is a tensor or a scalar, `swapped` if it stands first.
template <bool swapped = false, typename U, typename T, typename Second>
void compare(const Comparison& call, const LocalTensor<U>& dst, const Strided<T>& a, const Second& b) {
    static_assert(sizeof(U) == 1, "the result of a comparison is a tensor of bytes");
    constexpr bool scalar = std::is_same_v<Second, T>;
    Core* core = &Core::current();
    const Shape& shape = call.shape;
    Instruction instruction{call.api, PIPE_V, call.site, shape, Overlap::forbidden};
    const uint64_t base = dst.ref().address;
    const uint64_t bytes = uint64_t{shape.repeats} * shape.lanes / 8;
    instruction.operands.push_back(
        Operand{"dst", dst.ref(), Use::write, 1, chip::blockBytes, false, {}, {{base, base + bytes}}});
    instruction.operands.push_back(a.operand("src0", Use::read));
    if constexpr (!scalar) instruction.operands.push_back(b.operand("src1", Use::read));
    core->issue(instruction, [=] {
        std::array<T, maxLanes> first, second;
        BitWriter<T> writer(core->ub + base, call.mode);
        if constexpr (scalar) second.fill(b);
        for (uint32_t r = 0; r < call.shape.repeats; r++) {
            const LaneMask& mask = call.shape.maskOf(r);
            loadRepeat(first.data(), a, r, mask.bound());
            if constexpr (!scalar) loadRepeat(second.data(), b, r, mask.bound());
            for (uint32_t l = 0; l < call.shape.lanes; l++) {
                const uint64_t position = uint64_t{r} * call.shape.lanes + l;
                if (!mask.test(l)) writer.set(position, false);
                else if (swapped) writer.put(position, second[l], first[l]);
                else writer.put(position, first[l], second[l]);
            }
        }
        if (!writer.doubtful()) return;
        core->report(Rule::chipDependent, call.api, call.site, "NE meets NaN: this chip says no");
    });
}

/// Whole repeats of a counted comparison; chips disagree on a partial one, which is reported and left out.
template <typename T>
Comparison comparedRepeats(const char* api, Site site, CMPMODE mode, int64_t count) {
    constexpr uint32_t lanes = lanesFor<T>;
    if (count % lanes != 0) {
        Core::current().report(Rule::countRange, api, site,
                               text("count %lld does not fill whole repeats of %u", (long long)count, lanes));
    }
    const int64_t whole = count < 0 ? 0 : count / lanes * lanes;
    return Comparison{api, site, legalMode<T>(api, site, mode), Shape::counted(static_cast<uint64_t>(whole), lanes)};
}

/// Repeats of a masked comparison. Where a single instruction compares, the mask has no effect.
template <typename T, typename Mask>
Comparison comparedMasked(const char* api, Site site, CMPMODE mode, Mask mask, int64_t repeats, bool setMask) {
    const Selection selection(api, site, lanesFor<T>);
    const CMPMODE legal = legalMode<T>(api, site, mode);
    constexpr bool array = std::is_pointer_v<Mask>;
    if constexpr (chip::registerBased) {
        if (!setMask && std::string_view(api) == "Compare") {
            Core::current().report(Rule::chipDependent, api, site, "isSetMask=false does not reach this comparison");
        }
        if constexpr (array) return {api, site, legal, selection.bitwise(mask, repeats, setMask)};
        else return {api, site, legal, selection.continuous(mask, repeats, setMask)};
    } else {
        if (!selection.normalMode()) return {api, site, legal, Shape::counted(0, lanesFor<T>)};
        const LaneMask all = LaneMask::prefix(lanesFor<T>);
        bool partial = setMask;
        if constexpr (array) partial = setMask && !(LaneMask::bits(mask[0], lanesFor<T> > 64 ? mask[1] : 0) == all);
        else partial = setMask && mask != lanesFor<T>;
        if (partial) {
            Core::current().report(Rule::chipDependent, api, site, "a partial mask: this chip compares all elements");
        }
        return {api, site, legal, Shape::masked(all, selection.repeatCount(repeats), lanesFor<T>)};
    }
}

/// Issue the comparison of one repeat into the compare-mask register.
template <typename T>
void compareToRegister(Site site, CMPMODE mode, const Shape& shape, const LocalTensor<T>& src0,
                       const LocalTensor<T>& src1, const AscendC::BinaryRepeatParams& p) {
    static_assert(isLegalFor<T, T>("CompareRegister"), "Compare: not into the register on this chip for this type");
    const Strided<T> a{src0, blockStrides(p.src0BlkStride, p.src0RepStride)};
    const Strided<T> b{src1, blockStrides(p.src1BlkStride, p.src1RepStride)};
    Core* core = &Core::current();
    Instruction instruction{"Compare", PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(a.operand("src0", Use::read));
    instruction.operands.push_back(b.operand("src1", Use::read));
    instruction.operands.back().anyOverlap = true;
    core->issue(instruction, [=] {
        std::array<T, maxLanes> first, second;
        loadRepeat(first.data(), a, 0, shape.last.bound());
        loadRepeat(second.data(), b, 0, shape.last.bound());
        std::array<uint64_t, 2>& bits = core->registers.compareMask;
        if (chip::registerBased) bits = {0, 0};
        for (uint32_t l = 0; l < shape.last.bound(); l++) {
            if (!shape.last.test(l)) continue;
            const uint64_t bit = uint64_t{1} << (l % 64);
            bits[l / 64] = compareLane(mode, first[l], second[l]) ? bits[l / 64] | bit : bits[l / 64] & ~bit;
        }
    });
}

/// Issue a transfer between a tensor and the compare-mask register.
template <typename T>
void moveCompareMask(const char* api, Site site, const LocalTensor<T>& tensor, Use use) {
    constexpr uint64_t bytes = 16;
    const uint64_t at = tensor.ref().address;
    Core* core = &Core::current();
    Instruction instruction{api, PIPE_V, site};
    instruction.operands.push_back(
        Operand{"tensor", tensor.ref(), use, sizeof(T), bytes, false, {}, {{at, at + bytes}}});
    core->issue(instruction, [=] {
        uint64_t* bits = core->registers.compareMask.data();
        if (use == Use::read) std::memcpy(bits, core->ub + at, bytes);
        else std::memcpy(core->ub + at, bits, bytes);
    });
}

}  // namespace emu

namespace AscendC {

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             int64_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<U, T, T>("Compare"), "Compare: not in this chip's vector unit for these types");
    const emu::Strides row = emu::contiguous<T>(emu::lanesFor<T>);
    emu::compare(emu::comparedRepeats<T>("Compare", site, cmpMode, count), dst, emu::Strided<T>{src0, row},
                 emu::Strided<T>{src1, row});
}

template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             uint64_t mask, int64_t repeatTime, const BinaryRepeatParams& p, Site site = Site::here()) {
    static_assert(emu::isLegalFor<U, T, T>("Compare"), "Compare: not in this chip's vector unit for these types");
    emu::compare(emu::comparedMasked<T>("Compare", site, cmpMode, mask, repeatTime, isSetMask), dst,
                 emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)},
                 emu::Strided<T>{src1, emu::blockStrides(p.src1BlkStride, p.src1RepStride)});
}

template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask[], int64_t repeatTime, const BinaryRepeatParams& p, Site site = Site::here()) {
    static_assert(emu::isLegalFor<U, T, T>("Compare"), "Compare: not in this chip's vector unit for these types");
    emu::compare(emu::comparedMasked<T>("Compare", site, cmpMode, mask, repeatTime, isSetMask), dst,
                 emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)},
                 emu::Strided<T>{src1, emu::blockStrides(p.src1BlkStride, p.src1RepStride)});
}

template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, uint64_t mask,
             const BinaryRepeatParams& params, Site site = Site::here()) {
    const auto shape = emu::Selection("Compare", site, emu::lanesFor<T>).continuous(mask, 1, isSetMask);
    emu::compareToRegister(site, cmpMode, shape, src0, src1, params);
}

template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
             const BinaryRepeatParams& params, Site site = Site::here()) {
    const auto shape = emu::Selection("Compare", site, emu::lanesFor<T>).bitwise(mask, 1, isSetMask);
    emu::compareToRegister(site, cmpMode, shape, src0, src1, params);
}

// The forms of a comparison with a scalar, under its new and its old name.
#define EMU_COMPARES(Name)                                                                                           \
    template <typename T, typename U>                                                                                \
    void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Same<T>& scalar, CMPMODE cmpMode,          \
              int64_t count, Site site = Site::here()) {                                                             \
        static_assert(emu::isLegalCount<U, T>("Compares"), #Name ": not in this chip's vector unit for these types"); \
        emu::compare(emu::comparedRepeats<T>("Compares", site, cmpMode, count), dst,                                 \
                     emu::Strided<T>{src, emu::contiguous<T>(emu::lanesFor<T>)}, T(scalar));                         \
    }                                                                                                                \
    template <typename T, typename U, bool isSetMask = true>                                                         \
    void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Same<T>& scalar, CMPMODE cmpMode,          \
              uint64_t mask, int64_t repeatTime, const UnaryRepeatParams& p, Site site = Site::here()) {             \
        static_assert(emu::isLegalFor<U, T>("Compares"), #Name ": not in this chip's vector unit for these types");  \
        emu::compare(emu::comparedMasked<T>("Compares", site, cmpMode, mask, repeatTime, isSetMask), dst,            \
                     emu::Strided<T>{src, emu::blockStrides(p.srcBlkStride, p.srcRepStride)}, T(scalar));            \
    }                                                                                                                \
    template <typename T, typename U, bool isSetMask = true>                                                         \
    void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Same<T>& scalar, CMPMODE cmpMode,          \
              const uint64_t mask[], int64_t repeatTime, const UnaryRepeatParams& p, Site site = Site::here()) {     \
        static_assert(emu::isLegalFor<U, T>("Compares"), #Name ": not in this chip's vector unit for these types");  \
        emu::compare(emu::comparedMasked<T>("Compares", site, cmpMode, mask, repeatTime, isSetMask), dst,            \
                     emu::Strided<T>{src, emu::blockStrides(p.srcBlkStride, p.srcRepStride)}, T(scalar));            \
    }

EMU_COMPARES(Compares)
EMU_COMPARES(CompareScalar)
#undef EMU_COMPARES

/// The scalar stands first.
template <typename T, typename U>
void Compares(const LocalTensor<U>& dst, const Same<T>& scalar, const LocalTensor<T>& src, CMPMODE cmpMode,
              int64_t count, Site site = Site::here()) {
    static_assert(emu::chip::registerBased && emu::isLegalCount<U, T>("Compares"),
                  "Compares: not in this chip's vector unit with the scalar first");
    emu::compare<true>(emu::comparedRepeats<T>("Compares", site, cmpMode, count), dst,
                       emu::Strided<T>{src, emu::contiguous<T>(emu::lanesFor<T>)}, T(scalar));
}

/// Write the 16 bytes of the compare-mask register to a tensor.
template <typename T>
void GetCmpMask(const LocalTensor<T>& dst, Site site = Site::here()) {
    emu::moveCompareMask("GetCmpMask", site, dst, emu::Use::write);
}

/// Load the compare-mask register from 16 bytes of a tensor.
template <typename T>
void SetCmpMask(const LocalTensor<T>& src, Site site = Site::here()) {
    emu::moveCompareMask("SetCmpMask", site, src, emu::Use::read);
}

}  // namespace AscendC
