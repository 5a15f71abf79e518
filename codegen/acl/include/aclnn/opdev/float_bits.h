// The bits of 16-bit floats.
#pragma once

#include <cstdint>
#include <cstring>

namespace op {
namespace bits {

inline uint32_t ofFloat(float value) {
    uint32_t result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

inline float toFloat(uint32_t value) {
    float result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

/// Drops `count` low bits, to nearest even.
inline uint32_t roundedShift(uint32_t value, uint32_t count) {
    const uint32_t half = (1u << (count - 1)) - 1u + ((value >> count) & 1u);
    return (value + half) >> count;
}

/// The nearest half; infinity from 65520 on. A NaN becomes the quiet one with all fraction bits, with its sign.
inline uint16_t halfOfFloat(float value) {
    const uint32_t all = ofFloat(value);
    const uint32_t sign = (all >> 16) & 0x8000u;
    const uint32_t magnitude = all & 0x7fffffffu;
    uint32_t result;
    if (magnitude > 0x7f800000u) {
        result = 0x7fffu;
    } else if (magnitude >= 0x477ff000u) {
        result = 0x7c00u;
    } else if (magnitude >= 0x38800000u) {
        result = roundedShift(magnitude - 0x38000000u, 13);
    } else if (magnitude < 0x33000000u) {
        result = 0;
    } else {
        result = roundedShift((magnitude & 0x007fffffu) | 0x00800000u, 126u - (magnitude >> 23));
    }
    return static_cast<uint16_t>(sign | result);
}

inline float floatOfHalf(uint16_t value) {
    const uint32_t sign = static_cast<uint32_t>(value & 0x8000u) << 16;
    const uint32_t exponent = (value >> 10) & 0x1fu;
    const uint32_t fraction = value & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-08f;
        return toFloat(ofFloat(magnitude) | sign);
    }
    const uint32_t wide = exponent == 0x1fu ? 0xffu : exponent + 112u;
    return toFloat(sign | (wide << 23) | (fraction << 13));
}

/// The nearest bfloat16; every NaN becomes 0x7fc0.
inline uint16_t bfloatOfFloat(float value) {
    const uint32_t all = ofFloat(value);
    if ((all & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
    return static_cast<uint16_t>(roundedShift(all, 16));
}

inline float floatOfBfloat(uint16_t value) { return toFloat(static_cast<uint32_t>(value) << 16); }

}  // namespace bits
}  // namespace op
