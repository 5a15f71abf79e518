// Shifts by a scalar or by a tensor.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

/// Shift to the left. The reference keeps the sign bit of a signed value and drops the bits next to it.
template <typename T>
T shiftedLeft(T value, uint64_t amount) {
    using Bits = UnsignedOf<sizeof(T)>;
    constexpr uint64_t width = 8 * sizeof(T);
    const Bits plain = amount >= width ? Bits{0} : static_cast<Bits>(static_cast<Bits>(value) << amount);
    if (!std::is_signed_v<T>) return static_cast<T>(plain);
    const Bits sign = static_cast<Bits>(Bits{1} << (width - 1));
    return static_cast<T>((static_cast<Bits>(value) & sign) | (plain & static_cast<Bits>(~sign)));
}

/// Shift to the right, with the sign of a signed value; `rounded` adds the last bit that falls out.
template <typename T>
T shiftedRight(T value, uint64_t amount, bool rounded) {
    constexpr uint64_t width = 8 * sizeof(T);
    const T whole = static_cast<T>(amount >= width ? (value < 0 ? -1 : 0) : value >> amount);
    if (!rounded || !std::is_signed_v<T> || amount == 0) return whole;
    const bool last = amount > width ? value < 0 : ((value >> (amount - 1)) & 1) != 0;
    return static_cast<T>(whole + (last ? 1 : 0));
}

/// Report a shift amount that the chip does not take.
template <typename T>
uint64_t checkedShift(const char* api, Site site, T amount) {
    const auto value = static_cast<int64_t>(amount);
    const int64_t most = chip::registerBased ? std::numeric_limits<int64_t>::max() : 8 * int64_t{sizeof(T)};
    if (value < 0 || value > most) {
        Core::current().report(Rule::countRange, api, site,
                               text("shift by %lld is outside 0..%zu", (long long)value, 8 * sizeof(T)));
    }
    return static_cast<uint64_t>(value < 0 ? 0 : value);
}

template <typename T>
auto leftShift(Site site, T amount) {
    const uint64_t by = checkedShift("ShiftLeft", site, amount);
    return [by](T x) { return shiftedLeft(x, by); };
}

template <typename T>
auto rightShift(Site site, T amount, bool rounded = false) {
    const uint64_t by = checkedShift("ShiftRight", site, amount);
    if (rounded && (by == 0 || chip::registerBased)) {
        Core::current().report(Rule::chipDependent, "ShiftRight", site, "rounding shifts by 0, or on this chip");
    }
    return [by, rounded](T x) { return shiftedRight(x, by, rounded); };
}

}  // namespace emu

namespace AscendC {

template <typename T, bool isSetMask = true>
void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, int64_t count,
               Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("ShiftLeft"), "ShiftLeft: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftLeft", site, emu::lanesFor<T>).counted(count, isSetMask);
    emu::unaryCounted("ShiftLeft", site, emu::leftShift<T>(site, scalar), shape, dst, src);
}

template <typename T, bool isSetMask = true>
void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, uint64_t mask,
               int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("ShiftLeft"), "ShiftLeft: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftLeft", site, emu::lanesFor<T>).continuous(mask, repeatTime, isSetMask);
    emu::unary("ShiftLeft", site, emu::leftShift<T>(site, scalar), shape, dst, src, params);
}

template <typename T, bool isSetMask = true>
void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, const uint64_t mask[],
               int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("ShiftLeft"), "ShiftLeft: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftLeft", site, emu::lanesFor<T>).bitwise(mask, repeatTime, isSetMask);
    emu::unary("ShiftLeft", site, emu::leftShift<T>(site, scalar), shape, dst, src, params);
}

template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, int64_t count,
                Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("ShiftRight"), "ShiftRight: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftRight", site, emu::lanesFor<T>).counted(count, isSetMask);
    emu::unaryCounted("ShiftRight", site, emu::rightShift<T>(site, scalar), shape, dst, src);
}

template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, uint64_t mask,
                int64_t repeatTime, const UnaryRepeatParams& params, bool roundEn = false, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("ShiftRight"), "ShiftRight: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftRight", site, emu::lanesFor<T>).continuous(mask, repeatTime, isSetMask);
    emu::unary("ShiftRight", site, emu::rightShift<T>(site, scalar, roundEn), shape, dst, src, params);
}

template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& scalar, const uint64_t mask[],
                int64_t repeatTime, const UnaryRepeatParams& params, bool roundEn = false, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("ShiftRight"), "ShiftRight: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ShiftRight", site, emu::lanesFor<T>).bitwise(mask, repeatTime, isSetMask);
    emu::unary("ShiftRight", site, emu::rightShift<T>(site, scalar, roundEn), shape, dst, src, params);
}

// Shifts by one amount an element; the amounts have the signed type of the same width.
#define EMU_SHIFT_TENSOR(Name, lane)                                                                                 \
    template <typename T, typename S>                                                                                \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<S>& src1, int64_t count,      \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalCount<T, T, S>(#Name), #Name ": not in this chip's vector unit for these types");  \
        constexpr uint32_t lanes = emu::lanesFor<T>;                                                                 \
        emu::lanewise(#Name, site, [](T x, S by) { return lane; }, emu::Selection(#Name, site, lanes).counted(count), \
                      emu::Overlap::general, emu::Strided<T>{dst, emu::contiguous<T>(lanes)},                        \
                      emu::Strided<T>{src0, emu::contiguous<T>(lanes)},                                              \
                      emu::Strided<S>{src1, emu::contiguous<S>(lanes)});                                             \
    }

EMU_SHIFT_TENSOR(ShiftLeft, emu::shiftedLeft(x, static_cast<uint64_t>(by)))
EMU_SHIFT_TENSOR(ShiftRight, emu::shiftedRight(x, static_cast<uint64_t>(by), false))
#undef EMU_SHIFT_TENSOR

}  // namespace AscendC
