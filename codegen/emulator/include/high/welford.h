// Means and variances of long rows in pieces: WelfordUpdate, WelfordFinalize.
#pragma once

#include "high/norm.h"

namespace AscendC {

/// Whether the results past the computed length are those of the inputs; otherwise they are undefined.
struct WelfordUpdateConfig {
    bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG{};

struct WelfordUpdateParam {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t abComputeLength;
    float nRec;
};

struct WelfordFinalizeConfig {
    bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG{};

struct WelfordFinalizePara {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t headCount;
    uint32_t headCountLength;
    uint32_t tailCount;
    uint32_t tailCountLength;
    float abRec;
    float rRec;
    float rRecWithCorrection;
};

}  // namespace AscendC

namespace emu {

/// Running means and sums of squared differences.
struct Running {
    LocalTensor<float> mean;
    LocalTensor<float> squares;
};

/// Take one more value into each lane.
template <const AscendC::WelfordUpdateConfig& config, typename T>
void welfordUpdate(Site site, const Running& out, const Running& in, const LocalTensor<T>& x, Scratch tmp,
                   const AscendC::WelfordUpdateParam& para) {
    EMU_LIBRARY_DTYPE(WelfordUpdate, float, T);
    const uint64_t computed = para.abComputeLength;
    if (!legalShape("WelfordUpdate", site, para.rnLength == 1, "rnLength is not 1") ||
        !legalShape("WelfordUpdate", site, para.abLength * sizeof(T) % chip::blockBytes == 0,
                    "abLength is not a multiple of 32 bytes") ||
        !legalShape("WelfordUpdate", site, computed > 0 && computed <= para.abLength,
                    "abComputeLength is outside of 1..abLength")) {
        return;
    }
    const uint64_t written = config.isInplace ? para.abLength : computed;
    LibraryCall call("WelfordUpdate", site);
    call.writes("outputMean", out.mean, written).writes("outputVariance", out.squares, written);
    if (!config.isInplace) {
        const Rows rest{1, para.abLength, para.abLength, written};
        call.rows("outputMean", out.mean, rest, Use::clobber, true);
        call.rows("outputVariance", out.squares, rest, Use::clobber, true);
    }
    call.reads("inputMean", in.mean, written).reads("inputVariance", in.squares, written).reads("inputX", x, computed);
    call.scratch(tmp).run([=] {
        const Elements<float> mean(out.mean), squares(out.squares), oldMean(in.mean), oldSquares(in.squares);
        for (uint64_t i = 0; i < written; i++) {
            const double before = oldMean.number(i);
            const double value = i < computed ? Elements<T>(x).number(i) : before;
            const float now = static_cast<float>(before + (value - before) * double{para.nRec});
            squares.round(i, oldSquares.number(i) + (value - before) * (value - double{now}));
            mean.put(i, now);
        }
    });
}

/// One mean and variance from those of the lanes; `counts` may be null.
template <const AscendC::WelfordFinalizeConfig& config>
void welfordFinalize(Site site, const Running& out, const Running& in, const LocalTensor<int32_t>* counts, Scratch tmp,
                     const AscendC::WelfordFinalizePara& para) {
    static_assert(!config.isCorrection || chip::registerBased, "WelfordFinalize: no correction on this chip");
    const bool lanes = para.abLength > 0 && para.abLength * sizeof(float) % chip::blockBytes == 0;
    const bool parts = counts != nullptr || para.headCountLength + para.tailCountLength == para.abLength;
    if (!legalShape("WelfordFinalize", site, lanes, "abLength is not a multiple of 32 bytes") ||
        !legalShape("WelfordFinalize", site, parts, "headCountLength and tailCountLength do not add up to abLength")) {
        return;
    }
    LibraryCall call("WelfordFinalize", site);
    call.writes("outputMean", out.mean, 1).writes("outputVariance", out.squares, 1);
    call.reads("inputMean", in.mean, para.abLength).reads("inputVariance", in.squares, para.abLength);
    const LocalTensor<int32_t> given = counts == nullptr ? LocalTensor<int32_t>() : *counts;
    const bool listed = counts != nullptr;
    if (listed) call.reads("counts", given, para.abLength);
    call.scratch(tmp).run([=] {
        const auto count = [&](uint64_t i) {
            if (listed) return Elements<int32_t>(given).number(i);
            if (para.tailCountLength == 0) return static_cast<double>(para.rnLength);
            return static_cast<double>(i < para.headCountLength ? para.headCount : para.tailCount);
        };
        const bool uniform = !listed && para.tailCountLength == 0;
        const Elements<float> mean(in.mean), squares(in.squares);
        double center = 0, total = 0;
        for (uint64_t i = 0; i < para.abLength; i++) {
            center += mean.number(i) * (uniform ? double{para.abRec} : count(i) * double{para.rRec});
        }
        for (uint64_t i = 0; i < para.abLength; i++) {
            total += squares.number(i) + count(i) * (mean.number(i) - center) * (mean.number(i) - center);
        }
        Elements<float>(out.mean).round(0, center);
        Elements<float>(out.squares).round(0, total * (config.isCorrection ? para.rRecWithCorrection : para.rRec));
    });
}

}  // namespace emu

namespace AscendC {

#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,
#define EMU_WELFORD(tmpParameter, tmp)                                                                               \
    template <typename T, typename U, bool isReuseSource = false,                                                    \
              const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>                                              \
    void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,                       \
                       const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,                         \
                       const LocalTensor<T>& inputX, tmpParameter const WelfordUpdateParam& para,                    \
                       Site site = Site::here()) {                                                                   \
        emu::welfordUpdate<config>(site, {outputMean, outputVariance}, {inputMean, inputVariance}, inputX, tmp,      \
                                   para);                                                                            \
    }                                                                                                                \
    template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>              \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,             \
                         const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,               \
                         tmpParameter const WelfordFinalizePara& para, Site site = Site::here()) {                   \
        emu::welfordFinalize<config>(site, {outputMean, outputVariance}, {inputMean, inputVariance}, nullptr, tmp,   \
                                     para);                                                                          \
    }                                                                                                                \
    template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>              \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,             \
                         const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,               \
                         const LocalTensor<int32_t>& counts, tmpParameter const WelfordFinalizePara& para,           \
                         Site site = Site::here()) {                                                                 \
        emu::welfordFinalize<config>(site, {outputMean, outputVariance}, {inputMean, inputVariance}, &counts, tmp,   \
                                     para);                                                                          \
    }

EMU_WELFORD(, nullptr)
EMU_WELFORD(EMU_TMP, &sharedTmpBuffer)
#undef EMU_WELFORD
#undef EMU_TMP

}  // namespace AscendC
