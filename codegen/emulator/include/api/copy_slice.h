// Copies of blocks inside the unified buffer, and of slices of tensors with several axes.
#pragma once

#include "api/copy.h"

namespace AscendC {

/// Slices of one axis: from startIndex to endIndex (both included), burstLen blocks each, `stride` elements apart.
struct SliceInfo {
    uint32_t startIndex = 0;
    uint32_t endIndex = 0;
    uint32_t stride = 0;
    uint32_t burstLen = 0;
    uint32_t shapeValue = 0;
};

}  // namespace AscendC

namespace emu {

using AscendC::SliceInfo;

inline constexpr uint32_t maxSliceAxes = 8;
inline constexpr size_t maxSlices = 1536;

/// Element offsets of all slices, the first axis fastest. Each slice has the length of the first axis' bursts.
inline std::vector<uint64_t> sliceOffsets(const SliceInfo* axes, uint32_t count, uint64_t burst) {
    std::vector<uint64_t> offsets{0};
    uint64_t pitch = 1;
    for (uint32_t axis = 0; axis < count; axis++) {
        const SliceInfo& info = axes[axis];
        const uint64_t step = info.stride + (axis == 0 ? burst : info.burstLen);
        std::vector<uint64_t> longer;
        for (uint64_t at = info.startIndex; at <= info.endIndex; at += step) {
            for (uint64_t inner : offsets) longer.push_back(inner + at * pitch);
        }
        offsets = std::move(longer);
        pitch *= info.shapeValue;
    }
    return offsets;
}

/// Report slices that the call does not have.
template <typename T>
bool slicesLegal(const SliceInfo* axes, uint32_t count, uint64_t burst, Site site) {
    CopyLimits limits("DataCopy", site);
    limits.require("dimValue", count, 1, maxSliceAxes);
    if (!limits.legal()) return false;
    for (uint32_t axis = 0; axis < count; axis++) {
        const SliceInfo& info = axes[axis];
        if (axis > 0) limits.require("burstLen", info.burstLen, 1, 1);
        limits.require("startIndex", info.startIndex, 0, info.endIndex);
        limits.require("endIndex", info.endIndex, 0, int64_t{info.shapeValue} - 1);
        const uint64_t step = info.stride + (axis == 0 ? burst : info.burstLen);
        limits.require("burstLen", info.burstLen, 1, chip::maxBlockBytes / chip::blockBytes);
        if (step > 0) {
            limits.requireMultiple("endIndex - startIndex + 1 + stride",
                                   uint64_t{info.endIndex} - info.startIndex + 1 + info.stride, step);
        }
    }
    return limits.legal();
}

/// The two sides of a sliced copy.
struct Slices {
    std::vector<uint64_t> global;
    std::vector<uint64_t> local;
    uint64_t bytes = 0;
    bool legal = false;
};

template <typename T>
Slices pairSlices(const SliceInfo* global, const SliceInfo* local, uint32_t count, Site site) {
    Slices slices;
    const uint64_t burst = uint64_t{global[0].burstLen} * chip::blockBytes / sizeof(T);
    slices.legal = slicesLegal<T>(global, count, burst, site) && slicesLegal<T>(local, count, burst, site);
    if (!slices.legal) return slices;
    slices.bytes = burst * sizeof(T);
    slices.global = sliceOffsets(global, count, burst);
    slices.local = sliceOffsets(local, count, burst);
    CopyLimits limits("DataCopy", site);
    limits.require("burstLen of both sides", local[0].burstLen, global[0].burstLen, global[0].burstLen);
    const auto number = static_cast<int64_t>(slices.global.size());
    limits.require("slices of both sides", static_cast<int64_t>(slices.local.size()), number, number);
    limits.require("slices", number, 1, static_cast<int64_t>(maxSlices));
    slices.legal = limits.legal();
    return slices;
}

}  // namespace emu

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1, Site site = Site::here()) {
    const emu::Slices slices = emu::pairSlices<T>(srcSliceInfo, dstSliceInfo, dimValue, site);
    for (size_t i = 0; slices.legal && i < slices.global.size(); i++) {
        emu::copyIn("DataCopy", site, dst[static_cast<uint32_t>(slices.local[i])], src[slices.global[i]],
                    emu::BlockCopy{1, slices.bytes, 0, 0}, {0, slices.bytes, 0, true}, T{}, 1);
    }
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1, Site site = Site::here()) {
    const emu::Slices slices = emu::pairSlices<T>(dstSliceInfo, srcSliceInfo, dimValue, site);
    for (size_t i = 0; slices.legal && i < slices.global.size(); i++) {
        emu::copyOut("DataCopy", site, dst[slices.global[i]], src[static_cast<uint32_t>(slices.local[i])],
                     emu::BlockCopy{1, slices.bytes, 0, 0}, 1);
    }
}

/// Copy blocks inside the unified buffer, on the vector pipe.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              Site site = Site::here()) {
    const emu::BlockCopy read = emu::wholeBlocks(params, 0, params.srcStride, site);
    const emu::BlockCopy write = emu::wholeBlocks(params, 0, params.dstStride, site);
    const uint64_t from = src.ref().address;
    const uint64_t to = dst.ref().address;
    emu::Instruction move{"DataCopy", PIPE_V, site};
    move.overlap = from == to ? emu::Overlap::general : emu::Overlap::forbidden;
    move.operands.push_back(emu::localOperand("dst", dst, emu::Use::write, write.localRuns(to)));
    move.operands.push_back(emu::localOperand("src", src, emu::Use::read, read.localRuns(from)));
    emu::Core::current().issue(move, [=, ub = emu::Core::current().ub] {
        for (uint64_t i = 0; i < read.count; i++) {
            std::memmove(ub + to + i * write.localStep, ub + from + i * read.localStep, read.length);
        }
    });
}

}  // namespace AscendC
