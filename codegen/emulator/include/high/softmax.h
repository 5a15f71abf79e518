// Softmax of rows: SoftMax, SimpleSoftMax, LogSoftMax.
#pragma once

#include "high/softmax_params.h"

namespace emu {

/// A call that turns the rows of a source into rows of a destination of the same shape.
template <typename T>
struct SoftmaxCall {
    const char* api;
    Site site;
    SoftmaxRows rows;
    LocalTensor<T> dst;
    LocalTensor<T> src;
    Scratch tmp;
    bool reusable = true;

    bool legal() const { return rows.legal(api, site, sizeof(T)); }

    /// The destination and the source; what pads the destination's rows becomes undefined.
    LibraryCall operands() const {
        LibraryCall call(api, site);
        const bool same = reusable && together(dst, src);
        call.rows("dst", dst, rows.original, Use::write).rows("src", src, rows.original, Use::read, same);
        call.pads("dst", dst, rows.original);
        if (rows.original.count < rows.padded.count) {
            const auto first = static_cast<uint32_t>(rows.original.count * rows.padded.pitch);
            const uint64_t more = rows.padded.count - rows.original.count;
            call.rows("dst", dst[first], Rows{more, rows.padded.pitch, rows.padded.pitch}, Use::clobber, true);
        }
        return call.scratch(tmp);
    }

    double at(uint64_t row, uint64_t column) const {
        return Elements<T>(src).number(row * rows.original.pitch + column);
    }
    void put(uint64_t row, uint64_t column, double value) const {
        Elements<T>(dst).round(row * rows.original.pitch + column, value);
    }

    double maximum(uint64_t row) const {
        double best = -HUGE_VAL;
        for (uint64_t k = 0; k < rows.original.used; k++) best = beats<true>(at(row, k), best) ? at(row, k) : best;
        return best;
    }
    double sumOfExp(uint64_t row, double largest) const {
        double sum = 0;
        for (uint64_t k = 0; k < rows.original.used; k++) sum += std::exp(at(row, k) - largest);
        return sum;
    }
    template <typename Function>
    void each(uint64_t row, const Function& function) const {
        for (uint64_t k = 0; k < rows.original.used; k++) put(row, k, function(at(row, k)));
    }
};

/// SoftMax with the sum and the maximum of each row, in a type of their own.
template <typename T, typename S>
void softMax(const SoftmaxCall<T>& call, const RowValues<S>& sum, const RowValues<S>& max, bool logarithm) {
    if (!call.legal()) return;
    const uint64_t count = call.rows.original.count;
    LibraryCall operands = call.operands();
    operands.rows("sum", sum.tensor, sum.rows(count), Use::write).rows("max", max.tensor, max.rows(count), Use::write);
    operands.run([=] {
        for (uint64_t r = 0; r < count; r++) {
            const double largest = call.maximum(r);
            const double total = call.sumOfExp(r, largest);
            call.each(r, [&](double x) {
                const double share = std::exp(x - largest) / total;
                return logarithm ? std::log10(share) : share;
            });
            sum.put(r, total);
            max.put(r, largest);
        }
    });
}

template <typename T, typename S>
void softMaxShares(const SoftmaxCall<T>& call, const RowValues<S>& sum, const RowValues<S>& max) {
    softMax(call, sum, max, false);
}

/// SoftMax alone.
template <typename T>
void softMaxAlone(const SoftmaxCall<T>& call) {
    if (!call.legal()) return;
    call.operands().run([=] {
        for (uint64_t r = 0; r < call.rows.original.count; r++) {
            const double largest = call.maximum(r);
            const double total = call.sumOfExp(r, largest);
            call.each(r, [&](double x) { return std::exp(x - largest) / total; });
        }
    });
}

/// SoftMax with sums and maxima that are known.
template <typename T, typename S>
void simpleSoftMax(const SoftmaxCall<T>& call, const RowValues<S>& sum, const RowValues<S>& max) {
    if (!call.legal()) return;
    const uint64_t count = call.rows.original.count;
    LibraryCall operands = call.operands();
    operands.rows("inSum", sum.tensor, sum.rows(count), Use::read).rows("inMax", max.tensor, max.rows(count), Use::read);
    operands.run([=] {
        for (uint64_t r = 0; r < count; r++) {
            const double largest = max.get(r);
            const double total = sum.get(r);
            call.each(r, [&](double x) { return std::exp(x - largest) / total; });
        }
    });
}

}  // namespace emu

#define EMU_SOFTMAX_ND(Name, isNz) static_assert(!(isNz), #Name ": rows in NZ layout are not modelled")
#define EMU_SOFTMAX_CALL(Name, tmp) \
    emu::SoftmaxCall<D>{#Name, site, emu::SoftmaxRows::of(tiling, shape, config), dst, src, tmp}

namespace AscendC {

// Temporary memory, or none.
#define EMU_SOFTMAX(Name, function, tmpParameter, tmp)                                                               \
    template <typename T = void, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, \
              const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename D, typename S>                             \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& sum, const LocalTensor<S>& max,                       \
              const LocalTensor<D>& src, tmpParameter const tiling::SoftMaxTiling& tiling,                           \
              const SoftMaxShapeInfo& shape = {}, Site site = Site::here()) {                                        \
        EMU_SOFTMAX_ND(Name, isDataFormatNZ);                                                                        \
        EMU_LIBRARY_DTYPE(Name, D, S);                                                                               \
        emu::function(EMU_SOFTMAX_CALL(Name, tmp), emu::RowValues<S>(sum, config), emu::RowValues<S>(max, config));  \
    }
#define EMU_SOFTMAX_ALONE(tmpParameter, tmp)                                                                         \
    template <typename T = void, bool isReuseSource = false, bool isBasicBlock = false,                              \
              const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename D>                                         \
    void SoftMax(const LocalTensor<D>& dst, const LocalTensor<D>& src, tmpParameter const tiling::SoftMaxTiling& tiling, \
                 const SoftMaxShapeInfo& shape = {}, Site site = Site::here()) {                                     \
        EMU_LIBRARY_DTYPE(SoftMax, D, D);                                                                            \
        emu::softMaxAlone(EMU_SOFTMAX_CALL(SoftMax, tmp));                                                           \
    }
#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,

EMU_SOFTMAX(SoftMax, softMaxShares, , nullptr)
EMU_SOFTMAX(SoftMax, softMaxShares, EMU_TMP, &sharedTmpBuffer)
EMU_SOFTMAX(SimpleSoftMax, simpleSoftMax, , nullptr)
EMU_SOFTMAX(SimpleSoftMax, simpleSoftMax, EMU_TMP, &sharedTmpBuffer)
EMU_SOFTMAX_ALONE(, nullptr)
EMU_SOFTMAX_ALONE(EMU_TMP, &sharedTmpBuffer)
#undef EMU_SOFTMAX_ALONE
#undef EMU_SOFTMAX

/// The logarithm to base 10 of a softmax.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max,
                const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                const tiling::LogSoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}, Site site = Site::here()) {
    EMU_SOFTMAX_ND(LogSoftMax, isDataFormatNZ);
    EMU_LIBRARY_DTYPE(LogSoftMax, T, T);
    const emu::SoftmaxCall<T> call{"LogSoftMax", site, emu::SoftmaxRows::of(tiling, shape), dst, src,
                                   &sharedTmpBuffer, false};
    emu::softMax(call, emu::RowValues<T>(sum, SOFTMAX_DEFAULT_CFG), emu::RowValues<T>(max, SOFTMAX_DEFAULT_CFG), true);
}

}  // namespace AscendC
