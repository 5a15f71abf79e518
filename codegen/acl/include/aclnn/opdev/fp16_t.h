// op::fp16_t: a half-precision float.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <type_traits>

#include "aclnn/opdev/float_bits.h"

namespace op {

struct bfloat16;

namespace bits {

template <typename T>
using IfNumber = typename std::enable_if<std::is_arithmetic<T>::value && !std::is_same<T, uint16_t>::value>::type;

/// The nearest whole number, to even in the middle; the nearest that the type has for what is beyond it. NaN gives the
/// largest, or the smallest where its sign is set.
template <typename T>
T wholeOfFloat(float value) {
    const float low = static_cast<float>(std::numeric_limits<T>::lowest());
    const float high = static_cast<float>(std::numeric_limits<T>::max());
    if (std::isnan(value)) {
        return std::signbit(value) ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
    const float rounded = std::nearbyint(value);
    if (rounded <= low) return std::numeric_limits<T>::lowest();
    if (rounded >= high) return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
}

}  // namespace bits

/// Rounds to nearest even. Built from a uint16_t it takes the bits; assigned one it takes the number.
struct fp16_t {
    uint16_t val;

    constexpr fp16_t() : val(0) {}
    constexpr fp16_t(const uint16_t &raw) : val(raw) {}
    template <typename T, typename = bits::IfNumber<T>>
    fp16_t(const T &number) : val(bits::halfOfFloat(static_cast<float>(number))) {}
    constexpr fp16_t(const fp16_t &other) : val(other.val) {}
    inline fp16_t(const bfloat16 &other);

    fp16_t &operator=(const fp16_t &other) {
        val = other.val;
        return *this;
    }
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    fp16_t &operator=(const T &number) {
        val = bits::halfOfFloat(static_cast<float>(number));
        return *this;
    }
    inline fp16_t &operator=(const bfloat16 &other);

    operator float() const { return bits::floatOfHalf(val); }
    operator double() const { return bits::floatOfHalf(val); }
    inline operator bfloat16() const;
    operator bool() const { return (val & 0x7fffu) != 0; }
    operator int8_t() const { return bits::wholeOfFloat<int8_t>(*this); }
    operator uint8_t() const { return bits::wholeOfFloat<uint8_t>(*this); }
    operator int16_t() const { return bits::wholeOfFloat<int16_t>(*this); }
    operator uint16_t() const { return bits::wholeOfFloat<uint16_t>(*this); }
    operator int32_t() const { return bits::wholeOfFloat<int32_t>(*this); }
    operator uint32_t() const { return bits::wholeOfFloat<uint32_t>(*this); }
    operator int64_t() const { return bits::wholeOfFloat<int64_t>(*this); }
    operator uint64_t() const { return bits::wholeOfFloat<uint64_t>(*this); }

    /// 1 for infinity, -1 for minus infinity, else 0.
    int IsInf() const { return val == 0x7c00u ? 1 : val == 0xfc00u ? -1 : 0; }
    float toFloat() const { return *this; }
    double toDouble() const { return *this; }
    int8_t toInt8() const { return *this; }
    uint8_t toUInt8() const { return *this; }
    int16_t toInt16() const { return *this; }
    uint16_t toUInt16() const { return *this; }
    int32_t toInt32() const { return *this; }
    uint32_t toUInt32() const { return *this; }

    fp16_t operator+(const fp16_t &other) const { return fp16_t(toFloat() + other.toFloat()); }
    fp16_t operator-(const fp16_t &other) const { return fp16_t(toFloat() - other.toFloat()); }
    fp16_t operator*(const fp16_t &other) const { return fp16_t(toFloat() * other.toFloat()); }
    fp16_t operator/(const fp16_t &other) const { return fp16_t(toFloat() / other.toFloat()); }
    fp16_t &operator+=(const fp16_t &other) { return *this = *this + other; }
    fp16_t &operator-=(const fp16_t &other) { return *this = *this - other; }
    fp16_t &operator*=(const fp16_t &other) { return *this = *this * other; }
    fp16_t &operator/=(const fp16_t &other) { return *this = *this / other; }
    bool operator==(const fp16_t &other) const { return toFloat() == other.toFloat(); }
    bool operator!=(const fp16_t &other) const { return toFloat() != other.toFloat(); }
    bool operator>(const fp16_t &other) const { return toFloat() > other.toFloat(); }
    bool operator>=(const fp16_t &other) const { return toFloat() >= other.toFloat(); }
    bool operator<(const fp16_t &other) const { return toFloat() < other.toFloat(); }
    bool operator<=(const fp16_t &other) const { return toFloat() <= other.toFloat(); }
};

inline std::ostream &operator<<(std::ostream &out, const fp16_t &value) { return out << value.toFloat(); }

}  // namespace op

namespace std {

inline bool isnan(const op::fp16_t &value) { return (value.val & 0x7fffu) > 0x7c00u; }
inline op::fp16_t abs(const op::fp16_t &value) { return op::fp16_t(static_cast<uint16_t>(value.val & 0x7fffu)); }

}  // namespace std

#include "aclnn/opdev/bfloat16.h"
