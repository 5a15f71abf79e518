// Filling and moving data inside the unified buffer.
#pragma once

#include "api/copy.h"
#include "api/vector.h"

namespace emu {

/// Issue a fill of the lanes of a shape with one value.
template <typename T>
void duplicate(Site site, const LocalTensor<T>& dst, T value, const Shape& shape, Strides strides) {
    static_assert(isLegalFor<T>("Duplicate"), "the chip's vector unit does not have this API for this type");
    lanewise("Duplicate", site, [value] { return value; }, shape, Overlap::general, Strided<T>{dst, strides});
}

/// Issue a lane-wise move.
template <typename T>
void copyLanes(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Shape& shape,
               Strides dstStrides, Strides srcStrides) {
    lanewise(api, site, [](T x) { return x; }, shape, Overlap::general, Strided<T>{dst, dstStrides},
             Strided<T>{src, srcStrides});
}

template <typename T>
void copyMasked(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Shape& shape,
                const AscendC::CopyRepeatParams& params) {
    static_assert(isLegalFor<T, T>("Copy"), "the chip's vector unit does not have this API for this type");
    constexpr int64_t largest = (1 << 12) - 1;
    CopyLimits limits("Copy", site);
    limits.require("dstRepeatSize", params.dstRepeatSize, 0, largest);
    limits.require("srcRepeatSize", params.srcRepeatSize, 0, largest);
    if (!limits.legal()) return;
    copyLanes("Copy", site, dst, src, shape, blockStrides(params.dstStride, params.dstRepeatSize),
              blockStrides(params.srcStride, params.srcRepeatSize));
}

}  // namespace emu

namespace AscendC {

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, int64_t count, Site site = Site::here()) {
    constexpr uint32_t lanes = emu::lanesFor<T>;
    emu::duplicate<T>(site, dst, value, emu::Selection("Duplicate", site, lanes).counted(count),
                      emu::contiguous<T>(lanes));
}

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, uint64_t mask, int64_t repeatTime,
               uint16_t dstBlockStride, uint8_t dstRepeatStride, Site site = Site::here()) {
    const emu::Selection selection("Duplicate", site, emu::lanesFor<T>);
    emu::duplicate<T>(site, dst, value, selection.continuous(mask, repeatTime),
                      emu::blockStrides(dstBlockStride, dstRepeatStride));
}

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, const uint64_t mask[], int64_t repeatTime,
               uint16_t dstBlockStride, uint8_t dstRepeatStride, Site site = Site::here()) {
    const emu::Selection selection("Duplicate", site, emu::lanesFor<T>);
    emu::duplicate<T>(site, dst, value, selection.bitwise(mask, repeatTime),
                      emu::blockStrides(dstBlockStride, dstRepeatStride));
}

template <typename T>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, int64_t repeatTime,
          const CopyRepeatParams& params, Site site = Site::here()) {
    const emu::Selection selection("Copy", site, emu::lanesFor<T>);
    emu::copyMasked(site, dst, src, selection.continuous(mask, repeatTime), params);
}

template <typename T>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], int64_t repeatTime,
          const CopyRepeatParams& params, Site site = Site::here()) {
    const emu::Selection selection("Copy", site, emu::lanesFor<T>);
    emu::copyMasked(site, dst, src, selection.bitwise(mask, repeatTime), params);
}

/// Copy whole blocks inside the unified buffer, on the vector pipe.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, Site site = Site::here()) {
    constexpr uint32_t lanes = emu::lanesFor<T>;
    const emu::Shape shape = emu::Shape::counted(emu::countedBytes<T>(site, count) / sizeof(T), lanes);
    emu::copyLanes("DataCopy", site, dst, src, shape, emu::contiguous<T>(lanes), emu::contiguous<T>(lanes));
}

}  // namespace AscendC
