// Conversions of vector registers.
#pragma once

#include "api/cast.h"
#include "reg/arithmetic.h"
#include "reg/widths.h"

namespace emu::reg {

using AscendC::RoundMode;
using AscendC::Reg::CastTrait;
using AscendC::Reg::RegLayout;
using AscendC::Reg::SatMode;

template <typename T>
inline constexpr bool isFp8 = std::is_same_v<T, fp8_e5m2_t> || std::is_same_v<T, fp8_e4m3fn_t>;
template <typename T>
inline constexpr bool isReal = isFloating<T> || isFp8<T>;

/// Conversions that a saturation mode decides about.
template <typename D, typename S>
constexpr bool needsSaturation() {
    if constexpr (isFp8<D>) return true;
    if constexpr (std::is_same_v<D, half>) return std::is_same_v<S, float> || std::is_same_v<S, bfloat16_t>;
    if constexpr (std::is_same_v<D, bfloat16_t>) return std::is_same_v<S, float>;
    if constexpr (isReal<D>) return false;
    if constexpr (isReal<S>) return !(std::is_same_v<S, half> && std::is_same_v<D, int32_t>);
    return sizeof(D) < sizeof(S);
}

/// Conversions that round.
template <typename D, typename S>
constexpr bool needsRounding() {
    if constexpr (isReal<S> && isReal<D>) return sizeof(D) <= sizeof(S);
    if constexpr (isReal<S>) return true;
    if constexpr (!isReal<D>) return false;
    constexpr int digits = std::is_same_v<D, half> ? 11 : 24;
    return std::numeric_limits<S>::digits > digits;
}

template <typename D, typename S>
constexpr bool hasRounding(RoundMode mode) {
    if (mode == RoundMode::CAST_NONE) return !(std::is_same_v<D, bfloat16_t> && std::is_same_v<S, float>);
    if (isFp8<D>) return mode == RoundMode::CAST_RINT;
    if (mode == RoundMode::CAST_ODD) return std::is_same_v<D, half> && std::is_same_v<S, float>;
    return mode >= RoundMode::CAST_RINT && mode <= RoundMode::CAST_TRUNC;
}

inline float decode(fp8_e5m2_t value) { return halfToFloat(static_cast<uint16_t>(value.bits << 8)); }
inline float decode(fp8_e4m3fn_t value) {
    const int exponent = (value.bits >> 3) & 15;
    const int fraction = value.bits & 7;
    if (exponent == 15 && fraction == 7) return std::numeric_limits<float>::quiet_NaN();
    const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -9)
                                          : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
    return (value.bits & 0x80) != 0 ? -magnitude : magnitude;
}
template <typename T> float decode(T value) { return widen(value); }

/// Nearest even to the 8-bit float without infinities; too large values become NaN.
inline uint8_t encodeE4M3(float value) {
    const uint8_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value) || std::isinf(value)) return sign | 0x7f;
    if (value == 0.0f) return sign;
    const int exponent = std::max(-6, std::ilogb(value));
    const double significand = std::fabs(std::nearbyint(std::ldexp(static_cast<double>(value), 3 - exponent)));
    const int bits = ((exponent + 6) << 3) + static_cast<int>(significand);
    return static_cast<uint8_t>(sign | std::min(bits, 0x7f));
}

/// Round a float to a narrower format. Saturating: what is too large becomes the largest value, NaN becomes 0.
template <typename D>
D toNarrow(float value, Rounding mode, bool saturate) {
    if (saturate && std::isnan(value)) return D{};
    if constexpr (std::is_same_v<D, fp8_e4m3fn_t>) {
        const uint8_t bits = encodeE4M3(value);
        return D{static_cast<uint8_t>(saturate && (bits & 0x7f) == 0x7f ? bits - 1 : bits)};
    } else {
        constexpr bool byte = std::is_same_v<D, fp8_e5m2_t>;
        constexpr bool isHalf = std::is_same_v<D, half>;
        constexpr int exponentBits = byte || isHalf ? 5 : 8;
        constexpr int fractionBits = byte ? 2 : isHalf ? 10 : 7;
        constexpr uint32_t infinity = ((1u << exponentBits) - 1) << fractionBits;
        uint32_t bits = encodeFloat(value, exponentBits, fractionBits, mode);
        if (saturate && (bits & infinity) == infinity) bits--;
        D out{};
        out.bits = static_cast<decltype(out.bits)>(bits);
        return out;
    }
}

/// Round a float to an integer. Saturating it is clamped; otherwise its low bits are kept and infinities are clamped.
template <typename D>
D toWhole(double value, Rounding mode, bool saturate) {
    if (saturate || !std::isfinite(value)) return toInteger<D>(value, mode);
    const double whole = std::fmod(roundIntegral(value, mode), 0x1p64);
    const auto magnitude = static_cast<uint64_t>(std::fabs(whole));
    return static_cast<D>(whole < 0 ? 0 - magnitude : magnitude);
}

/// Convert one lane.
template <typename D, typename S>
D convert(S value, Rounding mode, bool saturate) {
    if constexpr (isReal<S> && isReal<D>) {
        if constexpr (std::is_same_v<D, float>) {
            return decode(value);
        } else {
            return toNarrow<D>(decode(value), mode, saturate);
        }
    } else if constexpr (isReal<S>) {
        constexpr bool clamps = std::is_same_v<S, half> && sizeof(D) == 2;
        return toWhole<D>(decode(value), mode, saturate || clamps);
    } else if constexpr (isReal<D>) {
        if constexpr (sizeof(S) == 8) return integerToFloat(static_cast<int64_t>(value), mode);
        return toFloating<D>(static_cast<double>(value), mode);
    } else {
        constexpr bool clamps = std::is_same_v<S, int16_t> && std::is_same_v<D, uint32_t>;
        return saturate || clamps ? emu::saturate<D>(value) : static_cast<D>(value);
    }
}

/// Refuse traits that a conversion does not have.
template <typename D, typename S>
constexpr bool checkTrait(const CastTrait& trait) {
    constexpr int factor = sizeof(D) > sizeof(S) ? sizeof(D) / sizeof(S) : sizeof(S) / sizeof(D);
    const int layout = static_cast<int>(trait.layoutMode);
    return factor == 1 ? layout < 1 : layout >= 0 && layout < factor;
}

}  // namespace emu::reg

namespace AscendC::Reg {

template <typename T = DefaultType, typename U = DefaultType, const CastTrait& trait = castTrait, typename S,
          typename V>
void Cast(S& dstReg, V& srcReg, MaskReg& mask, Site site = Site::here()) {
    using D = emu::reg::Element<S>;
    using E = emu::reg::Element<V>;
    EMU_REG_NAMES(Cast, T, S);
    EMU_REG_NAMES(Cast, U, V);
    EMU_REG_TYPES(Cast, D, E);
    static_assert(S::REG_NUM == 1 && V::REG_NUM == 1, "Cast: single registers are converted");
    static_assert(trait.mrgMode != MaskMergeMode::MERGING, "Cast: merging is not documented");
    static_assert(emu::reg::checkTrait<D, E>(trait), "Cast: the layout is not one of this pair of types");
    static_assert(!emu::reg::needsSaturation<D, E>() || trait.satMode != SatMode::UNKNOWN,
                  "Cast: this pair of types needs SAT or NO_SAT");
    constexpr bool rounds = emu::reg::needsRounding<D, E>();
    static_assert(!rounds || emu::reg::hasRounding<D, E>(trait.roundMode),
                  "Cast: the rounding mode is not one of this pair of types");
    constexpr emu::Rounding rounding = rounds ? emu::roundingOf(trait.roundMode) : emu::Rounding::none;
    constexpr bool saturates = emu::reg::needsSaturation<D, E>() && trait.satMode == SatMode::SAT;
    const auto lane = [](E x) { return emu::reg::convert<D>(x, rounding, saturates); };
    const emu::reg::Call call{"Cast", site};
    constexpr auto part = static_cast<uint32_t>(trait.layoutMode);
    if constexpr (sizeof(D) > sizeof(E)) {
        emu::reg::widenTo(call, lane, dstReg, mask, part, srcReg);
    } else if constexpr (sizeof(D) < sizeof(E)) {
        emu::reg::narrowTo(call, lane, dstReg, mask, part, srcReg);
    } else {
        emu::reg::lanewise(call, lane, MaskMergeMode::ZEROING, dstReg, mask, srcReg);
    }
}

/// Round to integral values.
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
void Truncate(S& dstReg, S& srcReg, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<S>;
    EMU_REG_NAMES(Truncate, T, S);
    EMU_REG_TYPES(Truncate, E, E);
    EMU_REG_ZEROES(Truncate, mode);
    static_assert(roundMode <= RoundMode::CAST_TRUNC, "Truncate: RINT, FLOOR, CEIL, ROUND or TRUNC");
    const auto lane = [](E x) {
        const float value = emu::widen(x);
        if (!std::isfinite(value)) return x;
        const auto whole = static_cast<float>(emu::roundIntegral(value, emu::roundingOf(roundMode)));
        return emu::narrow<E>(std::copysign(whole, value));
    };
    emu::reg::lanewise(emu::reg::Call{"Truncate", site}, lane, mode, dstReg, mask, srcReg);
}

// src * scalar as half, rounded half away from zero; under its names.
#define EMU_REG_MULSCAST(Name)                                                                                       \
    template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2, RegLayout layout = RegLayout::ZERO, \
              typename T3, typename T4>                                                                              \
    void Name(T3& dstReg, T4& srcReg, T2 scalarValue, MaskReg& mask, Site site = Site::here()) {                     \
        EMU_REG_TYPES(MulsCast, emu::reg::Element<T3>, emu::reg::Element<T4>);                                       \
        static_assert(layout == RegLayout::ZERO || layout == RegLayout::ONE, #Name ": layout is ZERO or ONE");       \
        const auto scalar = emu::reg::scalarOf<float>(scalarValue);                                                  \
        const auto lane = [scalar](float x) {                                                                        \
            return emu::reg::toNarrow<half>(x * scalar, emu::Rounding::nearestAway, false);                          \
        };                                                                                                           \
        emu::reg::narrowTo(emu::reg::Call{#Name, site}, lane, dstReg, mask, static_cast<uint32_t>(layout), srcReg);  \
    }
EMU_REG_MULSCAST(MulsCast)
EMU_REG_MULSCAST(FusedMulsCast)
#undef EMU_REG_MULSCAST

}  // namespace AscendC::Reg
