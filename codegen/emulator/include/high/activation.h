// Activation functions of the high-level library that no other form has.
#pragma once

#include "high/math.h"

namespace AscendC {

/// x * sigmoid(x).
template <typename T, bool isReuseSource = false>
void Silu(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Silu, T, T);
    emu::libraryLanes("Silu", site, emu::SiluLane{}, dataSize, nullptr, false, dst, src);
}

/// x / (1 + exp(-scalar * x)).
template <typename T, bool isReuseSource = false>
void Swish(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize, const Same<T> scalar,
           Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Swish, T, T);
    const auto op = [beta = emu::wide(T(scalar))](T x) {
        return emu::rounded<T>(emu::wide(x) / (1 + std::exp(-beta * emu::wide(x))));
    };
    emu::libraryLanes("Swish", site, op, dataSize, nullptr, false, dst, src);
}

// Gelu and its approximations; a source may be the destination.
#define EMU_LIBRARY_GELU(Name)                                                                                       \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                  \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              uint32_t dataSize, Site site = Site::here()) {                                                         \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, dataSize, &sharedTmpBuffer, true, dst, src);               \
    }                                                                                                                \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                  \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize, Site site = Site::here()) {   \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, dataSize, nullptr, true, dst, src);                        \
    }

EMU_LIBRARY_GELU(Gelu)
EMU_LIBRARY_GELU(FasterGelu)
EMU_LIBRARY_GELU(FasterGeluV2)
#undef EMU_LIBRARY_GELU

}  // namespace AscendC

namespace emu {

/// src0 times the Swish of src1, whose exponent is -scalar * x.
template <typename T>
void swiGlu(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, float scalar,
            uint64_t count, Scratch tmp) {
    EMU_LIBRARY_DTYPE(SwiGLU, T, T, T);
    const auto op = [scalar](T x, T y) {
        return rounded<T>(wide(x) * wide(y) / (1 + std::exp(-double{scalar} * wide(y))));
    };
    libraryLanes("SwiGLU", site, op, count, tmp, false, dst, src0, src1);
}

}  // namespace emu

namespace AscendC {

template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& scalar,
            const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {
    emu::swiGlu(site, dst, src0, src1, scalar, calCount, &sharedTmpBuffer);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& scalar,
            const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {
    emu::swiGlu(site, dst, src0, src1, scalar, src0.GetSize(), &sharedTmpBuffer);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& scalar,
            uint32_t calCount, Site site = Site::here()) {
    emu::swiGlu(site, dst, src0, src1, scalar, calCount, nullptr);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& scalar,
            Site site = Site::here()) {
    emu::swiGlu(site, dst, src0, src1, scalar, src0.GetSize(), nullptr);
}

}  // namespace AscendC
