// The engine of lane-wise vector instructions: argument checks, lane geometry, execution repeat by repeat.
#pragma once

#include <tuple>
#include <utility>

#include "api/params.h"
#include "api/tensor.h"
#include "emu/dtype.h"
#include "emu/lanes.h"
#include "emu/selection.h"

namespace emu {

using AscendC::LocalTensor;

template <typename... T>
inline constexpr uint32_t widest = 0;
template <typename T, typename... Rest>
inline constexpr uint32_t widest<T, Rest...> =
    sizeof(T) > widest<Rest...> ? static_cast<uint32_t>(sizeof(T)) : widest<Rest...>;

/// Enable a function template whose pack has to stay empty.
template <typename... None>
using IfEmpty = std::enable_if_t<sizeof...(None) == 0, int>;

/// Lanes a repeat has when these element types meet: the widest type fills 256 bytes.
template <typename... T>
inline constexpr uint32_t lanesFor = chip::repeatBytes / widest<T...>;

/// Strides given in blocks.
inline Strides blockStrides(uint64_t block, uint64_t repeat) {
    return Strides{block * chip::blockBytes, repeat * chip::blockBytes};
}

/// Strides of an operand whose elements follow one another without a gap.
template <typename T>
Strides contiguous(uint32_t lanes) {
    return Strides{chip::blockBytes, uint64_t{lanes} * sizeof(T)};
}

/// A vector operand: a tensor and its strides.
template <typename T>
struct Strided {
    LocalTensor<T> tensor;
    Strides strides;

    LaneOperand lanes() const { return LaneOperand{tensor.ref(), strides, sizeof(T)}; }
    Operand operand(const char* name, Use use) const { return lanes().operand(name, use); }
};

/// Fetch the blocks of one repeat up to the lane `bound`.
template <typename T>
void loadRepeat(T* lanes, const Strided<T>& from, uint32_t repeat, uint32_t bound) {
    loadLanes(static_cast<void*>(lanes), from.lanes(), repeat, bound);
}

/// Store the active lanes of one repeat.
template <typename T>
void storeRepeat(const T* lanes, const Strided<T>& to, uint32_t repeat, const LaneMask& mask) {
    storeLanes(static_cast<const void*>(lanes), to.lanes(), repeat, mask);
}

/// The loop of a lane function over elements that lie side by side.
template <typename Op, typename D, typename... S, size_t... index>
void loopOver(const Op& op, D* __restrict__ out, const void* const* in, uint32_t lanes, std::index_sequence<index...>) {
    const auto loop = [&op, out, lanes](const S* __restrict__... from) {
        for (uint32_t lane = 0; lane < lanes; lane++) out[lane] = op(from[lane]...);
    };
    loop(static_cast<const S*>(in[index])...);
}

template <typename Op, typename D, typename... S>
void laneLoop(const void* op, void* out, const void* const* in, uint32_t lanes) {
    loopOver<Op, D, S...>(*static_cast<const Op*>(op), static_cast<D*>(out), in, lanes,
                          std::index_sequence_for<S...>{});
}

/// Run dst[lane] = op(src[lane]...) over a shape, repeat by repeat in order.
template <typename Op, typename D, typename... S>
void executeLanes(const Op& op, const Shape& shape, const Strided<D>& dst, const Strided<S>&... src) {
    runLanes(LaneCall{shape, dst.lanes(), {src.lanes()...}, sizeof...(S)}, laneLoop<Op, D, S...>, &op);
}

/// Issue a lane-wise instruction of the vector pipe. With `updates` the destination is also the last source.
template <bool updates, typename Op, typename D, typename... S>
void issueLanes(const char* api, Site site, const Op& op, const Shape& shape, Overlap overlap, const Strided<D>& dst,
                const Strided<S>&... src) {
    LaneCall call{shape, dst.lanes(), {src.lanes()...}, sizeof...(S)};
    Instruction instruction = laneInstruction(api, site, overlap, call, updates);
    if constexpr (updates) {
        call.sources[call.count++] = call.dst;
        Core::current().issue(instruction, [op, call] { runLanes(call, laneLoop<Op, D, S..., D>, &op); });
    } else {
        Core::current().issue(instruction, [op, call] { runLanes(call, laneLoop<Op, D, S...>, &op); });
    }
}

template <typename Op, typename D, typename... S>
void lanewise(const char* api, Site site, const Op& op, const Shape& shape, Overlap overlap, const Strided<D>& dst,
              const Strided<S>&... src) {
    issueLanes<false>(api, site, op, shape, overlap, dst, src...);
}

/// A two-source instruction with a ready-made lane function.
template <bool updates = false, typename Op, typename D, typename S>
void binary(const char* api, Site site, const Op& op, const Shape& shape, Overlap overlap, const LocalTensor<D>& dst,
            const LocalTensor<S>& a, const LocalTensor<S>& b, const AscendC::BinaryRepeatParams& params) {
    issueLanes<updates>(api, site, op, shape, overlap,
                        Strided<D>{dst, blockStrides(params.dstBlkStride, params.dstRepStride)},
                        Strided<S>{a, blockStrides(params.src0BlkStride, params.src0RepStride)},
                        Strided<S>{b, blockStrides(params.src1BlkStride, params.src1RepStride)});
}

template <bool updates = false, typename Op, typename D, typename S>
void binaryCounted(const char* api, Site site, const Op& op, const Shape& shape, Overlap overlap,
                   const LocalTensor<D>& dst, const LocalTensor<S>& a, const LocalTensor<S>& b) {
    constexpr uint32_t lanes = lanesFor<D, S>;
    const Strided<S> second{b, contiguous<S>(lanes)};
    issueLanes<updates>(api, site, op, shape, overlap, Strided<D>{dst, contiguous<D>(lanes)},
                        Strided<S>{a, contiguous<S>(lanes)}, second);
}

/// A one-source instruction with a ready-made lane function.
template <bool updates = false, typename Op, typename D, typename S>
void unary(const char* api, Site site, const Op& op, const Shape& shape, const LocalTensor<D>& dst,
           const LocalTensor<S>& src, const AscendC::UnaryRepeatParams& params, Overlap overlap = Overlap::general) {
    issueLanes<updates>(api, site, op, shape, overlap,
                        Strided<D>{dst, blockStrides(params.dstBlkStride, params.dstRepStride)},
                        Strided<S>{src, blockStrides(params.srcBlkStride, params.srcRepStride)});
}

template <bool updates = false, typename Op, typename D, typename S>
void unaryCounted(const char* api, Site site, const Op& op, const Shape& shape, const LocalTensor<D>& dst,
                  const LocalTensor<S>& src, Overlap overlap = Overlap::general) {
    constexpr uint32_t lanes = lanesFor<D, S>;
    issueLanes<updates>(api, site, op, shape, overlap, Strided<D>{dst, contiguous<D>(lanes)},
                        Strided<S>{src, contiguous<S>(lanes)});
}

}  // namespace emu
