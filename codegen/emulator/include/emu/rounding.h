// Exact rounding of binary floating-point values to integers and to narrower formats.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace emu {

/// How a lossy conversion rounds; values follow the API's RoundMode.
enum class Rounding { none, nearestEven, floor, ceil, nearestAway, truncate, odd };

/// Round to an integral value. The input is finite; the default floating-point environment is in force.
inline double roundIntegral(double value, Rounding mode) {
    switch (mode) {
        case Rounding::floor: return std::floor(value);
        case Rounding::ceil: return std::ceil(value);
        case Rounding::nearestAway: return std::round(value);
        case Rounding::truncate: return std::trunc(value);
        case Rounding::odd: {
            const double whole = std::trunc(value);
            const bool even = std::fmod(whole, 2.0) == 0.0;
            return whole != value && even ? whole + std::copysign(1.0, value) : whole;
        }
        default: return std::nearbyint(value);
    }
}

/// Encode into a format of 1 sign, `exponentBits` and `fractionBits` bits; overflow gives infinity, NaN a quiet NaN.
inline uint32_t encodeFloat(double value, int exponentBits, int fractionBits, Rounding mode) {
    const int bias = (1 << (exponentBits - 1)) - 1;
    const uint32_t infinity = ((1u << exponentBits) - 1u) << fractionBits;
    const uint32_t sign = std::signbit(value) ? 1u << (exponentBits + fractionBits) : 0u;
    if (std::isnan(value)) return infinity | (1u << (fractionBits - 1));
    if (std::isinf(value)) return sign | infinity;
    if (value == 0.0) return sign;
    const int lowest = 1 - bias;
    const int natural = std::ilogb(value);
    const int exponent = natural < lowest ? lowest : natural;
    const double scaled = std::ldexp(value, fractionBits - exponent);
    const auto significand = static_cast<uint64_t>(std::fabs(roundIntegral(scaled, mode)));
    const uint64_t bits = (static_cast<uint64_t>(exponent + bias - 1) << fractionBits) + significand;
    return sign | (bits >= infinity ? infinity : static_cast<uint32_t>(bits));
}

constexpr uint32_t bitsOf(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float floatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// binary16 bits to float, exactly.
constexpr float halfToFloat(uint16_t half) {
    const uint32_t magnitude = half & 0x7fffu;
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const float scaled = floatOf(magnitude << 13) * 0x1p112f;
    const uint32_t special = 0x7f800000u | (magnitude << 13);
    return floatOf(sign | (magnitude >= 0x7c00u ? special : bitsOf(scaled)));
}

/// float to binary16 bits, nearest even.
constexpr uint16_t floatToHalf(float value) {
    const uint32_t bits = bitsOf(value);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const uint32_t normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
    const uint32_t small = bitsOf(floatOf(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const uint32_t finite = magnitude < 0x38800000u ? small : normal;
    return static_cast<uint16_t>(((bits >> 16) & 0x8000u) | (magnitude >= 0x47800000u ? special : finite));
}

/// bfloat16 bits to float, exactly.
constexpr float bfloatToFloat(uint16_t value) { return floatOf(static_cast<uint32_t>(value) << 16); }

/// float to bfloat16 bits, nearest even.
constexpr uint16_t floatToBfloat(float value) {
    const uint32_t bits = bitsOf(value);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return static_cast<uint16_t>(nan ? 0x7fc0u : rounded);
}

/// double to float such that a second rounding to 16 bits is exact: cut off, with the last bit set if that lost something.
constexpr float doubleToOddFloat(double value) {
    const auto bits = __builtin_bit_cast(uint64_t, value);
    const auto sign = static_cast<uint32_t>(bits >> 63) << 31;
    const auto exponent = static_cast<int>((bits >> 52) & 0x7ffu) - 1023;
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    if (exponent > 127) return floatOf(sign | 0x7f800000u | (exponent == 1024 && fraction != 0 ? 0x400000u : 0u));
    const int below = exponent < -126 ? -126 - exponent : 0;
    const int shift = 29 + (below < 32 ? below : 32);
    const uint64_t significand = fraction | (below > 0 && exponent > -1023 ? uint64_t{1} << 52 : 0);
    const uint32_t sticky = (significand >> shift << shift) != significand ? 1u : 0u;
    const uint32_t field = below > 0 ? 0u : static_cast<uint32_t>(exponent + 127) << 23;
    return floatOf(sign | field | static_cast<uint32_t>(significand >> shift) | sticky);
}

/// A 64-bit integer to float under any rounding mode (no intermediate rounding).
inline float integerToFloat(int64_t value, Rounding mode) {
    const bool negative = value < 0;
    const uint64_t magnitude = negative ? 0u - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    int shift = 0;
    while ((magnitude >> shift) >= (uint64_t{1} << 25)) shift++;
    const uint64_t kept = magnitude >> shift;
    const bool rest = (kept << shift) != magnitude;
    const double sticky = static_cast<double>(kept) + (rest ? 0.25 : 0.0);
    const double halves = (negative ? -sticky : sticky) * 0.5;
    if (kept < (uint64_t{1} << 24)) return static_cast<float>(negative ? -static_cast<double>(kept) : double(kept));
    return std::ldexp(static_cast<float>(roundIntegral(halves, mode)), shift + 1);
}

}  // namespace emu
