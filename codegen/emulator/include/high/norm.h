// Normalisation of rows: LayerNorm, DeepNorm, RmsNorm, Normalize.
#pragma once

#include "high/math.h"
#include "high/tilings.h"

namespace AscendC {

/// Which operands of a LayerNorm exist, and what its third result is.
struct LayerNormConfig {
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
    bool isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM{};

struct LayerNormPara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};

enum class ReducePattern : uint32_t { AR = 0, RA = 1 };

struct NormalizeConfig {
    ReducePattern reducePattern = ReducePattern::AR;
    int32_t aLength = -1;
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM{};

struct NormalizePara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};

}  // namespace AscendC

namespace emu {

/// A call that normalises rows; gamma and beta may be left out.
template <typename T, typename U>
struct NormCall {
    const char* api;
    Site site;
    Rows rows;
    LocalTensor<T> y;
    LocalTensor<T> x;
    LocalTensor<U> gamma;
    LocalTensor<U> beta;
    double epsilon;
    Scratch tmp;
    bool hasGamma = true;
    bool hasBeta = true;
    bool reusable = false;

    bool legal() const {
        return legalShape(api, site, rows.pitch * sizeof(T) % chip::blockBytes == 0, "a row is not a multiple of 32 bytes") &&
               legalShape(api, site, rows.used >= 1 && rows.used <= rows.pitch, "a row is longer than its place");
    }

    LibraryCall operands() const {
        LibraryCall call(api, site);
        call.rows("output", y, rows, Use::write).rows("inputX", x, rows, Use::read, reusable && together(x, y));
        call.pads("output", y, rows);
        if (hasGamma) call.reads("gamma", gamma, rows.used);
        if (hasBeta) call.reads("beta", beta, rows.used);
        return call.scratch(tmp);
    }

    double at(uint64_t row, uint64_t column) const { return Elements<T>(x).number(row * rows.pitch + column); }

    /// Write a row from its normalised values.
    template <typename Value>
    void put(uint64_t row, const Value& normalised) const {
        for (uint64_t k = 0; k < rows.used; k++) {
            const double scale = hasGamma ? Elements<U>(gamma).number(k) : 1;
            const double shift = hasBeta ? Elements<U>(beta).number(k) : 0;
            Elements<T>(y).round(row * rows.pitch + k, normalised(k) * scale + shift);
        }
    }
};

/// The mean and the variance of `count` values.
struct Moments {
    double mean = 0;
    double variance = 0;

    template <typename Value>
    Moments(uint64_t count, const Value& value) {
        for (uint64_t k = 0; k < count; k++) mean += value(k) / static_cast<double>(count);
        for (uint64_t k = 0; k < count; k++) {
            variance += (value(k) - mean) * (value(k) - mean) / static_cast<double>(count);
        }
    }
};

/// Issue a LayerNorm of value(row, column); `third` makes the third result from the variance.
template <typename T, typename U, typename S, typename Value, typename Third>
void layerNorm(const NormCall<T, U>& call, LibraryCall operands, const LocalTensor<S>& mean, const LocalTensor<S>& third,
               const Value& value, const Third& of) {
    operands.writes("outputMean", mean, call.rows.count).writes("outputVariance", third, call.rows.count);
    operands.run([=] {
        for (uint64_t r = 0; r < call.rows.count; r++) {
            const auto element = [&](uint64_t k) { return value(r, k); };
            const Moments moments(call.rows.used, element);
            const double scale = 1 / std::sqrt(moments.variance + call.epsilon);
            std::vector<double> row(call.rows.used);
            for (uint64_t k = 0; k < row.size(); k++) row[k] = (element(k) - moments.mean) * scale;
            call.put(r, [&](uint64_t k) { return row[k]; });
            Elements<S>(mean).round(r, moments.mean);
            Elements<S>(third).round(r, of(moments.variance));
        }
    });
}

/// The rows that the tiling of a norm describes.
template <typename Tiling>
Rows normRows(const Tiling& tiling) {
    const uint64_t used = tiling.originalHLength != 0 ? tiling.originalHLength : tiling.hLength;
    return Rows{uint64_t{tiling.bLength} * tiling.sLength, used, tiling.hLength};
}

template <typename T, typename Tiling>
void layerNormOfShape(NormCall<T, T> call, const LocalTensor<T>& mean, const LocalTensor<T>& variance,
                      const Tiling& tiling) {
    EMU_LIBRARY_DTYPE(LayerNorm, T, T);
    call.rows = normRows(tiling);
    if (!call.legal()) return;
    layerNorm(call, call.operands(), mean, variance, [=](uint64_t r, uint64_t k) { return call.at(r, k); },
              [](double v) { return v; });
}

template <const AscendC::LayerNormConfig& config, typename T, typename U>
void layerNormOfRows(NormCall<T, U> call, const LocalTensor<float>& mean, const LocalTensor<float>& third,
                     const AscendC::LayerNormPara& para) {
    EMU_LIBRARY_DTYPE(LayerNorm, T, U);
    static_assert(!config.isOnlyOutput, "LayerNorm: isOnlyOutput is reserved");
    static_assert(config.isOutputRstd || chip::registerBased, "LayerNorm: no variance as output on this chip");
    call.rows = Rows{para.aLength, para.rLength, para.rLengthWithPadding};
    call.hasGamma = !config.isNoGamma;
    call.hasBeta = !config.isNoBeta;
    if (!call.legal()) return;
    layerNorm(call, call.operands(), mean, third, [=](uint64_t r, uint64_t k) { return call.at(r, k); },
              [=](double v) { return config.isOutputRstd ? 1 / std::sqrt(v + call.epsilon) : v; });
}

/// LayerNorm of alpha * x + gx.
template <typename T>
void deepNorm(const NormCall<T, T>& call, const LocalTensor<T>& mean, const LocalTensor<T>& variance,
              const LocalTensor<T>& gx, double alpha) {
    EMU_LIBRARY_DTYPE(DeepNorm, T, T);
    if (!call.legal()) return;
    LibraryCall operands = call.operands();
    operands.rows("gx", gx, call.rows, Use::read);
    const uint64_t pitch = call.rows.pitch;
    layerNorm(call, operands, mean, variance,
              [=](uint64_t r, uint64_t k) { return alpha * call.at(r, k) + Elements<T>(gx).number(r * pitch + k); },
              [](double v) { return v; });
}

/// Each row over the root of the mean of its squares.
template <typename T>
void rmsNorm(const NormCall<T, T>& call) {
    EMU_LIBRARY_DTYPE(RmsNorm, T, T);
    if (!call.legal()) return;
    call.operands().run([=] {
        for (uint64_t r = 0; r < call.rows.count; r++) {
            double squares = 0;
            for (uint64_t k = 0; k < call.rows.used; k++) squares += call.at(r, k) * call.at(r, k);
            const double scale = 1 / std::sqrt(squares / static_cast<double>(call.rows.used) + call.epsilon);
            call.put(r, [&](uint64_t k) { return call.at(r, k) * scale; });
        }
    });
}

/// Rows whose mean and variance are known.
template <const AscendC::NormalizeConfig& config, typename T, typename U>
void normalize(NormCall<T, U> call, const LocalTensor<float>& rstd, const LocalTensor<float>& mean,
               const LocalTensor<float>& variance, const AscendC::NormalizePara& para) {
    EMU_LIBRARY_DTYPE(Normalize, T, U);
    static_assert(config.reducePattern == AscendC::ReducePattern::AR, "Normalize: the pattern AR only");
    static_assert(!config.isOnlyOutput, "Normalize: isOnlyOutput is reserved");
    call.rows = Rows{para.aLength, para.rLength, para.rLengthWithPadding};
    call.hasGamma = !config.isNoGamma;
    call.hasBeta = !config.isNoBeta;
    if (!call.legal()) return;
    LibraryCall operands = call.operands();
    operands.writes("outputRstd", rstd, para.aLength).reads("inputMean", mean, para.aLength);
    operands.reads("inputVariance", variance, para.aLength);
    operands.run([=] {
        for (uint64_t r = 0; r < call.rows.count; r++) {
            const double center = Elements<float>(mean).number(r);
            const double scale = 1 / std::sqrt(Elements<float>(variance).number(r) + call.epsilon);
            call.put(r, [&](uint64_t k) { return (call.at(r, k) - center) * scale; });
            Elements<float>(rstd).round(r, scale);
        }
    });
}

}  // namespace emu
