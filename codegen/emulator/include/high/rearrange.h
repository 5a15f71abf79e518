// Selection and rearrangement of the high-level library: Select by bytes, DropOut, CumSum.
#pragma once

#include "high/math.h"

namespace AscendC {

struct SelectWithBytesMaskShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

struct DropOutShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };

struct CumSumConfig {
    bool isLastAxis{true};
    bool isReuseSource{false};
    bool outputLastRow{false};
    CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
inline constexpr CumSumConfig defaultCumSumConfig{};

struct CumSumInfo {
    uint32_t outter{0};
    uint32_t inner{0};
};

}  // namespace AscendC

namespace emu {

/// Issue a choice by whole elements of a mask: `first` where it is 0, `second` elsewhere; each of a row and a column.
template <typename T, typename U, typename First, typename Second>
void selectByBytes(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<U>& mask,
                   Scratch tmp, const AscendC::SelectWithBytesMaskShapeInfo& info, const First& first,
                   const Second& second) {
    static_assert(isLegalFor<T, U>("Select", "bytes"), "Select: the library has no such dtype of values or mask");
    constexpr uint64_t group = 16;
    const bool rows = info.srcLastAxis * sizeof(T) % chip::blockBytes == 0;
    const bool masks = info.maskLastAxis * sizeof(U) % chip::blockBytes == 0 && info.maskLastAxis % group == 0;
    if (!legalShape("Select", site, rows, "srcLastAxis is not a multiple of 32 bytes") ||
        !legalShape("Select", site, masks, "maskLastAxis is no multiple of 32 bytes and of 16 elements") ||
        !legalShape("Select", site, info.srcLastAxis <= info.maskLastAxis, "maskLastAxis is below srcLastAxis")) {
        return;
    }
    const Rows shape{info.firstAxis, info.srcLastAxis, info.srcLastAxis};
    LibraryCall call("Select", site);
    call.rows("dst", dst, shape, Use::write).rows("src", src, shape, Use::read, together(dst, src));
    call.rows("mask", mask, Rows{info.firstAxis, info.srcLastAxis, info.maskLastAxis}, Use::read);
    if (info.srcLastAxis != info.maskLastAxis) {
        const uint64_t all = uint64_t{info.firstAxis} * info.maskLastAxis;
        call.rows("mask", mask, Rows{1, all, all}, Use::clobber, true);
    }
    call.scratch(tmp).run([=] {
        for (uint64_t i = 0; i < uint64_t{info.firstAxis} * info.srcLastAxis; i++) {
            const uint64_t at = i / info.srcLastAxis * info.maskLastAxis + i % info.srcLastAxis;
            Elements<T>(dst).put(i, Elements<U>(mask).get(at) == U{} ? first(i) : second(i));
        }
    });
}

/// Issue a DropOut: kept elements over the probability, the others 0.
template <typename T, bool bits>
void dropOut(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& mask,
             Scratch tmp, float keepProb, const AscendC::DropOutShapeInfo& info) {
    const uint64_t perRow = bits ? (info.srcLastAxis + 7) / 8 : info.srcLastAxis;
    if (!legalShape("DropOut", site, keepProb > 0 && keepProb < 1, "keepProb is outside of (0, 1)") ||
        !legalShape("DropOut", site, info.srcLastAxis * sizeof(T) % chip::blockBytes == 0,
                    "srcLastAxis is not a multiple of 32 bytes") ||
        !legalShape("DropOut", site, perRow <= info.maskLastAxis, "maskLastAxis is too short")) {
        return;
    }
    const Rows shape{info.firstAxis, info.srcLastAxis, info.srcLastAxis};
    LibraryCall call("DropOut", site);
    call.rows("dst", dst, shape, Use::write).rows("src", src, shape, Use::read, together(dst, src));
    call.rows("mask", mask, Rows{info.firstAxis, perRow, info.maskLastAxis}, Use::read);
    call.scratch(tmp).run([=] {
        const float scale = 1 / keepProb;
        for (uint64_t i = 0; i < uint64_t{info.firstAxis} * info.srcLastAxis; i++) {
            const uint64_t row = i / info.srcLastAxis * info.maskLastAxis, k = i % info.srcLastAxis;
            const uint8_t cell = Elements<uint8_t>(mask).get(row + (bits ? k / 8 : k));
            const bool kept = bits ? (cell >> (k % 8) & 1) != 0 : cell != 0;
            const T value = Elements<T>(src).get(i);
            Elements<T>(dst).put(i, kept ? MulOp{}(value, narrow<T>(scale)) : T(0));
        }
    });
}

/// Issue running sums along rows or along columns, each step rounded.
template <typename T, const AscendC::CumSumConfig& config>
void cumSum(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& last, const LocalTensor<T>& src, Scratch tmp,
            const AscendC::CumSumInfo& info) {
    EMU_LIBRARY_DTYPE(CumSum, T, T);
    static_assert(config.algorithm == AscendC::CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,
                  "CumSum: the algorithm SKLANSKY is not modelled");
    const uint64_t outer = info.outter, inner = info.inner;
    if (!legalShape("CumSum", site, outer > 0 && inner > 0 && inner * sizeof(T) % chip::blockBytes == 0,
                    "outter or inner is 0, or inner not a multiple of 32 bytes")) {
        return;
    }
    const uint64_t results = config.isLastAxis ? outer : inner;
    LibraryCall call("CumSum", site);
    call.writes("dst", dst, outer * inner).reads("src", src, outer * inner);
    if (config.outputLastRow) call.writes("lastRow", last, results);
    call.scratch(tmp).run([=] {
        const uint64_t back = config.isLastAxis ? 1 : inner;
        for (uint64_t i = 0; i < outer * inner; i++) {
            const bool first = config.isLastAxis ? i % inner == 0 : i < inner;
            const T value = Elements<T>(src).get(i);
            Elements<T>(dst).put(i, first ? value : AddOp{}(Elements<T>(dst).get(i - back), value));
        }
        for (uint64_t r = 0; config.outputLastRow && r < results; r++) {
            const uint64_t at = config.isLastAxis ? r * inner + inner - 1 : (outer - 1) * inner + r;
            Elements<T>(last).put(r, Elements<T>(dst).get(at));
        }
    });
}

}  // namespace emu

namespace AscendC {

/// A tensor where the mask is 0 and a number elsewhere, or the other way round.
template <typename T, typename U, bool isReuseMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, Same<T> src1, const LocalTensor<U>& mask,
            const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info,
            Site site = Site::here()) {
    emu::selectByBytes(site, dst, src0, mask, &sharedTmpBuffer, info,
                       [=](uint64_t i) { return emu::Elements<T>(src0).get(i); }, [=](uint64_t) { return T(src1); });
}
template <typename T, typename U, bool isReuseMask = true>
void Select(const LocalTensor<T>& dst, Same<T> src0, const LocalTensor<T>& src1, const LocalTensor<U>& mask,
            const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info,
            Site site = Site::here()) {
    emu::selectByBytes(site, dst, src1, mask, &sharedTmpBuffer, info, [=](uint64_t) { return T(src0); },
                       [=](uint64_t i) { return emu::Elements<T>(src1).get(i); });
}

/// The same under its name before Select had this form.
template <typename T, typename U, bool isReuseMask = true, typename First, typename Second>
void SelectWithBytesMask(const LocalTensor<T>& dst, const First& src0, const Second& src1, const LocalTensor<U>& mask,
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info,
                         Site site = Site::here()) {
    Select<T, U, isReuseMask>(dst, src0, src1, mask, sharedTmpBuffer, info, site);
}

#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,
#define EMU_DROPOUT(tmpParameter, tmp)                                                                               \
    template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>                                      \
    void DropOut(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& mask,             \
                 tmpParameter const float keepProb, const DropOutShapeInfo& info, Site site = Site::here()) {        \
        EMU_LIBRARY_DTYPE(DropOut, T, T);                                                                            \
        static_assert(dropOutMode <= 4, "DropOut: modes 0 to 4");                                                    \
        const bool bits = dropOutMode == 0 ? info.maskLastAxis < info.srcLastAxis : dropOutMode >= 3;                \
        if (bits) emu::dropOut<T, true>(site, dst, src, mask, tmp, keepProb, info);                                  \
        else emu::dropOut<T, false>(site, dst, src, mask, tmp, keepProb, info);                                      \
    }
#define EMU_CUMSUM(tmpParameter, tmp)                                                                                \
    template <typename T, const CumSumConfig& config = defaultCumSumConfig>                                          \
    void CumSum(const LocalTensor<T>& dst, const LocalTensor<T>& lastRow, const LocalTensor<T>& src,                 \
                tmpParameter const CumSumInfo& info, Site site = Site::here()) {                                     \
        emu::cumSum<T, config>(site, dst, lastRow, src, tmp, info);                                                  \
    }

EMU_DROPOUT(, nullptr)
EMU_DROPOUT(EMU_TMP, &sharedTmpBuffer)
EMU_CUMSUM(, nullptr)
EMU_CUMSUM(EMU_TMP, &sharedTmpBuffer)
#undef EMU_CUMSUM
#undef EMU_DROPOUT
#undef EMU_TMP

}  // namespace AscendC
