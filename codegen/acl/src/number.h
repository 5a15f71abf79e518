// Whole numbers that never overflow and may be missing: sizes and attributes of a call, and what is computed from them.
#pragma once

#include <cstdint>

namespace opwright {

/// A number, or why there is none: it is not known (an earlier fault hides it), or a division by 0 left it undefined.
/// Results beyond 62 bits become the largest or smallest number.
struct Number {
    enum class State { known, undefined, unknown };

    int64_t value = 0;
    State state = State::known;

    Number() = default;
    Number(int64_t number) : value(number) {}  // NOLINT: literals are numbers
    static Number none(State why);

    bool known() const { return state == State::known; }
};

/// The answer of a comparison; one with an undefined number is no.
enum class Truth { no, yes, unknown };

Number operator+(const Number &a, const Number &b);
Number operator-(const Number &a, const Number &b);
Number operator*(const Number &a, const Number &b);
Number floordiv(const Number &a, const Number &b);
Number ceildiv(const Number &a, const Number &b);
Number mod(const Number &a, const Number &b);
Number smaller(const Number &a, const Number &b);
Number larger(const Number &a, const Number &b);

Truth operator==(const Number &a, const Number &b);
Truth operator!=(const Number &a, const Number &b);
Truth operator<(const Number &a, const Number &b);
Truth operator<=(const Number &a, const Number &b);
Truth operator>(const Number &a, const Number &b);
Truth operator>=(const Number &a, const Number &b);

}  // namespace opwright
