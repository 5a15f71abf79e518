// Softmax in pieces of the row, its gradient, and its adjustment: SoftmaxFlash, SoftmaxFlashV2, SoftmaxGrad(Front),
// AdjustSoftMaxRes.
#pragma once

#include "high/softmax.h"

namespace emu {

/// What a piece of a row gives, and what the pieces before have given.
template <typename T, typename S>
struct FlashValues {
    RowValues<S> sum;
    RowValues<S> max;
    RowValues<T> factor;
    RowValues<S> inSum;
    RowValues<S> inMax;
    bool update;
};

/// One piece. With `divides` the result is divided by the sum so far, and the factor of the earlier pieces too.
template <typename T, typename S>
void softmaxFlash(const SoftmaxCall<T>& call, const FlashValues<T, S>& v, bool divides) {
    if (!call.legal()) return;
    const uint64_t count = call.rows.original.count;
    LibraryCall operands = call.operands();
    operands.rows("sum", v.sum.tensor, v.sum.rows(count), Use::write);
    operands.rows("max", v.max.tensor, v.max.rows(count), Use::write);
    if (v.update) {
        operands.rows("expMax", v.factor.tensor, v.factor.rows(count), Use::write);
        operands.rows("inSum", v.inSum.tensor, v.inSum.rows(count), Use::read);
        operands.rows("inMax", v.inMax.tensor, v.inMax.rows(count), Use::read);
    }
    operands.run([=] {
        for (uint64_t r = 0; r < count; r++) {
            const double own = call.maximum(r);
            const double before = v.update ? v.inMax.get(r) : own;
            const double largest = beats<true>(before, own) ? before : own;
            const double factor = v.update ? std::exp(before - largest) : 0;
            const double earlier = v.update ? factor * v.inSum.get(r) : 0;
            const double total = earlier + call.sumOfExp(r, largest);
            call.each(r, [&](double x) { return std::exp(x - largest) / (divides ? total : 1); });
            v.sum.put(r, total);
            v.max.put(r, largest);
            if (v.update) v.factor.put(r, divides ? earlier / total : factor);
        }
    });
}

/// The sum of the products of each row, and from it the gradient.
template <typename T>
void softmaxGrad(const SoftmaxCall<T>& call, const LocalTensor<T>& grad, bool front) {
    if (!call.legal()) return;
    const RowValues<T> sums(call.dst, AscendC::SOFTMAX_DEFAULT_CFG);
    const Rows rows = call.rows.original;
    LibraryCall operands(call.api, call.site);
    operands.rows("dst", call.dst, front ? sums.rows(rows.count) : rows, Use::write);
    operands.rows("grad", grad, rows, Use::read).rows("src", call.src, rows, Use::read, together(call.dst, call.src));
    if (!front) operands.pads("dst", call.dst, rows);
    operands.scratch(call.tmp).run([=] {
        const Elements<T> gradient(grad);
        for (uint64_t r = 0; r < rows.count; r++) {
            double sum = 0;
            for (uint64_t k = 0; k < rows.used; k++) sum += gradient.number(r * rows.pitch + k) * call.at(r, k);
            if (front) sums.put(r, sum);
            for (uint64_t k = 0; !front && k < rows.used; k++) {
                call.put(r, k, (gradient.number(r * rows.pitch + k) - sum) * call.at(r, k));
            }
        }
    });
}

/// Overwrite the rows whose maximum has the given bits; whether there is one.
template <typename T, typename S>
bool adjustSoftMax(Site site, const LocalTensor<T>& result, const LocalTensor<S>& max, uint32_t from, T to,
                   const SoftmaxRows& rows, uint64_t step) {
    Core* core = &Core::current();
    LibraryCall call("AdjustSoftMaxRes", site);
    call.rows("max", max, Rows{rows.padded.count, 1, step}, Use::read);
    call.rows("softMaxRes", result, rows.padded, Use::mayWrite, true);
    core->clocks.wait(PIPE_S, core->clocks.token(PIPE_V));
    bool found = false;
    const auto matches = [=](uint64_t row) {
        const S value = Elements<S>(max).get(row * step);
        UnsignedOf<sizeof(S)> bits;
        std::memcpy(&bits, &value, sizeof bits);
        return bits == static_cast<UnsignedOf<sizeof(S)>>(from);
    };
    call.run([=] {
        for (uint64_t r = 0; r < rows.padded.count; r++) {
            for (uint64_t k = 0; matches(r) && k < rows.padded.used; k++) {
                Elements<T>(result).put(r * rows.padded.pitch + k, to);
            }
        }
    });
    core->clocks.wait(PIPE_S, core->clocks.token(PIPE_V));
    LibraryCall look("AdjustSoftMaxRes", site);
    look.instruction().pipe = PIPE_S;
    look.rows("max", max, Rows{rows.padded.count, 1, step}, Use::read);
    core->issue(look.instruction(), [&] {
        for (uint64_t r = 0; r < rows.padded.count; r++) found = found || matches(r);
    });
    return found;
}

}  // namespace emu

namespace AscendC {

#define EMU_FLASH(Name, templateHead, update, divides, isNz, updateParameter, tmpParameter, tmp)                     \
    template <templateHead typename D, typename S>                                                                   \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& sum, const LocalTensor<S>& max,                       \
              const LocalTensor<D>& src, const LocalTensor<D>& expMax, const LocalTensor<S>& inSum,                  \
              const LocalTensor<S>& inMax, tmpParameter const tiling::SoftMaxTiling& tiling, updateParameter         \
              const SoftMaxShapeInfo& shape = {}, Site site = Site::here()) {                                        \
        EMU_SOFTMAX_ND(Name, isNz);                                                                                  \
        EMU_LIBRARY_DTYPE(Name, D, S);                                                                               \
        emu::softmaxFlash(EMU_SOFTMAX_CALL(Name, tmp),                                                               \
                          emu::FlashValues<D, S>{{sum, config}, {max, config}, {expMax, config}, {inSum, config},    \
                                                 {inMax, config}, update},                                           \
                          divides);                                                                                  \
    }
#define EMU_FLASH_HEAD                                                                                               \
    typename T = void, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,                 \
    bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
#define EMU_FLASH_V1_HEAD \
    typename T = void, bool isReuseSource = false, bool isBasicBlock = false, \
    const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
#define EMU_COMMA_ISUPDATE bool isUpdate = false,

EMU_FLASH(SoftmaxFlashV2, EMU_FLASH_HEAD, isUpdate, false, isDataFormatNZ, , , nullptr)
EMU_FLASH(SoftmaxFlashV2, EMU_FLASH_HEAD, isUpdate, false, isDataFormatNZ, , EMU_TMP, &sharedTmpBuffer)
EMU_FLASH(SoftmaxFlash, EMU_FLASH_V1_HEAD, isUpdate, true, false, EMU_COMMA_ISUPDATE, , nullptr)
EMU_FLASH(SoftmaxFlash, EMU_FLASH_V1_HEAD, isUpdate, true, false, EMU_COMMA_ISUPDATE, EMU_TMP, &sharedTmpBuffer)
#undef EMU_COMMA_ISUPDATE
#undef EMU_FLASH_V1_HEAD
#undef EMU_FLASH_HEAD
#undef EMU_FLASH

#define EMU_SOFTMAX_GRAD(tmpParameter, tmp)                                                                          \
    template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                                   \
    void SoftmaxGrad(const LocalTensor<T>& dst, const LocalTensor<T>& grad, const LocalTensor<T>& src,               \
                     tmpParameter const tiling::SoftMaxTiling& tiling, bool isFront = false,                         \
                     const SoftMaxShapeInfo& shape = {}, Site site = Site::here()) {                                 \
        EMU_SOFTMAX_ND(SoftmaxGrad, isDataFormatNZ);                                                                 \
        EMU_LIBRARY_DTYPE(SoftmaxGrad, T, T);                                                                        \
        const auto rows = emu::SoftmaxRows::of(tiling, shape);                                                       \
        emu::softmaxGrad(emu::SoftmaxCall<T>{"SoftmaxGrad", site, rows, dst, src, tmp}, grad, isFront);              \
    }                                                                                                                \
    template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                                    \
    void SoftmaxGradFront(const LocalTensor<T>& dst, const LocalTensor<T>& grad, const LocalTensor<T>& src,          \
                          tmpParameter const tiling::SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {},      \
                          Site site = Site::here()) {                                                                \
        EMU_SOFTMAX_ND(SoftmaxGradFront, isDataFormatNZ);                                                            \
        EMU_LIBRARY_DTYPE(SoftmaxGradFront, T, T);                                                                   \
        const auto rows = emu::SoftmaxRows::of(tiling, shape);                                                       \
        emu::softmaxGrad(emu::SoftmaxCall<T>{"SoftmaxGradFront", site, rows, dst, src, tmp}, grad, true);            \
    }

EMU_SOFTMAX_GRAD(, nullptr)
EMU_SOFTMAX_GRAD(EMU_TMP, &sharedTmpBuffer)
#undef EMU_SOFTMAX_GRAD
#undef EMU_TMP
#undef EMU_SOFTMAX_CALL
#undef EMU_SOFTMAX_ND

/// Overwrite the rows of a softmax whose maximum is the value with the bits `from`; whether there is such a row.
template <typename T, typename S, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
bool AdjustSoftMaxRes(const LocalTensor<T>& softMaxRes, const LocalTensor<S>& max, uint32_t from, const Same<T> to,
                      const SoftMaxShapeInfo& shape, Site site = Site::here()) {
    static_assert(!isDataFormatNZ, "AdjustSoftMaxRes: rows in NZ layout are not modelled");
    EMU_LIBRARY_DTYPE(AdjustSoftMaxRes, T, S);
    const uint64_t step = stepSizeMode == 0 ? emu::chip::blockBytes / sizeof(S) : 1;
    return emu::adjustSoftMax<T, S>(site, softMaxRes, max, from, to, emu::SoftmaxRows::of({}, shape), step);
}

}  // namespace AscendC
