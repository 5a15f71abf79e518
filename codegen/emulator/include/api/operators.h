// Whole-tensor operators: `dst = a + b` and comparisons; the number of elements is that of a tensor.
#pragma once

#include "api/compare.h"
#include "api/elementwise.h"

namespace emu {

/// How many counted elements stand for one of the tensor.
template <typename Op, typename T>
constexpr int64_t operatorUnits() {
    return Op::bitwise && sizeof(T) == 4 && !chip::registerBased ? 2 : 1;
}

}  // namespace emu

namespace AscendC {

// An operator returns a call that the assignment to the destination makes. And, Or count in lanes of 16 bits where the
// chip has no others: the operator counts for the caller.
#define EMU_OPERATOR(symbol, Name)                                                                                   \
    template <typename T>                                                                                            \
    auto operator symbol(const LocalTensor<T>& src0, const LocalTensor<T>& src1) {                                   \
        return emu::TensorExpression{[src0, src1](const auto& dst, Site site) {                                      \
            Name(dst, src0, src1, int64_t{dst.GetSize()} * emu::operatorUnits<emu::Name##Op, T>(), site);            \
        }};                                                                                                          \
    }

EMU_OPERATOR(+, Add)
EMU_OPERATOR(-, Sub)
EMU_OPERATOR(*, Mul)
EMU_OPERATOR(/, Div)
EMU_OPERATOR(&, And)
EMU_OPERATOR(|, Or)
#undef EMU_OPERATOR

#define EMU_COMPARISON(symbol, mode)                                                                                 \
    template <typename T>                                                                                            \
    auto operator symbol(const LocalTensor<T>& src0, const LocalTensor<T>& src1) {                                   \
        static_assert(emu::chip::registerBased || !std::is_same_v<T, int32_t>,                                       \
                      "operator " #symbol ": half and float only on this chip");                                     \
        return emu::TensorExpression{[src0, src1](const auto& dst, Site site) {                                      \
            Compare(dst, src0, src1, CMPMODE::mode, int64_t{src0.GetSize()}, site);                                  \
        }};                                                                                                          \
    }

EMU_COMPARISON(<, LT)
EMU_COMPARISON(>, GT)
EMU_COMPARISON(==, EQ)
EMU_COMPARISON(<=, LE)
EMU_COMPARISON(>=, GE)
EMU_COMPARISON(!=, NE)
#undef EMU_COMPARISON

}  // namespace AscendC
