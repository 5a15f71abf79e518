// Type conversion.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

using AscendC::RoundMode;

inline Rounding roundingOf(RoundMode mode) {
    static constexpr Rounding table[] = {Rounding::none, Rounding::nearestEven, Rounding::floor, Rounding::ceil,
                                         Rounding::nearestAway, Rounding::truncate, Rounding::odd};
    return table[static_cast<int>(mode)];
}

/// Round to an integer and clamp to its range; NaN gives 0.
template <typename D>
D toInteger(double value, Rounding mode) {
    if (std::isnan(value)) return D{0};
    const double whole = std::isinf(value) ? value : roundIntegral(value, mode);
    if (whole <= static_cast<double>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    if (whole >= static_cast<double>(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
    return static_cast<D>(whole);
}

/// Round a value that double holds exactly to a floating-point type.
template <typename D>
D toFloating(double value, Rounding mode) {
    if constexpr (std::is_same_v<D, half>) {
        return half::fromBits(static_cast<uint16_t>(encodeFloat(value, 5, 10, mode)));
    } else if constexpr (std::is_same_v<D, bfloat16_t>) {
        return bfloat16_t::fromBits(static_cast<uint16_t>(encodeFloat(value, 8, 7, mode)));
    } else {
        return floatOf(encodeFloat(value, 8, 23, mode));
    }
}

/// Clamp an integer into a narrower type.
template <typename D, typename S>
D saturate(S value) {
    using Wide = __int128;
    const Wide low = std::numeric_limits<D>::min();
    const Wide high = std::numeric_limits<D>::max();
    const Wide wide = value;
    return static_cast<D>(wide < low ? low : wide > high ? high : wide);
}

/// Convert one lane.
template <typename D, typename S>
D castLane(S value, Rounding mode) {
    if constexpr (isFloating<S> && std::is_same_v<D, S>) {
        const double x = widen(value);
        return narrow<D>(static_cast<float>(std::isfinite(x) ? roundIntegral(x, mode) + 0.0 : x));
    } else if constexpr (isFloating<S> && isFloating<D>) {
        if (sizeof(D) > sizeof(S)) return narrow<D>(widen(value));
        const bool nearest = mode == Rounding::none || mode == Rounding::nearestEven;
        return nearest ? narrow<D>(widen(value)) : toFloating<D>(widen(value), mode);
    } else if constexpr (isFloating<S>) {
        return toInteger<D>(widen(value), mode);
    } else if constexpr (std::is_same_v<D, float> && sizeof(S) == 8) {
        return integerToFloat(static_cast<int64_t>(value), mode);
    } else if constexpr (isFloating<D>) {
        return toFloating<D>(static_cast<double>(value), mode);
    } else {
        return saturate<D>(value);
    }
}

/// Kinds of conversion by the rounding modes they take.
enum class Modes { exact, lossy, lossyOrNone, lossyOddOrNone, ignored };

template <typename D, typename S>
constexpr Modes modesOf() {
    if constexpr (!isFloating<D> && !isFloating<S>) return Modes::exact;
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) return Modes::ignored;
    if constexpr (isFloating<D> && !isFloating<S>) {
        constexpr int digits = std::is_same_v<D, half> ? 11 : 24;
        if (std::numeric_limits<S>::digits <= digits) return Modes::exact;
        return sizeof(S) == 8 ? Modes::lossy : Modes::lossyOrNone;
    }
    if constexpr (isFloating<D> && isFloating<S>) {
        if (sizeof(D) > sizeof(S)) return Modes::exact;
        return std::is_same_v<D, half> && std::is_same_v<S, float> ? Modes::lossyOddOrNone : Modes::lossy;
    }
    return std::is_same_v<S, half> && sizeof(D) == 1 ? Modes::lossyOrNone : Modes::lossy;
}

/// Report a rounding mode that the conversion does not have.
template <typename D, typename S>
void checkMode(RoundMode mode, Site site) {
    const bool none = mode == RoundMode::CAST_NONE;
    const bool odd = mode == RoundMode::CAST_ODD;
    const bool legal[] = {none, !none && !odd, !odd, true, true};
    if (legal[static_cast<int>(modesOf<D, S>())]) return;
    Core::current().report(Rule::castMode, "Cast", site,
                           text("round mode %d is not one of this conversion's", static_cast<int>(mode)));
}

/// The lane function of a conversion; int32 to half scales by the value SetDeqScale has set.
template <typename D, typename S>
auto castOp(RoundMode mode, Site site) {
    static_assert(isLegalFor<D, S>("Cast"), "the chip's vector unit does not have this conversion");
    checkMode<D, S>(mode, site);
    const Rounding rounding = roundingOf(mode);
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) {
        const float scale = Core::current().deqScale;
        return [scale](S value) { return narrow<half>(static_cast<float>(value) * 0x1p-17f * scale * 0x1p17f); };
    } else {
        return [rounding](S value) { return castLane<D>(value, rounding); };
    }
}

}  // namespace emu

namespace AscendC {

inline void SetDeqScale(half scale) { emu::Core::current().deqScale = scale; }

template <typename D, typename S>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, int64_t count,
          Site site = Site::here()) {
    emu::unaryCounted("Cast", site, emu::castOp<D, S>(roundMode, site), count, dst, src);
}

template <typename D, typename S>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, uint64_t mask,
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    const emu::Selection selection("Cast", site, emu::lanesFor<D, S>);
    emu::unary("Cast", site, emu::castOp<D, S>(roundMode, site), selection.continuous(mask, repeatTime), dst, src,
               params);
}

template <typename D, typename S>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, const uint64_t mask[],
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    const emu::Selection selection("Cast", site, emu::lanesFor<D, S>);
    emu::unary("Cast", site, emu::castOp<D, S>(roundMode, site), selection.bitwise(mask, repeatTime), dst, src, params);
}

}  // namespace AscendC
