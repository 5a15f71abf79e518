// op::bfloat16: a float with the exponent of a float32 and 7 bits of fraction.
#pragma once

#include "aclnn/opdev/fp16_t.h"

namespace op {

/// Rounds to nearest even.
struct bfloat16 {
    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return from_bits_t(); }

    uint16_t value;

    constexpr bfloat16() : value(0) {}
    constexpr bfloat16(uint16_t raw, from_bits_t) : value(raw) {}
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    bfloat16(const T &number) : value(bits::bfloatOfFloat(static_cast<float>(number))) {}

    operator float() const { return bits::floatOfBfloat(value); }
    explicit operator double() const { return bits::floatOfBfloat(value); }
    explicit operator bool() const { return (value & 0x7fffu) != 0; }
    explicit operator int32_t() const { return static_cast<int32_t>(static_cast<float>(*this)); }
    explicit operator int64_t() const { return static_cast<int64_t>(static_cast<float>(*this)); }

    static bfloat16 epsilon() { return bfloat16(0x3c00, from_bits()); }
    static bfloat16 highest() { return bfloat16(0x7f7f, from_bits()); }
    static bfloat16 lowest() { return bfloat16(0xff7f, from_bits()); }
};

inline fp16_t::fp16_t(const bfloat16 &other) : val(bits::halfOfFloat(static_cast<float>(other))) {}

inline fp16_t &fp16_t::operator=(const bfloat16 &other) {
    val = bits::halfOfFloat(static_cast<float>(other));
    return *this;
}

inline fp16_t::operator bfloat16() const { return bfloat16(static_cast<float>(*this)); }

}  // namespace op

namespace std {

inline bool isnan(const op::bfloat16 &number) { return (number.value & 0x7fffu) > 0x7f80u; }
inline bool isinf(const op::bfloat16 &number) { return (number.value & 0x7fffu) == 0x7f80u; }
inline op::bfloat16 abs(const op::bfloat16 &number) {
    return op::bfloat16(static_cast<uint16_t>(number.value & 0x7fffu), op::bfloat16::from_bits());
}

}  // namespace std
