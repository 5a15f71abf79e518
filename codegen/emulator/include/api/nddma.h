// Copies of up to five dimensions from global memory, with padding.
#pragma once

#include "api/copy.h"

namespace AscendC {

/// Strides and sizes of each dimension in elements; the first one is the innermost.
template <uint8_t dim>
struct NdDmaLoopInfo {
    uint64_t loopSrcStride[dim] = {0};
    uint32_t loopDstStride[dim] = {0};
    uint32_t loopSize[dim] = {0};
    uint8_t loopLpSize[dim] = {0};
    uint8_t loopRpSize[dim] = {0};
};

template <typename T, uint8_t dim>
struct NdDmaParams {
    NdDmaLoopInfo<dim> loopInfo;
    T constantValue;
};

/// Padding of a copy: the nearest element or a constant, and one size for all dimensions where it is set.
struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    uint16_t loopLpSize = unsetPad;
    uint16_t loopRpSize = unsetPad;
    bool ascOptimize = false;
};
inline constexpr NdDmaConfig kDefaultNdDmaConfig{};

/// Drop what the unit for these copies has cached; the model has no such cache.
inline void NdDmaDci() {}

}  // namespace AscendC

namespace emu {

/// One dimension: elements with padding on both sides, and strides in bytes.
struct PaddedLoop {
    int64_t left;
    int64_t size;
    int64_t right;
    int64_t srcStep;
    uint64_t dstStep;

    int64_t total() const { return left + size + right; }
};

/// An element of the destination, relative to its start, and where it comes from; -1: the constant.
struct ElementMove {
    uint64_t dst;
    int64_t src;
};

/// The elements of a copy in the order of the destination's loops, the outermost last in `loops`.
std::vector<ElementMove> elementMoves(const std::vector<PaddedLoop>& loops, bool nearest);

template <typename T, uint8_t dim>
std::vector<PaddedLoop> paddedLoops(const AscendC::NdDmaLoopInfo<dim>& info, const AscendC::NdDmaConfig& config,
                                    CopyLimits& limits) {
    constexpr int64_t longest = (int64_t{1} << 20) - 1;
    constexpr int64_t farthest = (int64_t{1} << 40) - 1;
    constexpr uint16_t unset = AscendC::NdDmaConfig::unsetPad;
    std::vector<PaddedLoop> loops;
    for (int d = 0; d < dim; d++) {
        limits.require("loopSize", info.loopSize[d], 1, longest);
        limits.require("loopSrcStride", static_cast<int64_t>(info.loopSrcStride[d]), 0, farthest);
        limits.require("loopDstStride", info.loopDstStride[d], 0, longest);
        loops.push_back(PaddedLoop{config.loopLpSize == unset ? info.loopLpSize[d] : config.loopLpSize,
                                   info.loopSize[d],
                                   config.loopRpSize == unset ? info.loopRpSize[d] : config.loopRpSize,
                                   static_cast<int64_t>(info.loopSrcStride[d] * sizeof(T)),
                                   info.loopDstStride[d] * sizeof(T)});
    }
    return loops;
}

}  // namespace emu

namespace AscendC {

template <typename T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const NdDmaParams<T, dim>& params,
              Site site = Site::here()) {
    static_assert(emu::chip::registerBased || sizeof(T) == 0, "DataCopy: this chip has no copies of several loops");
    static_assert(dim >= 1 && dim <= 5, "DataCopy: one to five dimensions");
    static_assert(sizeof(T) < 8 || !config.isNearestValueMode, "DataCopy: 8-byte types are padded with 0 only");
    emu::CopyLimits limits("DataCopy", site);
    limits.requirePlainPadding(params.constantValue);
    const auto loops = emu::paddedLoops<T>(params.loopInfo, config, limits);
    if (!limits.legal()) return;
    emu::Core& core = emu::Core::current();
    const uint64_t base = dst.ref().address;
    std::vector<emu::Run> written;
    std::vector<emu::Run> read;
    auto moves = emu::elementMoves(loops, config.isNearestValueMode);
    for (const emu::ElementMove& move : moves) {
        emu::appendRun(written, base + move.dst, base + move.dst + sizeof(T));
        const auto from = static_cast<uint64_t>(move.src);
        if (move.src >= 0) emu::appendRun(read, from, from + sizeof(T));
    }
    emu::Instruction instruction{"DataCopy", PIPE_MTE2, site};
    instruction.operands.push_back(emu::localOperand("dst", dst, emu::Use::write, std::move(written)));
    instruction.globals.push_back(src.operand(emu::Use::read, sizeof(T), std::move(read)));
    const auto* from = reinterpret_cast<const uint8_t*>(src.GetPhyAddr());
    core.issue(instruction, [to = core.ub + base, from, moves = std::move(moves), value = params.constantValue] {
        for (const emu::ElementMove& move : moves) {
            const void* source = move.src < 0 ? static_cast<const void*>(&value) : from + move.src;
            std::memcpy(to + move.dst, source, sizeof(T));
        }
    });
}

}  // namespace AscendC
