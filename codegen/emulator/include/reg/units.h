// Lane functions that the register level has beyond those of operations.h.
#pragma once

#include "api/operations.h"

namespace emu::reg {

/// A value as the fast units read and write it: subnormals of its type are zeros of their sign.
template <typename T>
T flushSubnormal(T value) {
    const float x = widen(value);
    constexpr float smallest = std::is_same_v<T, half> ? 0x1p-14f : 0x1p-126f;
    return std::fabs(x) < smallest ? narrow<T>(std::copysign(0.0f, x)) : value;
}

/// A function computed in double and rounded once to float and once to T, with or without subnormals.
template <bool flush, typename T, typename Function>
T unit(const Function& function, T a) {
    if constexpr (flush) a = flushSubnormal(a);
    const T result = narrow<T>(static_cast<float>(function(static_cast<double>(widen(a)))));
    return flush ? flushSubnormal(result) : result;
}

template <bool flush> struct ExpUnit {
    template <typename T> T operator()(T a) const { return unit<flush>([](double x) { return std::exp(x); }, a); }
};
template <bool flush> struct LnUnit {
    template <typename T> T operator()(T a) const { return unit<flush>([](double x) { return std::log(x); }, a); }
};
template <bool flush> struct Log2Unit {
    template <typename T> T operator()(T a) const { return unit<flush>([](double x) { return std::log2(x); }, a); }
};
template <bool flush> struct Log10Unit {
    template <typename T> T operator()(T a) const { return unit<flush>([](double x) { return std::log10(x); }, a); }
};
template <bool flush> struct SqrtUnit {
    template <typename T> T operator()(T a) const { return unit<flush>([](double x) { return std::sqrt(x); }, a); }
};

/// Division; integers as the memory-based call divides them.
template <bool flush> struct DivUnit {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (!isFloating<T> || !flush) {
            return DivOp{}(a, b);
        } else {
            return flushSubnormal(narrow<T>(widen(flushSubnormal(a)) / widen(flushSubnormal(b))));
        }
    }
};

/// a * b + c with one rounding; integers wrap.
template <typename T>
T fused(T a, T b, T c) {
    if constexpr (std::is_same_v<T, float>) {
        return std::fma(a, b, c);
    } else if constexpr (isFloating<T>) {
        // The product of two 16-bit floats is exact in double; the sum is rounded to odd there, so that the rounding to
        // T is the only one that counts.
        const double product = static_cast<double>(widen(a)) * static_cast<double>(widen(b));
        const double addend = widen(c);
        const double sum = product + addend;
        const double part = sum - product;
        const double error = (product - (sum - part)) + (addend - part);
        uint64_t bits;
        std::memcpy(&bits, &sum, sizeof bits);
        if (std::isfinite(sum) && error != 0.0 && (bits & 1u) == 0) {
            bits += ((error > 0) == (sum > 0)) ? 1u : ~uint64_t{0};
        }
        double odd;
        std::memcpy(&odd, &bits, sizeof odd);
        constexpr bool isHalf = std::is_same_v<T, half>;
        const uint32_t encoded = encodeFloat(odd, isHalf ? 5 : 8, isHalf ? 10 : 7, Rounding::nearestEven);
        return T::fromBits(static_cast<uint16_t>(encoded));
    } else {
        return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) + static_cast<uint64_t>(c));
    }
}

struct NegOp {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(-widen(a));
        } else {
            return static_cast<T>(0u - static_cast<uint64_t>(a));
        }
    }
};

struct AbsUnit {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(std::fabs(widen(a)));
        } else {
            return a < 0 ? NegOp{}(a) : a;
        }
    }
};

/// x > 0 ? x : x * slope, where +0 passes unchanged.
struct LeakyOp {
    template <typename T>
    T operator()(T a, T slope) const {
        const float x = widen(a);
        if (x > 0.0f || (x == 0.0f && !std::signbit(x))) return a;
        return narrow<T>(x * widen(slope));
    }
};

/// A shift by a signed amount; amounts of the width or more shift everything out.
template <bool left> struct ShiftUnit {
    template <typename T, typename A>
    T operator()(T a, A amount) const {
        constexpr int width = 8 * static_cast<int>(sizeof(T));
        using Unsigned = std::make_unsigned_t<T>;
        const bool out = amount < 0 || static_cast<int64_t>(amount) >= width;
        if constexpr (left) {
            const auto bits = static_cast<uint64_t>(static_cast<Unsigned>(a));
            return out ? T{0} : static_cast<T>(bits << amount);
        } else {
            if (out) return static_cast<T>(std::is_signed_v<T> && a < 0 ? -1 : 0);
            return static_cast<T>(a >> amount);
        }
    }
};

struct XorUnit {
    template <typename T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

/// Bitwise complement of any element.
struct NotUnit {
    template <typename T>
    T operator()(T a) const {
        std::array<uint8_t, sizeof(T)> bytes;
        std::memcpy(bytes.data(), &a, sizeof(T));
        for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(~byte);
        std::memcpy(static_cast<void*>(&a), bytes.data(), sizeof(T));
        return a;
    }
};

/// A comparison as IEEE defines it.
template <AscendC::CMPMODE mode, typename T>
bool compares(T a, T b) {
    using AscendC::CMPMODE;
    const auto test = [](auto x, auto y) {
        switch (mode) {
            case CMPMODE::LT: return x < y;
            case CMPMODE::GT: return x > y;
            case CMPMODE::LE: return x <= y;
            case CMPMODE::GE: return x >= y;
            case CMPMODE::NE: return x != y;
            default: return x == y;
        }
    };
    if constexpr (isFloating<T>) {
        return test(widen(a), widen(b));
    } else {
        return test(a, b);
    }
}

}  // namespace emu::reg
