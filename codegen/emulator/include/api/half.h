// The 16-bit floating-point scalar types of kernels.
#pragma once

#include <type_traits>

#include "emu/rounding.h"

/// IEEE binary16. Each arithmetic operation on two halves rounds once to nearest even.
struct half {
    uint16_t bits;

    half() = default;
    constexpr half(float value) : bits(emu::floatToHalf(value)) {}
    constexpr half(double value) : bits(emu::floatToHalf(emu::doubleToOddFloat(value))) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    constexpr half(T value) : half(static_cast<double>(value)) {}

    constexpr operator float() const { return emu::halfToFloat(bits); }

    static constexpr half fromBits(uint16_t bits) {
        half value(0.0f);
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

/// bfloat16: conversion from and to numbers; arithmetic on it is that of float.
struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    constexpr bfloat16_t(float value) : bits(emu::floatToBfloat(value)) {}
    constexpr bfloat16_t(double value) : bits(emu::floatToBfloat(emu::doubleToOddFloat(value))) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    constexpr bfloat16_t(T value) : bfloat16_t(static_cast<double>(value)) {}

    constexpr operator float() const { return emu::bfloatToFloat(bits); }

    static constexpr bfloat16_t fromBits(uint16_t bits) {
        bfloat16_t value(0.0f);
        value.bits = bits;
        return value;
    }
};

// The compiler's names of the floating-point types by their width.
using float16_t = half;
using float32_t = float;

namespace AscendC {

/// Two 4-bit integers of a byte: a tensor of it has as many elements as bytes times two.
struct int4b_t {
    uint8_t pair;
};

inline float ToFloat(const bfloat16_t& value) { return emu::bfloatToFloat(value.bits); }
inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t::fromBits(emu::floatToBfloat(value)); }

}  // namespace AscendC
