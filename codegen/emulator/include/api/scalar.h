// Arithmetic of the scalar unit.
#pragma once

#include <limits>
#include <type_traits>

#include "api/cast.h"

namespace AscendC {

constexpr int32_t CeilDivision(int32_t a, int32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t AlignUp(uint32_t a, uint32_t unit) { return unit == 0 ? a : (a + unit - 1) / unit * unit; }

inline int64_t CountLeadingZero(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
inline int64_t ScalarCountLeadingZero(uint64_t value) { return CountLeadingZero(value); }

/// Bits below the sign bit, from the highest on, that equal it.
inline int64_t CountBitsCntSameAsSignBit(int64_t value) { return __builtin_clrsbll(value); }

/// How many bits are 1, or 0.
template <int countValue>
int64_t GetBitCount(uint64_t value) {
    static_assert(countValue == 0 || countValue == 1, "GetBitCount counts 0 or 1");
    return __builtin_popcountll(countValue == 1 ? value : ~value);
}
template <int countValue>
int64_t ScalarGetCountOfValue(uint64_t value) { return GetBitCount<countValue>(value); }

/// The position of the lowest bit that is 1, or 0; -1 if there is none.
template <int countValue>
int64_t GetSFFValue(uint64_t value) {
    static_assert(countValue == 0 || countValue == 1, "GetSFFValue looks for 0 or 1");
    return __builtin_ffsll(static_cast<int64_t>(countValue == 1 ? value : ~value)) - 1;
}
template <int countValue>
int64_t ScalarGetSFFValue(uint64_t value) { return GetSFFValue<countValue>(value); }

/// Round a float to a half or an int32.
template <typename T, typename U, RoundMode roundMode>
U ScalarCast(T value) {
    static_assert(std::is_same_v<T, float> && (std::is_same_v<U, half> || std::is_same_v<U, int32_t>),
                  "ScalarCast converts float to half or int32_t");
    return emu::castLane<U>(value, emu::roundingOf(roundMode));
}
template <typename T, typename U, RoundMode roundMode>
U Cast(T value) { return ScalarCast<T, U, roundMode>(value); }
inline float Cast(const bfloat16_t& value) { return ToFloat(value); }
inline bfloat16_t Cast(const float& value) { return ToBfloat16(value); }

/// Limits of a type.
template <typename T>
struct NumericLimits {
    static constexpr T Max() { return std::numeric_limits<T>::max(); }
    static constexpr T Lowest() { return std::numeric_limits<T>::lowest(); }
    static constexpr T Min() { return std::numeric_limits<T>::min(); }
    static constexpr T DeNormMin() { return std::numeric_limits<T>::denorm_min(); }
    static constexpr T Infinity() { return std::numeric_limits<T>::infinity(); }
    static constexpr T NegativeInfinity() { return -std::numeric_limits<T>::infinity(); }
    static constexpr T QuietNaN() { return std::numeric_limits<T>::quiet_NaN(); }
    static constexpr T SignalingNaN() { return std::numeric_limits<T>::signaling_NaN(); }
};

template <>
struct NumericLimits<half> {
    static half Max() { return half::fromBits(0x7bff); }
    static half Lowest() { return half::fromBits(0xfbff); }
    static half Min() { return half::fromBits(0x0400); }
    static half DeNormMin() { return half::fromBits(0x0001); }
    static half Infinity() { return half::fromBits(0x7c00); }
    static half NegativeInfinity() { return half::fromBits(0xfc00); }
    static half QuietNaN() { return half::fromBits(0x7e00); }
    static half SignalingNaN() { return half::fromBits(0x7d00); }
};

template <>
struct NumericLimits<bfloat16_t> {
    static bfloat16_t Max() { return bfloat16_t::fromBits(0x7f7f); }
    static bfloat16_t Lowest() { return bfloat16_t::fromBits(0xff7f); }
    static bfloat16_t Min() { return bfloat16_t::fromBits(0x0080); }
    static bfloat16_t DeNormMin() { return bfloat16_t::fromBits(0x0001); }
    static bfloat16_t Infinity() { return bfloat16_t::fromBits(0x7f80); }
    static bfloat16_t NegativeInfinity() { return bfloat16_t::fromBits(0xff80); }
    static bfloat16_t QuietNaN() { return bfloat16_t::fromBits(0x7fc0); }
    static bfloat16_t SignalingNaN() { return bfloat16_t::fromBits(0x7fa0); }
};

}  // namespace AscendC
