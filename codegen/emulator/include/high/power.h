// Powers, limits, series and sums of the high-level library that take a scalar.
#pragma once

#include "high/math.h"

namespace AscendC {

/// Powers with one exponent, or of one base.
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& exponent,
           const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Power, T, T, T);
    emu::libraryLanes("Power", site, [exponent](T x) { return emu::PowerLane{}(x, T(exponent)); }, calCount,
                      &sharedTmpBuffer, false, dst, src);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& exponent,
           const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {
    Power<T, isReuseSource, config>(dst, src, exponent, sharedTmpBuffer, src.GetSize(), site);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& exponent, uint32_t calCount,
           Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Power, T, T, T);
    emu::libraryLanes("Power", site, [exponent](T x) { return emu::PowerLane{}(x, T(exponent)); }, calCount, nullptr,
                      false, dst, src);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T>& exponent, Site site = Site::here()) {
    Power<T, isReuseSource, config>(dst, src, exponent, src.GetSize(), site);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const Same<T>& base, const LocalTensor<T>& src,
           const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Power, T, T, T);
    emu::libraryLanes("Power", site, [base](T x) { return emu::PowerLane{}(T(base), x); }, calCount, &sharedTmpBuffer,
                      false, dst, src);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const Same<T>& base, const LocalTensor<T>& src,
           const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {
    Power<T, isReuseSource, config>(dst, base, src, sharedTmpBuffer, src.GetSize(), site);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const Same<T>& base, const LocalTensor<T>& src, uint32_t calCount,
           Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Power, T, T, T);
    emu::libraryLanes("Power", site, [base](T x) { return emu::PowerLane{}(T(base), x); }, calCount, nullptr, false,
                      dst, src);
}
template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
void Power(const LocalTensor<T>& dst, const Same<T>& base, const LocalTensor<T>& src, Site site = Site::here()) {
    Power<T, isReuseSource, config>(dst, base, src, src.GetSize(), site);
}

// Limits from above and below.
#define EMU_LIBRARY_CLAMP(Name, Base)                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              const Same<T> scalar, uint32_t calCount, Site site = Site::here()) {                                   \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, [scalar](T x) { return emu::Base##Op{}(x, T(scalar)); }, calCount,            \
                          &sharedTmpBuffer, false, dst, src);                                                        \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Same<T> scalar, uint32_t calCount,         \
              Site site = Site::here()) {                                                                            \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, [scalar](T x) { return emu::Base##Op{}(x, T(scalar)); }, calCount, nullptr,   \
                          false, dst, src);                                                                          \
    }

EMU_LIBRARY_CLAMP(ClampMax, Min)
EMU_LIBRARY_CLAMP(ClampMin, Max)
#undef EMU_LIBRARY_CLAMP

/// The exponential by a Taylor series of a level.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
         uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Exp, T, T);
    emu::libraryLanes("Exp", site, emu::TaylorExpLane{}, calCount, &sharedTmpBuffer, false, dst, src);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t calCount, Site site = Site::here()) {
    EMU_LIBRARY_DTYPE(Exp, T, T);
    emu::libraryLanes("Exp", site, emu::TaylorExpLane{}, calCount, nullptr, false, dst, src);
}

/// Axpy with temporary memory.
template <typename T, typename U, bool isReuseSource = false>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Same<U> scalar,
          const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {
    emu::LibraryCall("Axpy", site).scratch(&sharedTmpBuffer).run([] {});
    Axpy(dst, src, scalar, static_cast<int64_t>(calCount), site);
}

}  // namespace AscendC
