// Shapes and settings of the softmax family.
#pragma once

#include "high/call.h"
#include "high/tilings.h"

namespace AscendC {

enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };

/// A shape that is known when the kernel is compiled, and the layout of sums and maxima.
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG{};

/// Rows and columns, padded and original; all 0 stands for those of the tiling.
struct SoftMaxShapeInfo {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
};

/// The tiling that a kernel computes itself: the model needs its shape only.
inline constexpr uint32_t emuSoftMaxElements(const SoftMaxShapeInfo& shape) { return shape.srcM * shape.srcK; }
inline tiling::SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo& shape, uint32_t, uint32_t, uint32_t,
                                              bool = false, bool = false, bool = false, bool = false) {
    tiling::SoftMaxTiling tiling;
    tiling.srcM = shape.srcM;
    tiling.srcK = shape.srcK;
    tiling.srcSize = emuSoftMaxElements(shape);
    return tiling;
}

}  // namespace AscendC

namespace emu {

/// The rows of a call of the softmax family, as its arguments give them.
struct SoftmaxRows {
    Rows padded;
    Rows original;

    static SoftmaxRows of(const AscendC::tiling::SoftMaxTiling& tiling, const AscendC::SoftMaxShapeInfo& shape,
                          const AscendC::SoftmaxConfig& config = AscendC::SOFTMAX_DEFAULT_CFG) {
        const uint64_t rows = shape.srcM != 0 ? shape.srcM : tiling.srcM;
        const uint64_t pitch = shape.srcK != 0 ? shape.srcK : tiling.srcK;
        const auto known = [](uint64_t fixed, uint64_t given, uint64_t all) {
            return fixed != 0 ? fixed : given != 0 ? given : all;
        };
        const uint64_t used = known(config.oriSrcK, shape.oriSrcK, pitch);
        return SoftmaxRows{{rows, pitch, pitch}, {known(config.oriSrcM, shape.oriSrcM, rows), used, pitch}};
    }

    bool legal(const char* api, Site site, uint64_t elementBytes) const {
        return legalShape(api, site, padded.pitch * elementBytes % chip::blockBytes == 0,
                          "srcK is not a multiple of 32 bytes") &&
               legalShape(api, site, original.count <= padded.count && original.used <= padded.pitch,
                          "the original shape is larger than the padded one");
    }
};

/// Values of which each row has one, repeated over a block or alone.
template <typename S>
struct RowValues {
    LocalTensor<S> tensor;
    uint64_t width = chip::blockBytes / sizeof(S);

    RowValues(const LocalTensor<S>& values, const AscendC::SoftmaxConfig& config) : tensor(values) {
        if (config.mode == AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) width = 1;
    }
    Rows rows(uint64_t count) const { return Rows{count, width, width}; }
    double get(uint64_t row) const { return Elements<S>(tensor).number(row * width); }
    void put(uint64_t row, double value) const {
        for (uint64_t i = 0; i < width; i++) Elements<S>(tensor).round(row * width + i, value);
    }
};

}  // namespace emu
