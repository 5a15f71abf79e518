// Reductions of the high-level library: of rows (Sum, Mean), and of one dim of a matrix by a pattern.
#pragma once

#include "high/math.h"

namespace AscendC {

struct SumParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};
using MeanParams = SumParams;

/// Which dim of a matrix is reduced (R) and which stays (A).
namespace Pattern::Reduce {
struct AR { static constexpr bool rows = true; };
struct RA { static constexpr bool rows = false; };
}  // namespace Pattern::Reduce

}  // namespace AscendC

namespace emu {

/// Issue one result a row, from the tree of its values; `finish` makes it from their sum.
template <typename T, typename Sum, typename Finish>
void rowSums(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, Scratch tmp,
             const AscendC::SumParams& params, const Finish& finish) {
    const bool blocks = params.inner * sizeof(T) % chip::blockBytes == 0;
    const bool inside = params.n >= 1 && params.n <= params.inner;
    if (!legalShape(api, site, blocks, "inner is not a multiple of 32 bytes") ||
        !legalShape(api, site, inside, "n is outside of 1..inner")) {
        return;
    }
    LibraryCall call(api, site);
    call.writes("dst", dst, params.outter).rows("src", src, Rows{params.outter, params.n, params.inner}, Use::read);
    call.scratch(tmp).run([=] {
        for (uint64_t r = 0; r < params.outter; r++) {
            std::vector<Sum> row;
            for (uint64_t k = 0; k < params.n; k++) {
                row.push_back(rounded<Sum>(Elements<T>(src).number(r * params.inner + k)));
            }
            Elements<T>(dst).put(r, finish(treeOfTrees(std::move(row))));
        }
    });
}

/// A matrix of which one dim is reduced, as the call gives it; its rows are padded to blocks.
template <typename T>
struct PatternRows {
    uint64_t rows;
    uint64_t columns;
    uint64_t pitch;

    explicit PatternRows(const uint32_t* shape)
        : rows(shape[0]), columns(shape[1]), pitch(roundToBlock(columns * sizeof(T)) / sizeof(T)) {}
};

/// Issue a reduction: fold(values) makes the result of one row or column.
template <typename T, typename Pattern, typename Fold>
void patternReduction(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, Scratch tmp,
                      const uint32_t* shape, bool innerPad, const Fold& fold) {
    const PatternRows<T> matrix(shape);
    if (!legalShape(api, site, innerPad || chip::registerBased, "srcInnerPad has to be true on this chip")) return;
    const uint64_t results = Pattern::rows ? matrix.rows : matrix.columns;
    const uint64_t length = Pattern::rows ? matrix.columns : matrix.rows;
    LibraryCall call(api, site);
    call.writes("dst", dst, results).rows("src", src, Rows{matrix.rows, matrix.columns, matrix.pitch}, Use::read);
    call.scratch(tmp).run([=] {
        for (uint64_t i = 0; i < results; i++) {
            std::vector<T> values;
            for (uint64_t k = 0; k < length; k++) {
                values.push_back(Elements<T>(src).get(Pattern::rows ? i * matrix.pitch + k : k * matrix.pitch + i));
            }
            Elements<T>(dst).put(i, fold(values));
        }
    });
}

/// Sums and products of floats in double, rounded once; integers wrap.
struct SumFold {
    template <typename T>
    T operator()(const std::vector<T>& values) const {
        if constexpr (isFloating<T>) {
            double sum = 0;
            for (T value : values) sum += wide(value);
            return rounded<T>(sum);
        } else {
            T sum{};
            for (T value : values) sum = AddOp{}(sum, value);
            return sum;
        }
    }
};
struct MeanFold {
    template <typename T>
    T operator()(const std::vector<T>& values) const {
        double sum = 0;
        for (T value : values) sum += wide(value);
        return rounded<T>(sum / static_cast<double>(values.size()));
    }
};
struct ProdFold {
    template <typename T>
    T operator()(const std::vector<T>& values) const {
        double product = 1;
        for (T value : values) product *= wide(value);
        return rounded<T>(product);
    }
};
template <bool larger>
struct ExtremeFold {
    template <typename T>
    T operator()(const std::vector<T>& values) const {
        T best = values.front();
        for (T value : values) best = extreme<larger>(best, value);
        return best;
    }
};
/// Operands are 0 or 1: all of them, or any.
using AllFold = ExtremeFold<false>;
using AnyFold = ExtremeFold<true>;

}  // namespace emu

namespace AscendC {

/// The sum of each row.
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
         const SumParams& params, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Sum, T, T);
    emu::rowSums<T, T>("Sum", site, dst, src, &sharedTmpBuffer, params, [](T sum) { return sum; });
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const SumParams& params, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Sum, T, T);
    emu::rowSums<T, T>("Sum", site, dst, src, nullptr, params, [](T sum) { return sum; });
}

/// The mean of each row: the sum in accType over n.
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
          const MeanParams& params, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Mean, T, T);
    const auto over = [n = params.n](accType sum) { return emu::rounded<T>(emu::wide(sum) / n); };
    emu::rowSums<T, accType>("Mean", site, dst, src, &sharedTmpBuffer, params, over);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dst, const LocalTensor<T>& src, const MeanParams& params, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Mean, T, T);
    const auto over = [n = params.n](accType sum) { return emu::rounded<T>(emu::wide(sum) / n); };
    emu::rowSums<T, accType>("Mean", site, dst, src, nullptr, params, over);
}

#define EMU_PATTERN_REDUCTION(Name, Fold)                                                                            \
    template <class T, class pattern, bool isReuseSource = false, bool isPattern = pattern::rows || true>            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              const uint32_t srcShape[], bool srcInnerPad, Site site = Site::here()) {                               \
        static_assert(emu::isLegalFor<T, T>(#Name, "pattern"), #Name ": the library has no such dtype on this chip"); \
        emu::patternReduction<T, pattern>(#Name, site, dst, src, &sharedTmpBuffer, srcShape, srcInnerPad,            \
                                          emu::Fold{});                                                              \
    }                                                                                                                \
    template <class T, class pattern, bool isReuseSource = false, bool isPattern = pattern::rows || true>            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t srcShape[], bool srcInnerPad,     \
              Site site = Site::here()) {                                                                            \
        static_assert(emu::isLegalFor<T, T>(#Name, "pattern"), #Name ": the library has no such dtype on this chip"); \
        emu::patternReduction<T, pattern>(#Name, site, dst, src, nullptr, srcShape, srcInnerPad, emu::Fold{});       \
    }

EMU_PATTERN_REDUCTION(ReduceSum, SumFold)
EMU_PATTERN_REDUCTION(ReduceMean, MeanFold)
EMU_PATTERN_REDUCTION(ReduceProd, ProdFold)
EMU_PATTERN_REDUCTION(ReduceMax, ExtremeFold<true>)
EMU_PATTERN_REDUCTION(ReduceMin, ExtremeFold<false>)
EMU_PATTERN_REDUCTION(ReduceAll, AllFold)
EMU_PATTERN_REDUCTION(ReduceAny, AnyFold)
#undef EMU_PATTERN_REDUCTION

/// The sum of a0 ^ b0, a1 ^ b1, ..., kept within 16 bits.
template <typename T, bool isReuseSource = false>
void ReduceXorSum(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                  const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(ReduceXorSum, T, T, T);
    emu::LibraryCall call("ReduceXorSum", site);
    call.writes("dst", dst, 1).reads("src0", src0, calCount).reads("src1", src1, calCount);
    call.scratch(&sharedTmpBuffer).run([=] {
        int64_t sum = 0;
        for (uint64_t i = 0; i < calCount; i++) {
            sum += static_cast<T>(emu::Elements<T>(src0).get(i) ^ emu::Elements<T>(src1).get(i));
        }
        const auto low = int64_t{std::numeric_limits<T>::min()};
        emu::Elements<T>(dst).put(0, static_cast<T>(std::clamp(sum, low, int64_t{std::numeric_limits<T>::max()})));
    });
}

}  // namespace AscendC
