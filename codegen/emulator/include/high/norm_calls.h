// The calls of the norms, with temporary memory and without.
#pragma once

#include "high/norm.h"

namespace AscendC {

#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,
#define EMU_NORMS(tmpParameter, tmp)                                                                                 \
    template <typename T, bool isReuseSource = false>                                                                \
    void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                                   \
                   const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,  \
                   const LocalTensor<T>& beta, tmpParameter const Same<T> epsilon, const tiling::LayerNormTiling& tiling, \
                   Site site = Site::here()) {                                                                       \
        const emu::NormCall<T, T> call{"LayerNorm", site, {}, output, inputX, gamma, beta, emu::wide(T(epsilon)),    \
                                       tmp,         true, true, true};                                               \
        emu::layerNormOfShape(call, outputMean, outputVariance, tiling);                                             \
    }                                                                                                                \
    template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>                                        \
    void DeepNorm(const LocalTensor<T>& dst, const LocalTensor<T>& mean, const LocalTensor<T>& variance,             \
                  const LocalTensor<T>& src, const LocalTensor<T>& gx, const LocalTensor<T>& beta,                   \
                  const LocalTensor<T>& gamma, tmpParameter const Same<T> alpha, const Same<T> epsilon,              \
                  const tiling::DeepNormTiling& tiling, Site site = Site::here()) {                                  \
        const emu::NormCall<T, T> call{"DeepNorm", site, emu::normRows(tiling), dst, src, gamma, beta,               \
                                       emu::wide(T(epsilon)), tmp, true, true, isReuseSrc};                          \
        emu::deepNorm(call, mean, variance, gx, emu::wide(T(alpha)));                                                \
    }                                                                                                                \
    template <typename T, bool isBasicBlock = false>                                                                 \
    void RmsNorm(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& gamma,                  \
                 tmpParameter const Same<T> epsilon, const tiling::RmsNormTiling& tiling, Site site = Site::here()) { \
        emu::rmsNorm(emu::NormCall<T, T>{"RmsNorm", site, emu::normRows(tiling), dst, src, gamma, {},                \
                                         emu::wide(T(epsilon)), tmp, true, false, true});                            \
    }

EMU_NORMS(, nullptr)
EMU_NORMS(EMU_TMP, &sharedTmpBuffer)
#undef EMU_NORMS
#undef EMU_TMP

// Here the temporary memory stands after epsilon or before it.
#define EMU_ROW_NORMS(before, after, tmp)                                                                            \
    template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>        \
    void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,                               \
                   const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,  \
                   const LocalTensor<U>& beta, const float epsilon after, const LayerNormPara& para,                 \
                   const tiling::LayerNormSeparateTiling&, Site site = Site::here()) {                               \
        const emu::NormCall<T, U> call{"LayerNorm", site, {}, output, inputX, gamma, beta, epsilon, tmp};            \
        emu::layerNormOfRows<config>(call, outputMean, outputRstd, para);                                            \
    }                                                                                                                \
    template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>        \
    void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,                               \
                   const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                     \
                   const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta             \
                   before, const float epsilon, const NormalizePara& para, Site site = Site::here()) {               \
        const emu::NormCall<T, U> call{"Normalize", site, {}, output, inputX, gamma, beta, epsilon, tmp};            \
        emu::normalize<config>(call, outputRstd, inputMean, inputVariance, para);                                    \
    }
#define EMU_TMP , const LocalTensor<uint8_t>& sharedTmpBuffer

EMU_ROW_NORMS(, , nullptr)
EMU_ROW_NORMS(EMU_TMP, EMU_TMP, &sharedTmpBuffer)
#undef EMU_TMP
#undef EMU_ROW_NORMS

}  // namespace AscendC
