#include "number.h"

namespace opwright {

namespace {

constexpr int64_t most = INT64_C(1) << 62;

Number clamped(__int128 value) {
    return value > most ? Number(most) : value < -most ? Number(-most) : Number(static_cast<int64_t>(value));
}

/// Why a result is missing: not known where an operand is not known.
Number::State missing(const Number &a, const Number &b) { return a.state > b.state ? a.state : b.state; }

template <typename Operation>
Number combined(const Number &a, const Number &b, const Operation &operation) {
    const Number::State state = missing(a, b);
    return state == Number::State::known ? operation(a.value, b.value) : Number::none(state);
}

int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

template <typename Test>
Truth compared(const Number &a, const Number &b, const Test &test) {
    const Number::State state = missing(a, b);
    if (state == Number::State::unknown) return Truth::unknown;
    return state == Number::State::known && test(a.value, b.value) ? Truth::yes : Truth::no;
}

}  // namespace

Number Number::none(State why) {
    Number number;
    number.state = why;
    return number;
}

Number operator+(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) { return clamped(static_cast<__int128>(x) + y); });
}

Number operator-(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) { return clamped(static_cast<__int128>(x) - y); });
}

Number operator*(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) { return clamped(static_cast<__int128>(x) * y); });
}

Number floordiv(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) {
        return y == 0 ? Number::none(Number::State::undefined) : clamped(floorQuotient(x, y));
    });
}

Number ceildiv(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) {
        return y == 0 ? Number::none(Number::State::undefined) : clamped(-static_cast<__int128>(floorQuotient(-x, y)));
    });
}

Number mod(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) {
        return y == 0 ? Number::none(Number::State::undefined) : Number(x - floorQuotient(x, y) * y);
    });
}

Number smaller(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) { return Number(x < y ? x : y); });
}

Number larger(const Number &a, const Number &b) {
    return combined(a, b, [](int64_t x, int64_t y) { return Number(x > y ? x : y); });
}

Truth operator==(const Number &a, const Number &b) {
    return compared(a, b, [](int64_t x, int64_t y) { return x == y; });
}

Truth operator!=(const Number &a, const Number &b) {
    return compared(a, b, [](int64_t x, int64_t y) { return x != y; });
}

Truth operator<(const Number &a, const Number &b) {
    return compared(a, b, [](int64_t x, int64_t y) { return x < y; });
}

Truth operator<=(const Number &a, const Number &b) {
    return compared(a, b, [](int64_t x, int64_t y) { return x <= y; });
}

Truth operator>(const Number &a, const Number &b) { return b < a; }

Truth operator>=(const Number &a, const Number &b) { return b <= a; }

}  // namespace opwright
