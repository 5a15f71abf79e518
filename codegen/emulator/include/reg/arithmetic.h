// Arithmetic, logic and shifts of vector registers.
#pragma once

#include "reg/lanes.h"
#include "reg/units.h"

namespace AscendC::Reg {

/// Algorithms of the functions that have more than one.
enum class ExpAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LnAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LogAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class SqrtAlgo {
    INTRINSIC, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE
};
enum class DivAlgo {
    INTRINSIC, DIFF_COMPENSATION, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE,
    PRECISION_1ULP_FTZ_FALSE
};

struct ExpSpecificMode { MaskMergeMode mrgMode; ExpAlgo algo; };
struct LnSpecificMode { MaskMergeMode mrgMode; LnAlgo algo; };
struct LogSpecificMode { MaskMergeMode mrgMode; LogAlgo algo; };
struct SqrtSpecificMode { MaskMergeMode mrgMode; bool precisionMode; SqrtAlgo algo; };
struct DivSpecificMode { MaskMergeMode mrgMode; bool precisionMode; DivAlgo algo; };

}  // namespace AscendC::Reg

namespace emu::reg {

using AscendC::Reg::DivAlgo;
using AscendC::Reg::SqrtAlgo;

/// Whether a function flushes subnormals, by its template argument: a merge mode or the address of a structure.
template <typename Mode>
constexpr bool flushes(Mode mode) {
    if constexpr (std::is_same_v<Mode, MaskMergeMode>) {
        return true;
    } else {
        using Structure = std::remove_cv_t<std::remove_pointer_t<Mode>>;
        using Algo = decltype(mode->algo);
        if constexpr (std::is_same_v<Structure, AscendC::Reg::SqrtSpecificMode>) {
            if (mode->precisionMode || mode->algo == SqrtAlgo::PRECISION_0ULP_FTZ_FALSE) return false;
        }
        if constexpr (std::is_same_v<Structure, AscendC::Reg::DivSpecificMode>) {
            if (mode->precisionMode || mode->algo == DivAlgo::PRECISION_0ULP_FTZ_FALSE) return false;
        }
        return mode->algo != Algo::PRECISION_1ULP_FTZ_FALSE;
    }
}

template <typename Mode>
constexpr bool zeroes(Mode mode) {
    if constexpr (std::is_same_v<Mode, MaskMergeMode>) {
        return mode != MaskMergeMode::MERGING;
    } else {
        return mode->mrgMode != MaskMergeMode::MERGING;
    }
}

/// A lane function with its scalar operand bound.
template <typename Op, typename T>
auto bindScalar(const Op& op, T scalar) {
    return [op, scalar](T x) { return op(x, scalar); };
}

}  // namespace emu::reg

#define EMU_REG_TYPES(Name, ...)                                                                                     \
    static_assert(emu::isLegalReg<__VA_ARGS__>(#Name), #Name ": the register level does not have it for these types")
#define EMU_REG_NAMES(Name, T, U)                                                                                    \
    static_assert(emu::reg::namesElement<T, U>, #Name ": T is not the element type of the registers")
#define EMU_REG_ZEROES(Name, mode) static_assert(emu::reg::zeroes(mode), #Name ": the register level cannot merge here")

namespace AscendC::Reg {

// Two registers. `merges` says whether the inactive lanes may be kept.
#define EMU_REG_BINARY(Name, merges, ...)                                                                            \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                     \
    void Name(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Name, E, E, E);                                                                                \
        static_assert(merges || emu::reg::zeroes(mode), #Name ": the register level cannot merge here");             \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, __VA_ARGS__{}, mode, dstReg, mask, srcReg0, srcReg1);        \
    }
EMU_REG_BINARY(Add, true, emu::AddOp)
EMU_REG_BINARY(Sub, false, emu::SubOp)
EMU_REG_BINARY(Mul, false, emu::MulOp)
EMU_REG_BINARY(Max, true, emu::MaxOp)
EMU_REG_BINARY(Min, true, emu::MinOp)
EMU_REG_BINARY(And, false, emu::AndOp)
EMU_REG_BINARY(Or, false, emu::OrOp)
EMU_REG_BINARY(Xor, false, emu::reg::XorUnit)
EMU_REG_BINARY(Prelu, false, emu::reg::LeakyOp)
#undef EMU_REG_BINARY

template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
void Div(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<U>;
    EMU_REG_NAMES(Div, T, U);
    EMU_REG_TYPES(Div, E, E, E);
    EMU_REG_ZEROES(Div, mode);
    emu::reg::lanewise(emu::reg::Call{"Div", site}, emu::reg::DivUnit<emu::reg::flushes(mode)>{},
                       MaskMergeMode::ZEROING, dstReg, mask, srcReg0, srcReg1);
}

// One register.
#define EMU_REG_UNARY(Name, ...)                                                                                     \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                     \
    void Name(U& dstReg, U& srcReg, MaskReg& mask, Site site = Site::here()) {                                       \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Name, E, E);                                                                                   \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, __VA_ARGS__{}, mode, dstReg, mask, srcReg);                  \
    }
EMU_REG_UNARY(Abs, emu::reg::AbsUnit)
EMU_REG_UNARY(Neg, emu::reg::NegOp)
EMU_REG_UNARY(Relu, emu::ReluOp)
EMU_REG_UNARY(Not, emu::reg::NotUnit)
#undef EMU_REG_UNARY

// One register, with a choice of algorithms.
#define EMU_REG_FUNCTION(Name, Unit)                                                                                 \
    template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>                              \
    void Name(U& dstReg, U& srcReg, MaskReg& mask, Site site = Site::here()) {                                       \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Name, E, E);                                                                                   \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, emu::reg::Unit<emu::reg::flushes(mode)>{},                   \
                           MaskMergeMode::ZEROING, dstReg, mask, srcReg);                                            \
    }
EMU_REG_FUNCTION(Exp, ExpUnit)
EMU_REG_FUNCTION(Ln, LnUnit)
EMU_REG_FUNCTION(Log, LnUnit)
EMU_REG_FUNCTION(Log2, Log2Unit)
EMU_REG_FUNCTION(Log10, Log10Unit)
EMU_REG_FUNCTION(Sqrt, SqrtUnit)
#undef EMU_REG_FUNCTION

// A register and a scalar.
#define EMU_REG_SCALAR(Name, ...)                                                                                    \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>         \
    void Name(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask, Site site = Site::here()) {                        \
        using E = emu::reg::Element<S>;                                                                              \
        EMU_REG_NAMES(Name, T, S);                                                                                   \
        EMU_REG_TYPES(Name, E, E);                                                                                   \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        const auto lane = emu::reg::bindScalar(__VA_ARGS__{}, emu::reg::scalarOf<E>(scalarValue));                   \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, lane, mode, dstReg, mask, srcReg);                           \
    }
EMU_REG_SCALAR(Adds, emu::AddOp)
EMU_REG_SCALAR(Muls, emu::MulOp)
EMU_REG_SCALAR(Maxs, emu::MaxOp)
EMU_REG_SCALAR(Mins, emu::MinOp)
EMU_REG_SCALAR(LeakyRelu, emu::reg::LeakyOp)
#undef EMU_REG_SCALAR

// Shifts by a register of signed amounts, or by a scalar.
#define EMU_REG_SHIFT(Name, left)                                                                                    \
    template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,       \
              typename S, typename V>                                                                                \
    void Name(S& dstReg, S& srcReg0, V& srcReg1, MaskReg& mask, Site site = Site::here()) {                          \
        using E = emu::reg::Element<S>;                                                                              \
        using A = emu::reg::Element<V>;                                                                              \
        EMU_REG_TYPES(Name, E, E);                                                                                   \
        static_assert(std::is_same_v<A, std::make_signed_t<E>>, #Name ": amounts are signed and of the same width"); \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        emu::reg::lanewise(emu::reg::Call{#Name, site}, emu::reg::ShiftUnit<left>{}, mode, dstReg, mask, srcReg0,    \
                           srcReg1);                                                                                 \
    }                                                                                                                \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>         \
    void Name##s(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask, Site site = Site::here()) {                     \
        using E = emu::reg::Element<S>;                                                                              \
        EMU_REG_TYPES(Name, E, E);                                                                                   \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        const auto amount = static_cast<int16_t>(scalarValue);                                                       \
        const auto lane = [amount](E x) { return emu::reg::ShiftUnit<left>{}(x, amount); };                          \
        emu::reg::lanewise(emu::reg::Call{#Name "s", site}, lane, mode, dstReg, mask, srcReg);                       \
    }
EMU_REG_SHIFT(ShiftLeft, true)
EMU_REG_SHIFT(ShiftRight, false)
#undef EMU_REG_SHIFT

}  // namespace AscendC::Reg
