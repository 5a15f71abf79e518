// Elementwise functions of the newest generation: tests of floats, logic of numbers and bits, choices.
#pragma once

#include "high/power.h"

namespace AscendC {

/// Whether sources may be used as temporary memory: the model has its own.
struct ReuseConfig {
    bool isReuseSource = false;
};
/// The same, and which element of a tensor stands for a scalar.
struct ScalarConfig {
    bool isReuseSource = false;
    int8_t scalarTensorIndex = 1;
};

#define EMU_CONFIG(Type, Base, standard) \
    using Type = Base;                   \
    inline constexpr Type standard{};
EMU_CONFIG(IsNanConfig, ReuseConfig, DEFAULT_IS_NAN_CONFIG)
EMU_CONFIG(IsInfConfig, ReuseConfig, DEFAULT_IS_INF_CONFIG)
EMU_CONFIG(RintConfig, ReuseConfig, DEFAULT_RINT_CONFIG)
EMU_CONFIG(FmaConfig, ReuseConfig, DEFAULT_FMA_CONFIG)
EMU_CONFIG(SinCosConfig, ReuseConfig, DEFAULT_SINCOS_CONFIG)
EMU_CONFIG(ClampConfig, ReuseConfig, DEFAULT_CLAMP_CONFIG)
EMU_CONFIG(LogicalNotConfig, ReuseConfig, DEFAULT_LOGICAL_NOT_CONFIG)
EMU_CONFIG(LogicalAndConfig, ReuseConfig, DEFAULT_LOGICAL_AND_CONFIG)
EMU_CONFIG(LogicalOrConfig, ReuseConfig, DEFAULT_LOGICAL_OR_CONFIG)
EMU_CONFIG(LogicalXorConfig, ReuseConfig, DEFAULT_LOGICAL_XOR_CONFIG)
EMU_CONFIG(LogicalAndsConfig, ScalarConfig, DEFAULT_LOGICAL_ANDS_CONFIG)
EMU_CONFIG(LogicalOrsConfig, ScalarConfig, DEFAULT_LOGICAL_ORS_CONFIG)
EMU_CONFIG(BitwiseNotConfig, ReuseConfig, DEFAULT_BITWISE_NOT_CONFIG)
EMU_CONFIG(BitwiseAndConfig, ReuseConfig, DEFAULT_BITWISE_AND_CONFIG)
EMU_CONFIG(BitwiseOrConfig, ReuseConfig, DEFAULT_BITWISE_OR_CONFIG)
EMU_CONFIG(BitwiseXorConfig, ReuseConfig, DEFAULT_BITWISE_XOR_CONFIG)
#undef EMU_CONFIG

}  // namespace AscendC

namespace emu {

template <typename T>
bool truth(T value) {
    return wide(value) != 0;
}

/// 1 or true where a test holds, 0 or false elsewhere.
template <typename D>
D verdict(bool holds) {
    if constexpr (std::is_same_v<D, bool>) return holds;
    else return rounded<D>(holds ? 1 : 0);
}

/// An operand that is a tensor or a number.
template <typename T>
T operandAt(const LocalTensor<T>& tensor, uint64_t index) {
    return Elements<T>(tensor).get(index);
}
template <typename T>
T operandAt(const T& value, uint64_t) {
    return value;
}
template <typename T>
void readOperand(LibraryCall& call, const char* name, const LocalTensor<T>& tensor, uint64_t count) {
    call.reads(name, tensor, count);
}
template <typename T>
void readOperand(LibraryCall&, const char*, const T&, uint64_t) {}
template <typename T>
struct ElementType { using type = T; };
template <typename T>
struct ElementType<LocalTensor<T>> { using type = T; };

/// Issue dst[i] = op(a_i, b_i) of tensors or numbers.
template <typename D, typename A, typename B, typename Op>
void mixedLanes(const char* api, Site site, const LocalTensor<D>& dst, const A& a, const B& b, uint64_t count,
                const Op& op) {
    LibraryCall call(api, site);
    call.writes("dst", dst, count);
    readOperand(call, "src0", a, count);
    readOperand(call, "src1", b, count);
    call.run([=] {
        for (uint64_t i = 0; i < count; i++) Elements<D>(dst).put(i, op(operandAt(a, i), operandAt(b, i)));
    });
}

}  // namespace emu

namespace AscendC {

/// Whether a float is neither NaN nor infinite.
template <typename T, typename U>
void IsFinite(const LocalTensor<U>& dst, const LocalTensor<T>& src, uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(IsFinite, U, T);
    const auto op = [](T x) { return emu::verdict<U>(std::isfinite(emu::wide(x))); };
    emu::libraryLanes("IsFinite", site, op, calCount, nullptr, false, dst, src);
}

// Tests and functions with a setting first, with temporary memory or without.
#define EMU_CONFIGURED(Name, standard, U, D, count, op)                                                              \
    template <const auto& config = standard, typename D, typename U>                                                 \
    void Name(const LocalTensor<D>& dst, const LocalTensor<U>& src, const uint32_t count,                            \
              Site site = Site::here()) {                                                                            \
        EMU_LIBRARY_DTYPE(Name, D, U);                                                                               \
        emu::libraryLanes(#Name, site, op, count, nullptr, false, dst, src);                                         \
    }                                                                                                                \
    template <const auto& config = standard, typename D, typename U>                                                 \
    void Name(const LocalTensor<D>& dst, const LocalTensor<U>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              const uint32_t count, Site site = Site::here()) {                                                      \
        EMU_LIBRARY_DTYPE(Name, D, U);                                                                               \
        emu::libraryLanes(#Name, site, op, count, &sharedTmpBuffer, false, dst, src);                                \
    }

EMU_CONFIGURED(IsNan, DEFAULT_IS_NAN_CONFIG, U, D, count, [](U x) { return emu::verdict<D>(std::isnan(emu::wide(x))); })
EMU_CONFIGURED(IsInf, DEFAULT_IS_INF_CONFIG, U, D, count, [](U x) { return emu::verdict<D>(std::isinf(emu::wide(x))); })
EMU_CONFIGURED(Rint, DEFAULT_RINT_CONFIG, U, D, count, emu::RintLane{})
EMU_CONFIGURED(LogicalNot, DEFAULT_LOGICAL_NOT_CONFIG, U, D, count, [](U x) { return emu::verdict<D>(!emu::truth(x)); })
EMU_CONFIGURED(BitwiseNot, DEFAULT_BITWISE_NOT_CONFIG, U, D, count, [](U x) { return static_cast<U>(~x); })
#undef EMU_CONFIGURED

#define EMU_PAIRS(Name, standard, op)                                                                                \
    template <const auto& config = standard, typename T, typename U>                                                 \
    void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,                     \
              const uint32_t count, Site site = Site::here()) {                                                      \
        EMU_LIBRARY_DTYPE(Name, T, U, U);                                                                            \
        emu::libraryLanes(#Name, site, [](U a, U b) { return static_cast<T>(op); }, count, nullptr, false, dst,      \
                          src0, src1);                                                                               \
    }

EMU_PAIRS(LogicalAnd, DEFAULT_LOGICAL_AND_CONFIG, emu::truth(a) && emu::truth(b))
EMU_PAIRS(LogicalOr, DEFAULT_LOGICAL_OR_CONFIG, emu::truth(a) || emu::truth(b))
EMU_PAIRS(LogicalXor, DEFAULT_LOGICAL_XOR_CONFIG, emu::truth(a) != emu::truth(b))
EMU_PAIRS(BitwiseAnd, DEFAULT_BITWISE_AND_CONFIG, a & b)
EMU_PAIRS(BitwiseOr, DEFAULT_BITWISE_OR_CONFIG, a | b)
EMU_PAIRS(BitwiseXor, DEFAULT_BITWISE_XOR_CONFIG, a ^ b)
#undef EMU_PAIRS

// One operand may be a number.
#define EMU_WITH_SCALAR(Name, standard, op)                                                                          \
    template <const auto& config = standard, typename T, typename U, typename S>                                     \
    void Name(const LocalTensor<T>& dst, const U& src0, const S& src1, const uint32_t count,                         \
              Site site = Site::here()) {                                                                            \
        using First = typename emu::ElementType<U>::type;                                                            \
        EMU_LIBRARY_DTYPE(Name, T, First, typename emu::ElementType<S>::type);                                       \
        static_assert(std::is_same_v<First, U> != std::is_same_v<typename emu::ElementType<S>::type, S>,             \
                      #Name ": one operand is a tensor and one a number");                                           \
        emu::mixedLanes(#Name, site, dst, src0, src1, count, [](auto a, auto b) { return static_cast<T>(op); });     \
    }

EMU_WITH_SCALAR(LogicalAnds, DEFAULT_LOGICAL_ANDS_CONFIG, emu::truth(a) && emu::truth(b))
EMU_WITH_SCALAR(LogicalOrs, DEFAULT_LOGICAL_ORS_CONFIG, emu::truth(a) || emu::truth(b))
#undef EMU_WITH_SCALAR

/// src0 where the condition holds, src1 elsewhere; each a tensor or a number.
template <typename T, typename U, typename S, typename V>
void Where(const LocalTensor<T>& dst, const U& src0, const S& src1, const LocalTensor<V>& condition,
           const uint32_t count, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Where, T, T, V);
    emu::LibraryCall call("Where", site);
    call.writes("dst", dst, count).reads("condition", condition, count);
    emu::readOperand(call, "src0", src0, count);
    emu::readOperand(call, "src1", src1, count);
    call.run([=] {
        for (uint64_t i = 0; i < count; i++) {
            const bool first = emu::Elements<V>(condition).get(i) != V{};
            emu::Elements<T>(dst).put(i, first ? T(emu::operandAt(src0, i)) : T(emu::operandAt(src1, i)));
        }
    });
}

/// Limits that are tensors or numbers.
template <const ClampConfig& config = DEFAULT_CLAMP_CONFIG, typename T, typename U, typename S>
void Clamp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& min, const S& max, const uint32_t count,
           Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Clamp, T, T);
    emu::LibraryCall call("Clamp", site);
    call.writes("dst", dst, count).reads("src", src, count);
    emu::readOperand(call, "min", min, count);
    emu::readOperand(call, "max", max, count);
    call.run([=] {
        for (uint64_t i = 0; i < count; i++) {
            const T low = emu::MaxOp{}(emu::Elements<T>(src).get(i), T(emu::operandAt(min, i)));
            emu::Elements<T>(dst).put(i, emu::MinOp{}(low, T(emu::operandAt(max, i))));
        }
    });
}

// src0 * src1 + src2, and sines with cosines: one rounding each.
#define EMU_THREE(tmpParameter, tmp)                                                                                 \
    template <const FmaConfig& config = DEFAULT_FMA_CONFIG, typename T>                                              \
    void Fma(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                      \
             const LocalTensor<T>& src2, tmpParameter const uint32_t count, Site site = Site::here()) {              \
        EMU_LIBRARY_DTYPE(Fma, T, T, T);                                                                             \
        const auto op = [](T a, T b, T c) {                                                                          \
            return emu::narrow<T>(std::fma(emu::widen(a), emu::widen(b), emu::widen(c)));                            \
        };                                                                                                           \
        emu::libraryLanes("Fma", site, op, count, tmp, false, dst, src0, src1, src2);                                \
    }                                                                                                                \
    template <const SinCosConfig& config = DEFAULT_SINCOS_CONFIG, typename T>                                        \
    void SinCos(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src,                   \
                tmpParameter const uint32_t count, Site site = Site::here()) {                                       \
        EMU_LIBRARY_DTYPE(SinCos, T, T);                                                                             \
        emu::libraryLanes("SinCos", site, emu::SinLane{}, count, nullptr, false, dst0, src);                         \
        emu::libraryLanes("SinCos", site, emu::CosLane{}, count, tmp, false, dst1, src);                             \
    }
#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,

EMU_THREE(, nullptr)
EMU_THREE(EMU_TMP, &sharedTmpBuffer)
#undef EMU_TMP
#undef EMU_THREE

}  // namespace AscendC
