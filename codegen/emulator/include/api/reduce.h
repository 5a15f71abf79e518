// Reductions inside a repeat, and the broadcast of elements to blocks.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

/// Where a reduction of repeats finds its source and puts its results.
template <typename T>
struct Reduction {
    const char* api;
    Site site;
    LocalTensor<T> dst;
    Strided<T> src;
    Shape shape;
    uint32_t results;
    uint64_t dstStep;
    uint64_t alignment;

    std::vector<Run> written() const {
        std::vector<Run> runs;
        for (uint32_t r = 0; r < shape.repeats; r++) {
            const uint64_t begin = dst.ref().address + r * dstStep;
            if (r == 0 || dstStep > 0) appendRun(runs, begin, begin + results * sizeof(T));
        }
        return runs;
    }
};

/// Issue a reduction: `reduce(lanes, mask, out)` turns one repeat into its results.
template <typename T, typename Reduce>
void reduceRepeats(const Reduction<T>& call, const Reduce& reduce) {
    static_assert(sizeof(T) <= 4);
    Core& core = Core::current();
    Instruction instruction{call.api, PIPE_V, call.site, call.shape, Overlap::forbidden};
    instruction.operands.push_back(
        Operand{"dst", call.dst.ref(), Use::write, sizeof(T), call.alignment, false, {}, call.written()});
    instruction.operands.push_back(call.src.operand("src", Use::read));
    core.issue(instruction, [&] {
        std::array<T, maxLanes> lanes{}, out{};
        for (uint32_t r = 0; r < call.shape.repeats; r++) {
            loadRepeat(lanes.data(), call.src, r, call.shape.mask.bound());
            reduce(lanes, call.shape.mask, out);
            std::memcpy(core.ub + call.dst.ref().address + r * call.dstStep, out.data(), call.results * sizeof(T));
        }
    });
}

/// Pairwise tree over `width` lanes from `first` on: neighbours first, every level rounded; inactive lanes count as 0.
template <typename T>
T treeSum(const std::array<T, maxLanes>& lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    std::array<T, maxLanes> level{};
    for (uint32_t i = 0; i < width; i++) level[i] = mask.test(first + i) ? lanes[first + i] : T{};
    for (uint32_t left = width / 2; left > 0; left /= 2) {
        for (uint32_t i = 0; i < left; i++) level[i] = AddOp{}(level[2 * i], level[2 * i + 1]);
    }
    return level[0];
}

/// A block without an active lane: chips disagree on its result.
template <typename T>
void checkBlocks(const Reduction<T>& call) {
    constexpr uint32_t perBlock = chip::blockBytes / sizeof(T);
    for (uint32_t first = 0; call.shape.repeats > 0 && first < call.shape.lanes; first += perBlock) {
        uint32_t active = 0;
        for (uint32_t i = 0; i < perBlock; i++) active += call.shape.mask.test(first + i);
        if (active > 0) continue;
        Core::current().report(Rule::chipDependent, call.api, call.site,
                               text("block %u has no active element: chips disagree on its result", first / perBlock));
        return;
    }
}

/// The shape of a reduction call and its source strides; the destination step is in bytes.
template <typename T>
Reduction<T> reduction(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask,
                       int64_t repeats, uint32_t results, uint64_t dstStep, uint64_t alignment, int64_t srcBlkStride,
                       int64_t srcRepStride) {
    const Selection selection(api, site, lanesFor<T>);
    return Reduction<T>{api, site, dst,
                        Strided<T>{src, blockStrides(static_cast<uint64_t>(srcBlkStride),
                                                     static_cast<uint64_t>(srcRepStride))},
                        selection.continuous(mask, repeats), results, dstStep, alignment};
}

/// One result a block; `Op` is the sum, or the larger or smaller element.
template <typename T, typename Block>
void reduceBlocks(const Reduction<T>& call, const Block& block) {
    constexpr uint32_t perBlock = chip::blockBytes / sizeof(T);
    checkBlocks(call);
    reduceRepeats(call, [&](const auto& lanes, const LaneMask& mask, auto& out) {
        for (uint32_t b = 0; b < call.results; b++) out[b] = block(lanes, mask, b * perBlock, perBlock);
    });
}

/// The larger or smaller of the active elements of a block, 0 if there are none.
template <bool larger, typename T>
T extremeOf(const std::array<T, maxLanes>& lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    T best{};
    bool any = false;
    for (uint32_t lane = first; lane < first + width; lane++) {
        if (!mask.test(lane)) continue;
        best = any ? extreme<larger>(best, lanes[lane]) : lanes[lane];
        any = true;
    }
    return best;
}

}  // namespace emu

namespace AscendC {

template <typename T>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, int64_t repeatTime,
                    int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("WholeReduceSum"), "the chip's vector unit does not have this reduction");
    const auto call = emu::reduction("WholeReduceSum", site, dst, src, mask, repeatTime, 1,
                                     static_cast<uint64_t>(dstRepStride) * sizeof(T), sizeof(T), srcBlkStride,
                                     srcRepStride);
    emu::reduceRepeats(call, [](const auto& lanes, const emu::LaneMask& active, auto& out) {
        out[0] = emu::treeSum(lanes, active, 0, emu::lanesFor<T>);
    });
}

template <typename T>
void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t repeatTime, uint64_t mask,
                   int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("PairReduceSum"), "the chip's vector unit does not have this reduction");
    constexpr uint64_t unit = emu::chip::repeatBytes / 2;
    const auto call = emu::reduction("PairReduceSum", site, dst, src, mask, repeatTime,
                                     static_cast<uint32_t>((mask + 1) / 2), static_cast<uint64_t>(dstRepStride) * unit,
                                     emu::chip::blockBytes, srcBlkStride, srcRepStride);
    emu::reduceRepeats(call, [&](const auto& lanes, const emu::LaneMask& active, auto& out) {
        for (uint32_t i = 0; i < call.results; i++) out[i] = emu::treeSum(lanes, active, 2 * i, 2);
    });
}

// The block-wise reductions differ only in how a block becomes a value.
#define EMU_BLOCK_REDUCE(Name, function)                                                                             \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t repeatTime, uint64_t mask,               \
              int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, Site site = Site::here()) {          \
        static_assert(emu::isLegalFor<T, T>(#Name), "the chip's vector unit does not have this reduction");          \
        constexpr uint32_t blocks = emu::chip::repeatBytes / emu::chip::blockBytes;                                  \
        constexpr uint64_t unit = blocks * sizeof(T);                                                                \
        emu::reduceBlocks(emu::reduction(#Name, site, dst, src, mask, repeatTime, blocks,                            \
                                         static_cast<uint64_t>(dstRepStride) * unit, unit, srcBlkStride,             \
                                         srcRepStride),                                                              \
                          [](const auto& lanes, const emu::LaneMask& active, uint32_t first, uint32_t width) {       \
                              return emu::function(lanes, active, first, width);                                     \
                          });                                                                                        \
    }

EMU_BLOCK_REDUCE(BlockReduceSum, treeSum)
EMU_BLOCK_REDUCE(BlockReduceMax, extremeOf<true>)
EMU_BLOCK_REDUCE(BlockReduceMin, extremeOf<false>)
#undef EMU_BLOCK_REDUCE

/// Fill one block with each source element, eight elements a repeat.
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t repeatTime, const BrcbRepeatParams& params,
          Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Brcb"), "the chip's vector unit does not have this API for this type");
    constexpr uint64_t block = emu::chip::blockBytes;
    constexpr uint64_t perRepeat = emu::chip::repeatBytes / block;
    const uint64_t blockStride = params.dstBlkStride == 0 ? 1 : params.dstBlkStride;
    emu::Core& core = emu::Core::current();
    emu::Instruction instruction{"Brcb", PIPE_V, site, {}, emu::Overlap::forbidden};
    const uint64_t from = src.ref().address;
    const uint64_t to = dst.ref().address;
    std::vector<emu::Run> written;
    for (uint64_t i = 0; i < repeatTime * perRepeat; i++) {
        const uint64_t at = to + (i / perRepeat * params.dstRepStride + i % perRepeat * blockStride) * block;
        emu::appendRun(written, at, at + block);
    }
    instruction.operands.push_back(
        emu::Operand{"dst", dst.ref(), emu::Use::write, sizeof(T), block, false, {}, written});
    instruction.operands.push_back(emu::Operand{"src", src.ref(), emu::Use::read, sizeof(T), block, false, {},
                                                {{from, from + repeatTime * perRepeat * sizeof(T)}}});
    core.issue(instruction, [&] {
        for (uint64_t i = 0; i < repeatTime * perRepeat; i++) {
            const uint64_t at = to + (i / perRepeat * params.dstRepStride + i % perRepeat * blockStride) * block;
            for (uint64_t b = 0; b < block; b += sizeof(T)) {
                std::memcpy(core.ub + at + b, core.ub + from + i * sizeof(T), sizeof(T));
            }
        }
    });
}

}  // namespace AscendC
