// What the arithmetic and logic instructions compute in one lane.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "emu/dtype.h"
#include "emu/instruction.h"

namespace emu {

template <typename T>
inline constexpr bool isFloating =
    std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

inline float widen(float value) { return value; }
inline double widen(double value) { return value; }
inline float widen(half value) { return halfToFloat(value.bits); }
inline float widen(bfloat16_t value) { return bfloatToFloat(value.bits); }

/// Round a float once to T, nearest even.
template <typename T>
T narrow(float value) {
    if constexpr (std::is_same_v<T, half>) {
        return half::fromBits(floatToHalf(value));
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
        return bfloat16_t::fromBits(floatToBfloat(value));
    } else {
        return value;
    }
}

/// Larger or smaller of two lanes: a NaN operand gives NaN, and -0 is below +0.
template <bool larger, typename T>
T extreme(T a, T b) {
    if constexpr (isFloating<T>) {
        const float x = widen(a);
        const float y = widen(b);
        if (std::isnan(x)) return a;
        if (std::isnan(y)) return b;
        if (x == y) return std::signbit(x) == larger ? b : a;
        return (x > y) == larger ? a : b;
    } else {
        return (a > b) == larger ? a : b;
    }
}

/// Whether a lane replaces the best one so far; the first of equals stays, and the first NaN.
template <bool larger, typename T>
bool beats(T value, T best) {
    if constexpr (isFloating<T>) {
        const float x = static_cast<float>(widen(value));
        const float y = static_cast<float>(widen(best));
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(y);
        if (x == y) return std::signbit(x) != std::signbit(y) && std::signbit(y) == larger;
        return (x > y) == larger;
    } else {
        return value != best && (value > best) == larger;
    }
}

/// Arithmetic of one lane: floats round once, integers wrap.
template <typename T, typename Function>
T arithmetic(T a, T b, const Function& function) {
    if constexpr (isFloating<T>) {
        return narrow<T>(function(widen(a), widen(b)));
    } else {
        using Wide = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;
        return static_cast<T>(function(static_cast<Wide>(a), static_cast<Wide>(b)));
    }
}

struct AddOp {
    static constexpr const char* api = "Add";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return arithmetic(a, b, [](auto x, auto y) { return x + y; }); }
};

struct SubOp {
    static constexpr const char* api = "Sub";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return arithmetic(a, b, [](auto x, auto y) { return x - y; }); }
};

struct MulOp {
    static constexpr const char* api = "Mul";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return arithmetic(a, b, [](auto x, auto y) { return x * y; }); }
};

struct DivOp {
    static constexpr const char* api = "Div";
    static constexpr Overlap overlap = Overlap::general;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(widen(a) / widen(b));
        } else {
            if (b == 0) return static_cast<T>(-1);
            return std::is_signed_v<T> && b == static_cast<T>(-1) ? static_cast<T>(0u - static_cast<uint64_t>(a))
                                                                  : static_cast<T>(a / b);
        }
    }
};

struct MaxOp {
    static constexpr const char* api = "Max";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return extreme<true>(a, b); }
};

struct MinOp {
    static constexpr const char* api = "Min";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return extreme<false>(a, b); }
};

struct AndOp {
    static constexpr const char* api = "And";
    static constexpr Overlap overlap = Overlap::general;
    static constexpr bool bitwise = true;
    template <typename T>
    T operator()(T a, T b) const { return static_cast<T>(a & b); }
};

struct OrOp {
    static constexpr const char* api = "Or";
    static constexpr Overlap overlap = Overlap::general;
    static constexpr bool bitwise = true;
    template <typename T>
    T operator()(T a, T b) const { return static_cast<T>(a | b); }
};

template <size_t bytes>
using UnsignedOf = std::conditional_t<bytes == 1, uint8_t,
                                      std::conditional_t<bytes == 2, uint16_t,
                                                         std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;

struct NotOp {
    template <typename T>
    T operator()(T a) const {
        UnsignedOf<sizeof(T)> bits;
        std::memcpy(&bits, &a, sizeof bits);
        bits = static_cast<decltype(bits)>(~bits);
        std::memcpy(static_cast<void*>(&a), &bits, sizeof bits);
        return a;
    }
};

struct AbsOp {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(std::fabs(widen(a)));
        } else {
            return a < 0 ? static_cast<T>(0u - static_cast<UnsignedOf<sizeof(T)>>(a)) : a;
        }
    }
};

struct NegOp {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(-widen(a));
        } else {
            return static_cast<T>(0u - static_cast<UnsignedOf<sizeof(T)>>(a));
        }
    }
};

struct ReluOp {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            const float x = widen(a);
            return x > 0.0f || std::isnan(x) ? a : narrow<T>(0.0f);
        } else {
            return a > 0 ? a : T{0};
        }
    }
};

/// Transcendental lanes: computed in double, rounded once to float and once to the element type.
struct ExpOp {
    template <typename T>
    T operator()(T a) const { return narrow<T>(static_cast<float>(std::exp(static_cast<double>(widen(a))))); }
};

struct LnOp {
    template <typename T>
    T operator()(T a) const { return narrow<T>(static_cast<float>(std::log(static_cast<double>(widen(a))))); }
};

struct SqrtOp {
    template <typename T>
    T operator()(T a) const { return narrow<T>(std::sqrt(widen(a))); }
};

struct RsqrtOp {
    template <typename T>
    T operator()(T a) const {
        return narrow<T>(static_cast<float>(1.0 / std::sqrt(static_cast<double>(widen(a)))));
    }
};

struct ReciprocalOp {
    template <typename T>
    T operator()(T a) const {
        if constexpr (isFloating<T>) {
            return narrow<T>(1.0f / widen(a));
        } else {
            const bool unit = a == T{1} || (std::is_signed_v<T> && a == static_cast<T>(-1));
            return a == 0 ? static_cast<T>(~T{0}) : unit ? a : T{0};
        }
    }
};

/// What a set sign bit selects is multiplied, so -0 counts as negative.
struct LeakyReluOp {
    template <typename T>
    T operator()(T a, T slope) const { return std::signbit(widen(a)) ? MulOp{}(a, slope) : a; }
};

struct AddReluOp {
    static constexpr const char* api = "AddRelu";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return ReluOp{}(AddOp{}(a, b)); }
};

struct SubReluOp {
    static constexpr const char* api = "SubRelu";
    static constexpr Overlap overlap = Overlap::accumulate;
    static constexpr bool bitwise = false;
    template <typename T>
    T operator()(T a, T b) const { return ReluOp{}(SubOp{}(a, b)); }
};

struct AbsSubOp {
    template <typename T>
    T operator()(T a, T b) const { return AbsOp{}(SubOp{}(a, b)); }
};

struct PreluOp {
    template <typename T>
    T operator()(T a, T slope) const { return widen(a) < 0.0f ? MulOp{}(a, slope) : a; }
};

struct ExpSubOp {
    template <typename T>
    float operator()(T a, T b) const {
        return static_cast<float>(std::exp(static_cast<double>(widen(a) - widen(b))));
    }
};

}  // namespace emu
