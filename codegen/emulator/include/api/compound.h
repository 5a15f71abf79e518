// Instructions that compute two steps in one: multiply-adds, and sums or products that end in a conversion.
#pragma once

#include "api/cast.h"
#include "api/elementwise.h"

namespace emu {

/// The sum of two doubles as one that rounds to any narrower format as the exact sum does (round to odd).
inline double oddSum(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double part = sum - a;
    const double error = (a - (sum - part)) + (b - part);
    uint64_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    if (error == 0.0 || (bits & 1u) != 0) return sum;
    return std::nextafter(sum, error > 0.0 ? HUGE_VAL : -HUGE_VAL);
}

/// a * b + c rounded once, to the type of c.
template <typename D, typename S>
D fusedMultiplyAdd(S a, S b, D c) {
    if constexpr (std::is_same_v<D, float> && std::is_same_v<S, float>) {
        return std::fma(a, b, c);
    } else if constexpr (std::is_same_v<D, float>) {
        return widen(a) * widen(b) + c;
    } else {
        const double product = static_cast<double>(widen(a)) * static_cast<double>(widen(b));
        return toFloating<D>(oddSum(product, widen(c)), Rounding::nearestEven);
    }
}

/// a * b + c: the product is exact if it is of a wider type, rounded twice on chips that have no fused instruction.
template <bool fused, typename D, typename S>
D multiplyAdd(S a, S b, D c) {
    if constexpr (!isFloating<D>) {
        return AddOp{}(MulOp{}(a, b), c);
    } else if constexpr (fused || !std::is_same_v<D, S>) {
        return fusedMultiplyAdd(a, b, c);
    } else {
        return AddOp{}(MulOp{}(a, b), c);
    }
}

/// Each lane function gets the sources and then the destination's old value.
struct MulAddDstOp {
    template <typename S, typename D>
    D operator()(S a, S b, D old) const { return multiplyAdd<chip::registerBased>(a, b, old); }
};

struct FusedMulAddOp {
    template <typename T>
    T operator()(T a, T b, T old) const { return multiplyAdd<chip::registerBased>(a, old, b); }
};

struct FusedMulAddReluOp {
    template <typename T>
    T operator()(T a, T b, T old) const { return ReluOp{}(FusedMulAddOp{}(a, b, old)); }
};

/// dst = src * scalar + dst.
template <typename D, typename S>
auto axpyOp(S scalar) {
    constexpr bool fused = chip::registerBased && !std::is_same_v<D, bfloat16_t>;
    return [scalar](S a, D old) { return multiplyAdd<fused>(a, scalar, old); };
}

/// Convert to nearest, saturating; where single instructions convert, NaN becomes 0.
template <typename D, typename S>
D convertNearest(S value) {
    if constexpr (isFloating<D> && isFloating<S>) {
        if (!chip::registerBased && std::isnan(widen(value))) return narrow<D>(0.0f);
    }
    return castLane<D>(value, Rounding::nearestEven);
}

template <typename D>
struct AddReluCastOp {
    template <typename S>
    D operator()(S a, S b) const { return convertNearest<D>(AddReluOp{}(a, b)); }
};

template <typename D>
struct SubReluCastOp {
    template <typename S>
    D operator()(S a, S b) const { return convertNearest<D>(SubReluOp{}(a, b)); }
};

template <typename D>
struct MulCastOp {
    template <typename S>
    D operator()(S a, S b) const { return convertNearest<D>(MulOp{}(a, b)); }
};

/// Operands of two widths may not share bytes.
template <typename D, typename S>
inline constexpr Overlap widthOverlap = sizeof(D) == sizeof(S) ? Overlap::general : Overlap::forbidden;

}  // namespace emu

namespace AscendC {

// The three forms of a two-source API whose destination may have another type; with `updates` it is a source as well.
#define EMU_COMPOUND(Name, updates, ...)                                                                             \
    template <typename D, typename S>                                                                                \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1, int64_t count,      \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalCount<D, S, S>(#Name), #Name ": not in this chip's vector unit for these types");  \
        const auto shape = emu::Selection(#Name, site, emu::lanesFor<D, S>).counted(count);                          \
        emu::binaryCounted<updates>(#Name, site, __VA_ARGS__{}, shape, emu::widthOverlap<D, S>, dst, src0, src1);    \
    }                                                                                                                \
    template <typename D, typename S, bool isSetMask = true>                                                         \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1, uint64_t mask,      \
              int64_t repeatTime, const BinaryRepeatParams& params, Site site = Site::here()) {                      \
        static_assert(emu::isLegalFor<D, S, S>(#Name), #Name ": not in this chip's vector unit for these types");    \
        const emu::Selection lanes(#Name, site, emu::lanesFor<D, S>);                                                \
        emu::binary<updates>(#Name, site, __VA_ARGS__{}, lanes.continuous(mask, repeatTime, isSetMask),              \
                             emu::widthOverlap<D, S>, dst, src0, src1, params);                                      \
    }                                                                                                                \
    template <typename D, typename S, bool isSetMask = true>                                                         \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1,                     \
              const uint64_t mask[], int64_t repeatTime, const BinaryRepeatParams& params,                           \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalFor<D, S, S>(#Name), #Name ": not in this chip's vector unit for these types");    \
        const emu::Selection lanes(#Name, site, emu::lanesFor<D, S>);                                                \
        emu::binary<updates>(#Name, site, __VA_ARGS__{}, lanes.bitwise(mask, repeatTime, isSetMask),                 \
                             emu::widthOverlap<D, S>, dst, src0, src1, params);                                      \
    }

EMU_COMPOUND(MulAddDst, true, emu::MulAddDstOp)
EMU_COMPOUND(AddReluCast, false, emu::AddReluCastOp<D>)
EMU_COMPOUND(SubReluCast, false, emu::SubReluCastOp<D>)
EMU_COMPOUND(MulCast, false, emu::MulCastOp<D>)
#undef EMU_COMPOUND

// The three forms of a two-source API of one type whose destination is a source as well. `Row` names it in the table.
#define EMU_FUSED(Name, Row)                                                                                         \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, int64_t count,      \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalCount<T, T, T>(#Row), #Name ": not in this chip's vector unit for this type");     \
        const auto shape = emu::Selection(#Name, site, emu::lanesFor<T>).counted(count);                             \
        emu::binaryCounted<true>(#Name, site, emu::Row##Op{}, shape, emu::Overlap::general, dst, src0, src1);        \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,      \
              int64_t repeatTime, const BinaryRepeatParams& params, Site site = Site::here()) {                      \
        static_assert(emu::isLegalFor<T, T, T>(#Row), #Name ": not in this chip's vector unit for this type");       \
        const auto shape = emu::Selection(#Name, site, emu::lanesFor<T>).continuous(mask, repeatTime, isSetMask);    \
        emu::binary<true>(#Name, site, emu::Row##Op{}, shape, emu::Overlap::general, dst, src0, src1, params);       \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                     \
              const uint64_t mask[], int64_t repeatTime, const BinaryRepeatParams& params,                           \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalFor<T, T, T>(#Row), #Name ": not in this chip's vector unit for this type");       \
        const auto shape = emu::Selection(#Name, site, emu::lanesFor<T>).bitwise(mask, repeatTime, isSetMask);       \
        emu::binary<true>(#Name, site, emu::Row##Op{}, shape, emu::Overlap::general, dst, src0, src1, params);       \
    }

EMU_FUSED(FusedMulAdd, FusedMulAdd)
EMU_FUSED(FusedMulAddRelu, FusedMulAddRelu)
EMU_FUSED(MulAddRelu, FusedMulAddRelu)
#undef EMU_FUSED

template <typename D, typename S>
void Axpy(const LocalTensor<D>& dst, const LocalTensor<S>& src, const Same<S>& scalar, int64_t count,
          Site site = Site::here()) {
    static_assert(emu::isLegalCount<D, S>("Axpy"), "Axpy: not in this chip's vector unit for these types");
    const auto shape = emu::Selection("Axpy", site, emu::lanesFor<D, S>).counted(count);
    emu::unaryCounted<true>("Axpy", site, emu::axpyOp<D, S>(scalar), shape, dst, src, emu::widthOverlap<D, S>);
}

template <typename D, typename S, bool isSetMask = true>
void Axpy(const LocalTensor<D>& dst, const LocalTensor<S>& src, const Same<S>& scalar, uint64_t mask,
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<D, S>("Axpy"), "Axpy: not in this chip's vector unit for these types");
    const auto shape = emu::Selection("Axpy", site, emu::lanesFor<D, S>).continuous(mask, repeatTime, isSetMask);
    emu::unary<true>("Axpy", site, emu::axpyOp<D, S>(scalar), shape, dst, src, params, emu::widthOverlap<D, S>);
}

template <typename D, typename S, bool isSetMask = true>
void Axpy(const LocalTensor<D>& dst, const LocalTensor<S>& src, const Same<S>& scalar, const uint64_t mask[],
          int64_t repeatTime, const UnaryRepeatParams& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<D, S>("Axpy"), "Axpy: not in this chip's vector unit for these types");
    const auto shape = emu::Selection("Axpy", site, emu::lanesFor<D, S>).bitwise(mask, repeatTime, isSetMask);
    emu::unary<true>("Axpy", site, emu::axpyOp<D, S>(scalar), shape, dst, src, params, emu::widthOverlap<D, S>);
}

}  // namespace AscendC
