// Type conversion.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

using AscendC::RoundMode;

constexpr Rounding roundingOf(RoundMode mode) {
    constexpr Rounding table[] = {Rounding::none, Rounding::nearestEven, Rounding::floor, Rounding::ceil,
                                         Rounding::nearestAway, Rounding::truncate, Rounding::odd};
    return mode <= RoundMode::CAST_ODD ? table[static_cast<int>(mode)] : Rounding::none;
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
    } else if constexpr (std::is_same_v<D, double>) {
        return value;
    } else {
        return floatOf(encodeFloat(value, 8, 23, mode));
    }
}

/// A 64-bit integer to double under any rounding mode.
inline double integerToDouble(int64_t value, Rounding mode) {
    const auto nearest = static_cast<double>(value);
    const auto exact = static_cast<__int128>(value);
    const auto rounded = static_cast<__int128>(nearest);
    if (rounded == exact) return nearest;
    const double low = rounded < exact ? nearest : std::nextafter(nearest, -HUGE_VAL);
    const double high = rounded < exact ? std::nextafter(nearest, HUGE_VAL) : nearest;
    switch (mode) {
        case Rounding::floor: return low;
        case Rounding::ceil: return high;
        case Rounding::truncate: return value < 0 ? high : low;
        case Rounding::nearestAway: {
            const bool tie = exact - static_cast<__int128>(low) == static_cast<__int128>(high) - exact;
            return tie ? (value < 0 ? low : high) : nearest;
        }
        default: return nearest;
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
        if (sizeof(S) == 8) return toFloating<D>(widen(value), mode);
        if (sizeof(D) > sizeof(S)) return narrow<D>(static_cast<float>(widen(value)));
        const bool nearest = mode == Rounding::none || mode == Rounding::nearestEven;
        return nearest ? narrow<D>(static_cast<float>(widen(value))) : toFloating<D>(widen(value), mode);
    } else if constexpr (isFloating<S>) {
        return toInteger<D>(widen(value), mode);
    } else if constexpr (std::is_same_v<D, double>) {
        return integerToDouble(value, mode);
    } else if constexpr (std::is_same_v<D, float> && sizeof(S) == 8) {
        return integerToFloat(static_cast<int64_t>(value), mode);
    } else if constexpr (isFloating<D>) {
        return toFloating<D>(static_cast<double>(value), mode);
    } else {
        return saturate<D>(value);
    }
}

/// Kinds of conversion by the rounding modes they take.
enum class Modes { exact, lossy, lossyOrNone, lossyOddOrNone, ignored, truncating };

template <typename D, typename S>
constexpr Modes modesOf() {
    if constexpr (std::is_same_v<S, double> && !isFloating<D>) return Modes::truncating;
    if constexpr (!isFloating<D> && !isFloating<S>) return Modes::exact;
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) return Modes::ignored;
    if constexpr (isFloating<D> && !isFloating<S>) {
        constexpr int digits = std::is_same_v<D, half> ? 11 : std::is_same_v<D, double> ? 53 : 24;
        if (std::numeric_limits<S>::digits <= digits) return Modes::exact;
        return sizeof(S) == 8 ? Modes::lossy : Modes::lossyOrNone;
    }
    if constexpr (isFloating<D> && isFloating<S>) {
        if (sizeof(D) > sizeof(S)) return Modes::exact;
        return std::is_same_v<D, half> && std::is_same_v<S, float> ? Modes::lossyOddOrNone : Modes::lossy;
    }
    return std::is_same_v<S, half> && sizeof(D) == 1 ? Modes::lossyOrNone : Modes::lossy;
}

constexpr bool hasMode(Modes modes, RoundMode mode) {
    const bool none = mode == RoundMode::CAST_NONE;
    const bool odd = mode == RoundMode::CAST_ODD;
    const bool plain = mode >= RoundMode::CAST_RINT && mode <= RoundMode::CAST_TRUNC;
    const bool legal[] = {none, plain, plain || none, plain || odd || none, true, mode == RoundMode::CAST_TRUNC};
    return legal[static_cast<int>(modes)];
}

/// The name of a rounding mode, or its number.
inline std::string modeName(RoundMode mode) {
    static constexpr const char* names[] = {"NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD", "HYBRID"};
    const auto number = static_cast<size_t>(mode);
    return number < std::size(names) ? std::string("CAST_") + names[number] : text("round mode %zu", number);
}

/// Report a rounding mode that a conversion, such as "float to half", does not have.
inline void refuseMode(Modes modes, RoundMode mode, const std::string& conversion, Site site) {
    std::string allowed;
    for (int number = 0; number <= static_cast<int>(RoundMode::CAST_ODD); number++) {
        const auto other = static_cast<RoundMode>(number);
        if (hasMode(modes, other)) allowed += (allowed.empty() ? "" : ", ") + modeName(other);
    }
    Core::current().report(Rule::castMode, "Cast", site,
                           modeName(mode) + " is not a mode of " + conversion + ", which has " + allowed);
}

template <typename D, typename S>
std::string conversionName() {
    return std::string(typeName<S>()) + " to " + typeName<D>();
}

/// int32 to half: three products in float, then one rounding.
inline half scaledHalf(int32_t value, float scale) {
    return narrow<half>(static_cast<float>(value) * 0x1p-17f * scale * 0x1p17f);
}

/// The lane function of a conversion; int32 to half scales by the value SetDeqScale has set.
template <typename D, typename S>
auto castOp(RoundMode mode, Site site) {
    if (!hasMode(modesOf<D, S>(), mode)) refuseMode(modesOf<D, S>(), mode, conversionName<D, S>(), site);
    const Rounding rounding = roundingOf(mode);
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) {
        const float scale = Core::current().deqScale;
        return [scale](S value) { return scaledHalf(value, scale); };
    } else {
        return [rounding](S value) { return castLane<D>(value, rounding); };
    }
}

/// Whether all forms of Cast convert S to D.
template <typename D, typename S>
constexpr bool isLegalCast() {
    return isLegalFor<D, S>("Cast") || isLegalFor<D, S>("Cast", "scaled");
}

using AscendC::int4b_t;

template <typename T>
inline constexpr bool isInt4 = std::is_same_v<T, int4b_t>;

/// Two neighbours of the type that a pair of 4-bit integers is converted from or to.
template <typename T>
struct Couple {
    T low;
    T high;
};

/// The type of two elements: a byte of 4-bit integers, or two neighbours.
template <typename T>
using CoupleOf = std::conditional_t<isInt4<T>, int4b_t, Couple<T>>;

/// Lanes of elements as lanes of pairs; a mask that tells neighbours apart is reported.
inline Shape coupled(const Shape& shape, Site site) {
    Shape pairs{shape.lanes / 2, shape.repeats, shape.mask.coupled(), shape.last.coupled()};
    const auto odd = [](const LaneMask& lanes) { return !(lanes == lanes.coupled().doubled()); };
    if (shape.repeats > 0 && (odd(shape.last) || (shape.repeats > 1 && odd(shape.mask)))) {
        Core::current().report(Rule::maskRange, "Cast", site, "4-bit integers are converted in pairs");
    }
    return pairs;
}

/// Convert lanes whose source or destination is 4 bits wide.
template <typename D, typename S>
void castCouples(Site site, const Shape& shape, RoundMode mode, const LocalTensor<D>& dst, Strides dstStrides,
                 const LocalTensor<S>& src, Strides srcStrides) {
    constexpr Modes modes = isInt4<S> || !isFloating<S> ? Modes::exact : Modes::lossyOrNone;
    if (!hasMode(modes, mode)) refuseMode(modes, mode, conversionName<D, S>(), site);
    const Rounding rounding = roundingOf(mode);
    const Strided<CoupleOf<D>> to{dst.template ReinterpretCast<CoupleOf<D>>(), dstStrides};
    const Strided<CoupleOf<S>> from{src.template ReinterpretCast<CoupleOf<S>>(), srcStrides};
    if constexpr (isInt4<S>) {
        const auto widenNibble = [](int nibble) { return castLane<D>(int8_t((nibble ^ 8) - 8), Rounding::none); };
        const auto lane = [widenNibble](int4b_t x) {
            return Couple<D>{widenNibble(x.pair & 15), widenNibble(x.pair >> 4)};
        };
        lanewise("Cast", site, lane, coupled(shape, site), Overlap::conversion, to, from);
    } else {
        const auto nibble = [rounding](S x) {
            const int value = castLane<int8_t>(x, rounding);
            return (value < -8 ? -8 : value > 7 ? 7 : value) & 15;
        };
        const auto lane = [nibble](Couple<S> x) { return int4b_t{uint8_t(nibble(x.low) | nibble(x.high) << 4)}; };
        lanewise("Cast", site, lane, coupled(shape, site), Overlap::conversion, to, from);
    }
}

/// Strides of a packed row: 4-bit integers take half a byte each.
template <typename T>
Strides packedRow(uint32_t lanes) {
    return isInt4<T> ? Strides{chip::blockBytes, lanes / 2} : contiguous<T>(lanes);
}

template <typename D, typename S>
void castMasked(Site site, const Shape& shape, RoundMode mode, const LocalTensor<D>& dst, const LocalTensor<S>& src,
                const AscendC::UnaryRepeatParams& params) {
    static_assert(isLegalCast<D, S>(), "Cast: not in this chip's vector unit for these types");
    if constexpr (isInt4<D> || isInt4<S>) {
        castCouples(site, shape, mode, dst, blockStrides(params.dstBlkStride, params.dstRepStride), src,
                    blockStrides(params.srcBlkStride, params.srcRepStride));
    } else {
        unary("Cast", site, castOp<D, S>(mode, site), shape, dst, src, params);
    }
}

}  // namespace emu

namespace AscendC {

template <typename D, typename S>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, int64_t count,
          Site site = Site::here()) {
    static_assert(emu::isLegalCast<D, S>() || emu::isLegalCount<D, S>("Cast"),
                  "Cast: not in this chip's vector unit for these types");
    constexpr uint32_t lanes = emu::lanesFor<D, S>;
    const emu::Shape shape = emu::Selection("Cast", site, lanes).counted(count);
    if constexpr (emu::isInt4<D> || emu::isInt4<S>) {
        emu::castCouples(site, shape, roundMode, dst, emu::packedRow<D>(lanes), src, emu::packedRow<S>(lanes));
    } else {
        const auto overlap = sizeof(D) == sizeof(S) ? emu::Overlap::general : emu::Overlap::conversion;
        emu::unaryCounted("Cast", site, emu::castOp<D, S>(roundMode, site), shape, dst, src, overlap);
    }
}

template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, uint64_t mask,
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    const auto shape = emu::Selection("Cast", site, emu::lanesFor<D, S>).continuous(mask, repeatTime, isSetMask);
    emu::castMasked(site, shape, roundMode, dst, src, params);
}

template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D>& dst, const LocalTensor<S>& src, const RoundMode& roundMode, const uint64_t mask[],
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    const auto shape = emu::Selection("Cast", site, emu::lanesFor<D, S>).bitwise(mask, repeatTime, isSetMask);
    emu::castMasked(site, shape, roundMode, dst, src, params);
}

/// Round to integral values of the same type.
template <typename T, RoundMode roundMode = RoundMode::CAST_TRUNC>
void Truncate(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("Truncate"), "Truncate: not in this chip's vector unit for this type");
    static_assert(roundMode != RoundMode::CAST_NONE && roundMode != RoundMode::CAST_ODD, "Truncate: no such mode");
    const auto lane = [](T x) {
        const float value = emu::widen(x);
        const auto whole = static_cast<float>(emu::roundIntegral(value, emu::roundingOf(roundMode)));
        return emu::narrow<T>(std::isfinite(value) ? whole : value);
    };
    emu::unaryCounted("Truncate", site, lane, emu::Selection("Truncate", site, emu::lanesFor<T>).counted(count), dst,
                      src);
}

}  // namespace AscendC
