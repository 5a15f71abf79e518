// What the elementwise functions of the high-level library compute in one lane.
#pragma once

#include <cmath>

#include "high/call.h"

namespace emu {

/// A function of double precision as one of lanes.
#define EMU_LANE(Name, expression)                                  \
    struct Name##Lane {                                             \
        template <typename T>                                       \
        T operator()(T value) const {                               \
            const double x = wide(value);                           \
            return rounded<T>(expression);                          \
        }                                                           \
    };


/// The logarithmic derivative of the gamma function: reflection below 0.5, recurrence up to 10, then the series.
inline double digamma(double x) {
    constexpr double pi = 3.14159265358979323846264338328;
    if (std::isnan(x) || x == -HUGE_VAL) return NAN;
    if (x <= 0 && x == std::floor(x)) return NAN;
    if (x < 0.5) return digamma(1 - x) - pi / std::tan(pi * x);
    double sum = 0;
    for (; x < 10; x += 1) sum -= 1 / x;
    const double y = 1 / (x * x);
    const double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132)))));
    return sum + std::log(x) - 0.5 / x - series;
}

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The form with tanh that the library documents.
inline double gelu(double x) {
    constexpr double scale = 1.595769121605730711759;
    return x / (1 + std::exp(-scale * (x + 0.044715 * x * x * x)));
}

inline double fasterGelu(double x) { return x / (1 + std::exp(-1.702 * x)); }

/// A parabola in |x| / sqrt(2), cut off where it reaches its top.
inline double fasterGeluV2(double x) {
    constexpr double a = -0.1444, b = -1.769, rootHalf = 0.70710678118654752440;
    const double part = std::fmin(std::fabs(x) * rootHalf, -b) + b;
    const double sign = x > 0 ? 1 : x < 0 ? -1 : 0;
    return x * (sign * (a * part * part + 0.5) + 0.5);
}

EMU_LANE(Tanh, std::tanh(x))
EMU_LANE(Asin, std::asin(x))
EMU_LANE(Sin, std::sin(x))
EMU_LANE(Acos, std::acos(x))
EMU_LANE(Cos, std::cos(x))
EMU_LANE(Tan, std::tan(x))
EMU_LANE(Atan, std::atan(x))
EMU_LANE(Sinh, std::sinh(x))
EMU_LANE(Cosh, std::cosh(x))
EMU_LANE(Asinh, std::asinh(x))
EMU_LANE(Acosh, std::acosh(x))
EMU_LANE(Atanh, std::atanh(x))
EMU_LANE(Log, std::log(x))
EMU_LANE(Log2, std::log2(x))
EMU_LANE(Log10, std::log10(x))
EMU_LANE(Erf, std::erf(x))
EMU_LANE(Erfc, std::erfc(x))
EMU_LANE(Lgamma, std::lgamma(x))
EMU_LANE(Digamma, digamma(x))
EMU_LANE(Trunc, std::trunc(x))
EMU_LANE(Frac, x - std::trunc(x))
EMU_LANE(Floor, std::floor(x))
EMU_LANE(Ceil, std::ceil(x))
EMU_LANE(Round, std::nearbyint(x))
EMU_LANE(Rint, std::nearbyint(x))
EMU_LANE(Sign, std::isnan(x) ? x : x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0)
EMU_LANE(Sigmoid, sigmoid(x))
EMU_LANE(Silu, x * sigmoid(x))
EMU_LANE(Gelu, gelu(x))
EMU_LANE(FasterGelu, fasterGelu(x))
EMU_LANE(FasterGeluV2, fasterGeluV2(x))
EMU_LANE(TaylorExp, std::exp(x))
#undef EMU_LANE

/// A function of two numbers as one of lanes.
#define EMU_LANE2(Name, expression)                                 \
    struct Name##Lane {                                             \
        template <typename T>                                       \
        T operator()(T first, T second) const {                     \
            const double x = wide(first), y = wide(second);         \
            return rounded<T>(expression);                          \
        }                                                           \
    };

EMU_LANE2(Fmod, std::fmod(x, y))
EMU_LANE2(Hypot, std::hypot(x, y))
EMU_LANE2(GeGLU, x * gelu(y))
EMU_LANE2(ReGlu, x * (y > 0 || std::isnan(y) ? y : 0.0))
#undef EMU_LANE2

struct XorLane {
    template <typename T>
    T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

/// Integer powers wrap; a negative exponent gives what the quotient 1 / x^n truncates to.
template <typename T>
T integerPower(T base, T exponent) {
    if (exponent < T{0}) return base == T{1} ? T{1} : base == static_cast<T>(-1) ? (exponent % 2 == 0 ? T{1} : base) : T{0};
    uint64_t result = 1, factor = static_cast<uint64_t>(base);
    for (auto n = static_cast<uint64_t>(exponent); n > 0; n >>= 1, factor *= factor) {
        if (n & 1) result *= factor;
    }
    return static_cast<T>(result);
}

struct PowerLane {
    template <typename T>
    T operator()(T base, T exponent) const {
        if constexpr (isFloating<T>) return rounded<T>(std::pow(wide(base), wide(exponent)));
        else return integerPower(base, exponent);
    }
};

}  // namespace emu
