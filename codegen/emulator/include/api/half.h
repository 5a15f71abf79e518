// The 16-bit floating-point scalar types of kernels.
#pragma once

#include <type_traits>

#include "emu/rounding.h"

/// IEEE binary16. Each arithmetic operation on two halves rounds once to nearest even.
struct half {
    uint16_t bits;

    half() = default;
    half(float value) : bits(emu::floatToHalf(value)) {}
    half(double value) : bits(static_cast<uint16_t>(emu::encodeFloat(value, 5, 10, emu::Rounding::nearestEven))) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    half(T value) : half(static_cast<double>(value)) {}

    operator float() const { return emu::halfToFloat(bits); }

    static half fromBits(uint16_t bits) {
        half value;
        value.bits = bits;
        return value;
    }

    half& operator+=(half other) { return *this = half(float(*this) + float(other)); }
    half& operator-=(half other) { return *this = half(float(*this) - float(other)); }
    half& operator*=(half other) { return *this = half(float(*this) * float(other)); }
    half& operator/=(half other) { return *this = half(float(*this) / float(other)); }
};

inline half operator+(half a, half b) { return half(float(a) + float(b)); }
inline half operator-(half a, half b) { return half(float(a) - float(b)); }
inline half operator*(half a, half b) { return half(float(a) * float(b)); }
inline half operator/(half a, half b) { return half(float(a) / float(b)); }
/// Mixed operands follow the usual conversions: an integer becomes half, a half beside float or double becomes that.
template <typename T> using HalfMixed = std::conditional_t<std::is_integral_v<T>, half, T>;
template <typename T> using IfArithmetic = std::enable_if_t<std::is_arithmetic_v<T>, int>;
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator+(half a, T b) { return HalfMixed<T>(a) + HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator+(T a, half b) { return HalfMixed<T>(a) + HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator-(half a, T b) { return HalfMixed<T>(a) - HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator-(T a, half b) { return HalfMixed<T>(a) - HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator*(half a, T b) { return HalfMixed<T>(a) * HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator*(T a, half b) { return HalfMixed<T>(a) * HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator/(half a, T b) { return HalfMixed<T>(a) / HalfMixed<T>(b); }
template <typename T, IfArithmetic<T> = 0>
HalfMixed<T> operator/(T a, half b) { return HalfMixed<T>(a) / HalfMixed<T>(b); }
inline half operator-(half a) { return half::fromBits(static_cast<uint16_t>(a.bits ^ 0x8000u)); }

/// bfloat16: storage and conversion only; the vector unit of a kernel does its arithmetic in float.
struct bfloat16_t {
    uint16_t bits;

    static bfloat16_t fromBits(uint16_t bits) { return bfloat16_t{bits}; }
};

namespace AscendC {

/// Two 4-bit integers of a byte: a tensor of it has as many elements as bytes times two.
struct int4b_t {
    uint8_t pair;
};

inline float ToFloat(const bfloat16_t& value) { return emu::bfloatToFloat(value.bits); }
inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t::fromBits(emu::floatToBfloat(value)); }

}  // namespace AscendC
