// Filling and moving data inside the unified buffer.
#pragma once

#include "api/copy.h"
#include "api/vector.h"

namespace emu {

/// Issue a fill of the lanes of a shape with one value.
template <typename T>
void duplicate(Site site, const LocalTensor<T>& dst, T value, const Shape& shape, Strides strides) {
    lanewise("Duplicate", site, [value] { return value; }, shape, Overlap::general, Strided<T>{dst, strides});
}

/// Issue a fill with the first element of a tensor.
template <typename T>
void duplicateFirst(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Shape& shape) {
    const Strided<T> to{dst, contiguous<T>(lanesFor<T>)};
    const uint64_t from = src.ref().address;
    Instruction instruction{"Duplicate", PIPE_V, site, shape, Overlap::forbidden};
    instruction.operands.push_back(to.operand("dst", Use::write));
    instruction.operands.push_back(
        Operand{"src", src.ref(), Use::read, sizeof(T), chip::blockBytes, false, {}, {{from, from + sizeof(T)}}});
    Core::current().issue(instruction, [=] {
        T value;
        std::memcpy(static_cast<void*>(&value), src.bytes(), sizeof value);
        executeLanes([value] { return value; }, shape, to);
    });
}

/// Issue a lane-wise move.
template <typename T>
void copyLanes(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Shape& shape,
               Strides dstStrides, Strides srcStrides) {
    lanewise(api, site, [](T x) { return x; }, shape, Overlap::general, Strided<T>{dst, dstStrides},
             Strided<T>{src, srcStrides});
}

inline bool legalCopy(Site site, const AscendC::CopyRepeatParams& params) {
    constexpr int64_t largest = (1 << 12) - 1;
    CopyLimits limits("Copy", site);
    limits.require("dstRepeatSize", params.dstRepeatSize, 0, largest);
    limits.require("srcRepeatSize", params.srcRepeatSize, 0, largest);
    return limits.legal();
}

template <typename T>
void copyMasked(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Shape& shape,
                const AscendC::CopyRepeatParams& params) {
    static_assert(isLegalFor<T, T>("Copy"), "Copy: not in this chip's vector unit for this type");
    if (!legalCopy(site, params)) return;
    copyLanes("Copy", site, dst, src, shape, blockStrides(params.dstStride, params.dstRepeatSize),
              blockStrides(params.srcStride, params.srcRepeatSize));
}

/// Counter mode: unlike elsewhere the count is that of one repeat, which may be longer than 256 bytes.
template <typename T>
void copyCounted(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t count, int64_t repeats,
                 const AscendC::CopyRepeatParams& p) {
    static_assert(isLegalFor<T, T>("Copy"), "Copy: not in this chip's vector unit for this type");
    if (!legalCopy(site, p)) return;
    constexpr uint64_t chunk = chip::repeatBytes / chip::blockBytes;
    const Shape row = Shape::counted(static_cast<uint32_t>(count), lanesFor<T>);
    for (int64_t r = 0; r < repeats; r++) {
        const auto at = [r](const LocalTensor<T>& tensor, uint64_t step) {
            return tensor[static_cast<uint32_t>(static_cast<uint64_t>(r) * step * chip::blockBytes / sizeof(T))];
        };
        copyLanes("Copy", site, at(dst, p.dstRepeatSize), at(src, p.srcRepeatSize), row,
                  blockStrides(p.dstStride, chunk * p.dstStride), blockStrides(p.srcStride, chunk * p.srcStride));
    }
}

}  // namespace emu

namespace AscendC {

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, int64_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T>("Duplicate"), "Duplicate: not in this chip's vector unit for this type");
    constexpr uint32_t lanes = emu::lanesFor<T>;
    emu::duplicate<T>(site, dst, value, emu::Selection("Duplicate", site, lanes).counted(count),
                      emu::contiguous<T>(lanes));
}

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, uint64_t mask, int64_t repeatTime,
               uint16_t dstBlockStride, uint8_t dstRepeatStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T>("Duplicate"), "Duplicate: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("Duplicate", site, emu::lanesFor<T>).continuous(mask, repeatTime, isSetMask);
    emu::duplicate<T>(site, dst, value, shape, emu::blockStrides(dstBlockStride, dstRepeatStride));
}

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const Same<T>& value, const uint64_t mask[], int64_t repeatTime,
               uint16_t dstBlockStride, uint8_t dstRepeatStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T>("Duplicate"), "Duplicate: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("Duplicate", site, emu::lanesFor<T>).bitwise(mask, repeatTime, isSetMask);
    emu::duplicate<T>(site, dst, value, shape, emu::blockStrides(dstBlockStride, dstRepeatStride));
}

/// Fill with the first element of a tensor.
template <typename T>
void Duplicate(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, Site site = Site::here()) {
    static_assert(emu::chip::registerBased && emu::isLegalCount<T>("Duplicate"),
                  "Duplicate: not in this chip's vector unit with a tensor as source");
    emu::duplicateFirst(site, dst, src, emu::Selection("Duplicate", site, emu::lanesFor<T>).counted(count));
}

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, int64_t repeatTime,
          const CopyRepeatParams& params, Site site = Site::here()) {
    if (emu::Core::current().mask.counter) {
        const uint64_t count = isSetMask ? mask : emu::Core::current().mask.low;
        return emu::copyCounted(site, dst, src, count, repeatTime, params);
    }
    const emu::Selection selection("Copy", site, emu::lanesFor<T>);
    emu::copyMasked(site, dst, src, selection.continuous(mask, repeatTime, isSetMask), params);
}

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], int64_t repeatTime,
          const CopyRepeatParams& params, Site site = Site::here()) {
    if (emu::Core::current().mask.counter) {
        const uint64_t count = isSetMask ? mask[0] : emu::Core::current().mask.low;
        return emu::copyCounted(site, dst, src, count, repeatTime, params);
    }
    const emu::Selection selection("Copy", site, emu::lanesFor<T>);
    emu::copyMasked(site, dst, src, selection.bitwise(mask, repeatTime, isSetMask), params);
}

template <typename T>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, Site site = Site::here()) {
    static_assert(emu::chip::registerBased && emu::isLegalFor<T, T>("Copy"),
                  "Copy: not in this chip's vector unit with a count");
    constexpr uint32_t lanes = emu::lanesFor<T>;
    emu::copyLanes("Copy", site, dst, src, emu::Selection("Copy", site, lanes).counted(count),
                   emu::contiguous<T>(lanes), emu::contiguous<T>(lanes));
}

/// Copy whole blocks inside the unified buffer, on the vector pipe.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, Site site = Site::here()) {
    constexpr uint32_t lanes = emu::lanesFor<T>;
    const emu::Shape shape = emu::Shape::counted(emu::countedBytes<T>(site, count) / sizeof(T), lanes);
    emu::copyLanes("DataCopy", site, dst, src, shape, emu::contiguous<T>(lanes), emu::contiguous<T>(lanes));
}

}  // namespace AscendC
