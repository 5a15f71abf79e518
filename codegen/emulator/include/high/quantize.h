// Quantisation of the high-level library: AscendQuant to int8, AscendDequant from int32.
#pragma once

#include "high/math.h"

namespace AscendC {

enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };

struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};

}  // namespace AscendC

namespace emu {

/// A number of a call, or one a channel that repeats along the source.
template <typename T>
struct Channel {
    LocalTensor<T> tensor;
    uint64_t count = 0;
    half value{0.0f};

    half at(uint64_t index) const {
        return count == 0 ? value : rounded<half>(Elements<T>(tensor).number(index % count));
    }
};

/// src * scale + offset in half steps, and to int8: nearest even, at the limits of the type beyond them.
template <typename T>
void quantize(Site site, const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, Scratch tmp,
              const Channel<T>& scale, const Channel<T>& offset, uint64_t count) {
    EMU_LIBRARY_DTYPE(AscendQuant, int8_t, T);
    LibraryCall call("AscendQuant", site);
    call.writes("dst", dst, count).reads("src", src, count);
    if (scale.count > 0) call.reads("scale", scale.tensor, scale.count);
    if (offset.count > 0) call.reads("offset", offset.tensor, offset.count);
    call.scratch(tmp).run([=] {
        for (uint64_t i = 0; i < count; i++) {
            const half value = rounded<half>(Elements<T>(src).number(i)) * scale.at(i) + offset.at(i);
            const double whole = std::nearbyint(wide(value));
            Elements<int8_t>(dst).put(i, std::isnan(whole) ? 0 : static_cast<int8_t>(std::clamp(whole, -128.0, 127.0)));
        }
    });
}

template <typename T>
Channel<T> oneForAll(float value) {
    return Channel<T>{{}, 0, narrow<half>(value)};
}

/// The number in a scale: of 64 bits the low ones are a float.
template <typename S>
double scaleOf(S value) {
    if constexpr (sizeof(S) == 8) return double{floatOf(static_cast<uint32_t>(value))};
    else return wide(value);
}

/// src * scale in float, rounded to the result. `scaleAt(column)` is read when the call runs.
template <typename D, typename S, typename Scale>
void dequantize(Site site, const LocalTensor<D>& dst, const LocalTensor<int32_t>& src, Scratch tmp,
                const LocalTensor<S>* scales, const Scale& scaleAt, AscendC::DequantParams p, bool singleRow) {
    EMU_LIBRARY_DTYPE(AscendDequant, D, int32_t, S);
    const bool rows = singleRow && p.m == 1 && p.calCount > 0 && p.calCount * sizeof(D) % chip::blockBytes == 0 &&
                      p.n % p.calCount == 0;
    if (rows) p = AscendC::DequantParams{p.n / p.calCount, p.calCount, p.calCount};
    if (!legalShape("AscendDequant", site, p.n * sizeof(int32_t) % chip::blockBytes == 0,
                    "a row is not a multiple of 32 bytes") ||
        !legalShape("AscendDequant", site, p.calCount >= 1 && p.calCount <= p.n, "calCount is outside of 1..n")) {
        return;
    }
    const uint64_t pitch = roundToBlock(p.n * sizeof(D)) / sizeof(D);
    LibraryCall call("AscendDequant", site);
    const Rows results{p.m, p.calCount, pitch};
    call.rows("dst", dst, results, Use::write).rows("src", src, Rows{p.m, p.calCount, p.n}, Use::read);
    call.pads("dst", dst, results);
    if (scales != nullptr) call.reads("deqScale", *scales, p.calCount);
    call.scratch(tmp).run([=] {
        for (uint64_t r = 0; r < p.m; r++) {
            for (uint64_t k = 0; k < p.calCount; k++) {
                const auto value = static_cast<float>(Elements<int32_t>(src).get(r * p.n + k));
                Elements<D>(dst).put(r * pitch + k, narrow<D>(value * static_cast<float>(scaleAt(k))));
            }
        }
    });
}

}  // namespace emu

namespace AscendC {

#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,
#define EMU_QUANT(tmpParameter, tmp)                                                                                 \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter const float scale,      \
                     const float offset, const uint32_t calCount, Site site = Site::here()) {                        \
        emu::quantize(site, dst, src, tmp, emu::oneForAll<T>(scale), emu::oneForAll<T>(offset), calCount);           \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter const float scale,      \
                     const float offset, Site site = Site::here()) {                                                 \
        emu::quantize(site, dst, src, tmp, emu::oneForAll<T>(scale), emu::oneForAll<T>(offset), src.GetSize());      \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter                         \
                     const LocalTensor<T>& scale, const Same<T> offset, const uint32_t scaleCount,                   \
                     const uint32_t calCount, Site site = Site::here()) {                                            \
        emu::quantize(site, dst, src, tmp, emu::Channel<T>{scale, scaleCount},                                       \
                      emu::oneForAll<T>(emu::widen(T(offset))), calCount);                                           \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter                         \
                     const LocalTensor<T>& scale, const Same<T> offset, Site site = Site::here()) {                  \
        emu::quantize(site, dst, src, tmp, emu::Channel<T>{scale, scale.GetSize()},                                  \
                      emu::oneForAll<T>(emu::widen(T(offset))), src.GetSize());                                      \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter                         \
                     const LocalTensor<T>& scale, const LocalTensor<T>& offset, const uint32_t scaleCount,           \
                     const uint32_t offsetCount, const uint32_t calCount, Site site = Site::here()) {                \
        emu::quantize(site, dst, src, tmp, emu::Channel<T>{scale, scaleCount}, emu::Channel<T>{offset, offsetCount}, \
                      calCount);                                                                                     \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, tmpParameter                         \
                     const LocalTensor<T>& scale, const LocalTensor<T>& offset, Site site = Site::here()) {          \
        emu::quantize(site, dst, src, tmp, emu::Channel<T>{scale, scale.GetSize()},                                  \
                      emu::Channel<T>{offset, offset.GetSize()}, src.GetSize());                                     \
    }

EMU_QUANT(, nullptr)
EMU_QUANT(EMU_TMP, &sharedTmpBuffer)
#undef EMU_QUANT
#undef EMU_TMP

// The shape as a structure, as a count, or that of the whole source.
#define EMU_DEQUANT(tmpParameter, tmp, shapeParameter, shape)                                                        \
    template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                       \
    void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src, const LocalTensor<S>& deqScale    \
                       tmpParameter shapeParameter, Site site = Site::here()) {                                      \
        const auto at = [deqScale](uint64_t k) { return emu::scaleOf(emu::Elements<S>(deqScale).get(k)); };          \
        emu::dequantize(site, dst, src, tmp, &deqScale, at, shape, mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW);    \
    }
#define EMU_TMP , const LocalTensor<uint8_t>& sharedTmpBuffer
#define EMU_PARAMS , DequantParams params
#define EMU_COUNT , const uint32_t calCount
#define EMU_ALL DequantParams{1, src.GetSize(), deqScale.GetSize()}
#define EMU_COUNTED DequantParams{1, src.GetSize(), calCount}

EMU_DEQUANT(, nullptr, EMU_PARAMS, params)
EMU_DEQUANT(EMU_TMP, &sharedTmpBuffer, EMU_PARAMS, params)
EMU_DEQUANT(, nullptr, EMU_COUNT, EMU_COUNTED)
EMU_DEQUANT(EMU_TMP, &sharedTmpBuffer, EMU_COUNT, EMU_COUNTED)
EMU_DEQUANT(, nullptr, , EMU_ALL)
EMU_DEQUANT(EMU_TMP, &sharedTmpBuffer, , EMU_ALL)
#undef EMU_COUNTED
#undef EMU_ALL
#undef EMU_COUNT
#undef EMU_DEQUANT

/// One scale for all.
#define EMU_DEQUANT(tmpParameter, tmp)                                                                               \
    template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW,                       \
              std::enable_if_t<sizeof(S) <= 4 && !std::is_class_v<S> || std::is_same_v<S, bfloat16_t>, int> = 0>     \
    void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src, const S deqScale tmpParameter,    \
                       DequantParams params, Site site = Site::here()) {                                             \
        const auto at = [deqScale](uint64_t) { return emu::wide(deqScale); };                                        \
        emu::dequantize<D, S>(site, dst, src, tmp, nullptr, at, params,                                              \
                              mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW);                                         \
    }

EMU_DEQUANT(, nullptr)
EMU_DEQUANT(EMU_TMP, &sharedTmpBuffer)
#undef EMU_DEQUANT
#undef EMU_PARAMS
#undef EMU_TMP

}  // namespace AscendC
