// Reductions inside the repeats of one instruction: of whole repeats, of blocks, of pairs.
#pragma once

#include "api/cast.h"
#include "api/operations.h"
#include "api/vector.h"

namespace AscendC {

enum class ReduceOrder { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

}  // namespace AscendC

namespace emu {

using AscendC::ReduceOrder;

/// Pairwise tree over `width` lanes from `first` on: neighbours first, every level rounded; inactive lanes count as 0.
template <typename D, typename S>
D treeSum(const S* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    std::array<D, maxLanes> level;
    for (uint32_t i = 0; i < width; i++) level[i] = mask.test(first + i) ? static_cast<D>(lanes[first + i]) : D{};
    for (uint32_t left = width / 2; left > 0; left /= 2) {
        for (uint32_t i = 0; i < left; i++) level[i] = AddOp{}(level[2 * i], level[2 * i + 1]);
    }
    return level[0];
}

/// The lane that holds the extreme of the active ones: the first of equals, the first NaN if there is one.
template <bool larger, typename T>
uint32_t extremeLane(const T* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    uint32_t best = maxLanes;
    for (uint32_t lane = first; lane < first + width; lane++) {
        if (!mask.test(lane)) continue;
        if (best == maxLanes || beats<larger>(lanes[lane], lanes[best])) best = lane;
    }
    return best;
}

template <typename T>
constexpr float largestFinite() {
    if constexpr (std::is_same_v<T, half>) return 65504.0f;
    else return std::numeric_limits<float>::max();
}

/// The lowest value for a maximum, the highest for a minimum.
template <bool larger, typename T>
T worst() {
    if constexpr (isFloating<T>) return narrow<T>(larger ? -HUGE_VALF : HUGE_VALF);
    else return larger ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

/// Where a reduction of repeats finds its source and puts its results. Results are counted in `resultBytes`.
template <typename S>
struct Reduction {
    const char* api;
    Site site;
    LocalRef dst;
    Strided<S> src;
    Shape shape;
    uint32_t results;
    uint32_t resultBytes;
    uint64_t dstStep;
    uint64_t alignment;

    /// Whether a result is written: single instructions leave out those of which no lane is active.
    bool writes(uint32_t repeat, uint32_t result) const {
        if (chip::registerBased) return true;
        const uint32_t width = shape.lanes / results;
        for (uint32_t lane = result * width; lane < (result + 1) * width; lane++) {
            if (shape.maskOf(repeat).test(lane)) return true;
        }
        return false;
    }

    std::vector<Run> written() const {
        std::vector<Run> runs;
        for (uint32_t r = dstStep == 0 && shape.repeats > 0 ? shape.repeats - 1 : 0; r < shape.repeats; r++) {
            for (uint32_t i = 0; i < results; i++) {
                const uint64_t begin = dst.address + r * dstStep + i * resultBytes;
                if (writes(r, i)) appendRun(runs, begin, begin + resultBytes);
            }
        }
        return runs;
    }
};

/// Issue a reduction: `reduce(repeat, lanes, mask, out)` turns one repeat into the bytes of its results.
template <typename S, typename Reduce>
void reduceRepeats(const Reduction<S>& call, const Reduce& reduce) {
    Core* core = &Core::current();
    Instruction instruction{call.api, PIPE_V, call.site, call.shape, Overlap::forbidden};
    instruction.operands.push_back(
        Operand{"dst", call.dst, Use::write, call.resultBytes, call.alignment, false, {}, call.written()});
    instruction.operands.push_back(call.src.operand("src", Use::read));
    core->issue(instruction, [=] {
        std::array<S, maxLanes> lanes{};
        std::array<uint8_t, chip::repeatBytes> out{};
        for (uint32_t r = 0; r < call.shape.repeats; r++) {
            const LaneMask& mask = call.shape.maskOf(r);
            loadRepeat(lanes.data(), call.src, r, mask.bound());
            reduce(r, lanes.data(), mask, out.data());
            uint8_t* to = core->ub + call.dst.address + r * call.dstStep;
            for (uint32_t i = 0; i < call.results; i++) {
                const uint32_t at = i * call.resultBytes;
                if (call.writes(r, i)) std::memcpy(to + at, out.data() + at, call.resultBytes);
            }
        }
    });
}

/// The lanes of a masked call.
template <bool isSetMask>
Shape maskedLanes(const Selection& selection, uint64_t mask, int64_t repeats) {
    return selection.continuous(mask, repeats, isSetMask);
}
template <bool isSetMask>
Shape maskedLanes(const Selection& selection, const uint64_t* mask, int64_t repeats) {
    return selection.bitwise(mask, repeats, isSetMask);
}

/// The strides of a reduction's source, with their limits.
inline Strides sourceStrides(const char* api, Site site, int64_t block, int64_t repeat) {
    constexpr int64_t largest = chip::maxWideStride;
    if (block < 0 || block > largest || repeat < 0 || repeat > largest) {
        Core::current().report(Rule::repeatRange, api, site,
                               text("a source stride is outside 0..%lld", (long long)largest));
        return Strides{0, 0};
    }
    return blockStrides(static_cast<uint64_t>(block), static_cast<uint64_t>(repeat));
}

/// Put a value at a place among the results.
template <typename T>
void putResult(uint8_t* out, uint32_t index, T value) {
    std::memcpy(out + index * sizeof(T), &value, sizeof value);
}

/// The sum of each whole repeat.
template <bool isSetMask, typename D, typename S, typename Mask>
void wholeSums(const char* api, Site site, const LocalTensor<D>& dst, const LocalTensor<S>& src, Mask mask,
               int64_t repeats, int64_t dstStride, Strides strides) {
    static_assert(isLegalFor<D, S>("WholeReduceSum"), "WholeReduceSum: not on this chip for these types");
    const Shape shape = maskedLanes<isSetMask>(Selection(api, site, lanesFor<S>), mask, repeats);
    const Reduction<S> call{api,       site, dst.ref(), Strided<S>{src, strides}, shape, 1, sizeof(D),
                            static_cast<uint64_t>(dstStride) * sizeof(D), sizeof(D)};
    reduceRepeats(call, [](uint32_t, const S* lanes, const LaneMask& active, uint8_t* out) {
        putResult(out, 0, treeSum<D>(lanes, active, 0, lanesFor<S>));
    });
}

/// An index in the slot of an element: its bits as an unsigned integer.
template <typename T>
void putIndex(uint8_t* out, uint32_t slot, uint32_t index) {
    const auto bits = static_cast<UnsignedOf<sizeof(T)>>(index);
    std::memcpy(out + slot * sizeof(T), &bits, sizeof bits);
}

/// The extreme of each whole repeat, its lane, or both.
template <bool larger, bool isSetMask, typename T, typename Mask>
void wholeExtremes(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                   int64_t repeats, int64_t dstStride, Strides strides, ReduceOrder order) {
    static_assert(isLegalFor<T, T>("WholeReduceMax"), "WholeReduceMax, WholeReduceMin: not on this chip for this type");
    const bool both = order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_INDEX_VALUE;
    const uint32_t unit = order == ReduceOrder::ORDER_ONLY_INDEX ? 4 : both ? 2 * sizeof(T) : sizeof(T);
    const Shape shape = maskedLanes<isSetMask>(Selection(api, site, lanesFor<T>), mask, repeats);
    const Reduction<T> call{api,  site, dst.ref(), Strided<T>{src, strides}, shape, 1, unit,
                            static_cast<uint64_t>(dstStride) * unit, unit};
    Core* core = &Core::current();
    reduceRepeats(call, [=](uint32_t r, const T* lanes, const LaneMask& active, uint8_t* out) {
        const uint32_t lane = extremeLane<larger>(lanes, active, 0, lanesFor<T>);
        const T value = lane < maxLanes ? lanes[lane] : worst<larger, T>();
        if constexpr (isFloating<T>) {
            Registers& registers = core->registers;
            if (r == 0 || beats<larger>(widen(value), registers.repeatExtreme)) {
                registers.repeatExtreme = widen(value);
                registers.repeatIndex = r * lanesFor<T> + lane;
            }
        }
        if (order == ReduceOrder::ORDER_ONLY_INDEX) return putIndex<uint32_t>(out, 0, lane);
        const bool indexFirst = order == ReduceOrder::ORDER_INDEX_VALUE;
        putResult(out, indexFirst ? 1 : 0, value);
        if (both) putIndex<T>(out, indexFirst ? 0 : 1, lane);
    });
}

/// One result a block; `block(lanes, mask, first, width)` makes it.
template <bool isSetMask, typename T, typename Mask, typename Block>
void blockResults(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                  int64_t repeats, int64_t dstStride, Strides strides, const Block& block) {
    constexpr uint32_t blocks = chip::repeatBytes / chip::blockBytes;
    constexpr uint32_t width = lanesFor<T> / blocks;
    constexpr uint64_t unit = blocks * sizeof(T);
    const Shape shape = maskedLanes<isSetMask>(Selection(api, site, lanesFor<T>), mask, repeats);
    const Reduction<T> call{api,  site, dst.ref(), Strided<T>{src, strides}, shape, blocks, sizeof(T),
                            static_cast<uint64_t>(dstStride) * unit, unit};
    reduceRepeats(call, [block](uint32_t, const T* lanes, const LaneMask& active, uint8_t* out) {
        for (uint32_t b = 0; b < blocks; b++) putResult(out, b, block(lanes, active, b * width, width));
    });
}

template <typename T>
T blockSum(const T* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    return treeSum<T>(lanes, mask, first, width);
}

template <bool larger, typename T>
T blockExtremeOf(const T* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    const uint32_t lane = extremeLane<larger>(lanes, mask, first, width);
    return lane < maxLanes ? lanes[lane] : worst<larger, T>();
}

template <typename T>
T blockMaximum(const T* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    return blockExtremeOf<true>(lanes, mask, first, width);
}

template <typename T>
T blockMinimum(const T* lanes, const LaneMask& mask, uint32_t first, uint32_t width) {
    return blockExtremeOf<false>(lanes, mask, first, width);
}

/// Sums of neighbours, half as many as lanes.
template <bool isSetMask, typename T, typename Mask>
void pairSums(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int64_t repeats,
              int64_t dstStride, Strides strides) {
    static_assert(isLegalFor<T, T>("PairReduceSum"), "PairReduceSum: not on this chip for this type");
    constexpr uint32_t pairs = lanesFor<T> / 2;
    constexpr uint64_t unit = chip::repeatBytes / 2;
    const Shape shape = maskedLanes<isSetMask>(Selection("PairReduceSum", site, lanesFor<T>), mask, repeats);
    const Reduction<T> call{"PairReduceSum", site, dst.ref(), Strided<T>{src, strides}, shape, pairs, sizeof(T),
                            static_cast<uint64_t>(dstStride) * unit, chip::blockBytes};
    reduceRepeats(call, [](uint32_t, const T* lanes, const LaneMask& active, uint8_t* out) {
        for (uint32_t i = 0; i < pairs; i++) putResult(out, i, treeSum<T>(lanes, active, 2 * i, 2));
    });
}

}  // namespace emu

namespace AscendC {

// Each reduction takes a number or an array as mask.
#define EMU_REDUCE(MaskType)                                                                                         \
    template <typename T, bool isSetMask = true>                                                                     \
    void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, MaskType mask, int64_t repeatTime,     \
                        int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                            \
                        Site site = Site::here()) {                                                                  \
        const auto strides = emu::sourceStrides("WholeReduceSum", site, srcBlkStride, srcRepStride);                 \
        emu::wholeSums<isSetMask>("WholeReduceSum", site, dst, src, mask, repeatTime, dstRepStride, strides);        \
    }                                                                                                                \
    template <typename D, typename S, bool isSetMask = true>                                                         \
    void WholeReduceSum(const LocalTensor<D>& dst, const LocalTensor<S>& src, MaskType mask, int64_t repeatTime,     \
                        int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                            \
                        Site site = Site::here()) {                                                                  \
        const auto strides = emu::sourceStrides("WholeReduceSum", site, srcBlkStride, srcRepStride);                 \
        emu::wholeSums<isSetMask>("WholeReduceSum", site, dst, src, mask, repeatTime, dstRepStride, strides);        \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, MaskType mask, int64_t repeatTime,     \
                        int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                            \
                        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Site site = Site::here()) {              \
        const auto strides = emu::sourceStrides("WholeReduceMax", site, srcBlkStride, srcRepStride);                 \
        emu::wholeExtremes<true, isSetMask>("WholeReduceMax", site, dst, src, mask, repeatTime, dstRepStride,        \
                                            strides, order);                                                         \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, MaskType mask, int64_t repeatTime,     \
                        int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                            \
                        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Site site = Site::here()) {              \
        const auto strides = emu::sourceStrides("WholeReduceMin", site, srcBlkStride, srcRepStride);                 \
        emu::wholeExtremes<false, isSetMask>("WholeReduceMin", site, dst, src, mask, repeatTime, dstRepStride,       \
                                             strides, order);                                                        \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t repeatTime, MaskType mask,      \
                       int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                             \
                       Site site = Site::here()) {                                                                   \
        const auto strides = emu::sourceStrides("PairReduceSum", site, srcBlkStride, srcRepStride);                  \
        emu::pairSums<isSetMask>(site, dst, src, mask, repeatTime, dstRepStride, strides);                           \
    }

EMU_REDUCE(uint64_t)
EMU_REDUCE(const uint64_t*)
#undef EMU_REDUCE

// The block-wise reductions differ only in how a block becomes a value.
#define EMU_BLOCK_REDUCE(Name, MaskType, function)                                                                   \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t repeatTime, MaskType mask,               \
              int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, Site site = Site::here()) {          \
        static_assert(emu::isLegalFor<T, T>(#Name), #Name ": not in this chip's vector unit for this type");         \
        const auto strides = emu::sourceStrides(#Name, site, srcBlkStride, srcRepStride);                            \
        emu::blockResults<isSetMask>(#Name, site, dst, src, mask, repeatTime, dstRepStride, strides, function<T>);   \
    }

EMU_BLOCK_REDUCE(BlockReduceSum, uint64_t, emu::blockSum)
EMU_BLOCK_REDUCE(BlockReduceSum, const uint64_t*, emu::blockSum)
EMU_BLOCK_REDUCE(BlockReduceMax, uint64_t, emu::blockMaximum)
EMU_BLOCK_REDUCE(BlockReduceMax, const uint64_t*, emu::blockMaximum)
EMU_BLOCK_REDUCE(BlockReduceMin, uint64_t, emu::blockMinimum)
EMU_BLOCK_REDUCE(BlockReduceMin, const uint64_t*, emu::blockMinimum)
#undef EMU_BLOCK_REDUCE

/// The sum of each repeat; dstBlkStride has no meaning.
template <typename T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t repeatTime,
                     int32_t elemsInOneRepeat, int32_t /*dstBlkStride*/, int32_t srcBlkStride, int32_t dstRepStride,
                     int32_t srcRepStride, Site site = Site::here()) {
    const auto strides = emu::sourceStrides("RepeatReduceSum", site, srcBlkStride, srcRepStride);
    emu::wholeSums<isSetMask>("RepeatReduceSum", site, dst, src, static_cast<uint64_t>(elemsInOneRepeat), repeatTime,
                              dstRepStride, strides);
}

/// The sum of each repeat in a wider type.
template <typename D, typename S, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<D>& dst, const LocalTensor<S>& src, int64_t repeatTime,
                     int32_t elemsInOneRepeat, int32_t /*dstBlkStride*/, int32_t srcBlkStride, int32_t dstRepStride,
                     int32_t srcRepStride, Site site = Site::here()) {
    const auto strides = emu::sourceStrides("RepeatReduceSum", site, srcBlkStride, srcRepStride);
    emu::wholeSums<isSetMask>("RepeatReduceSum", site, dst, src, static_cast<uint64_t>(elemsInOneRepeat), repeatTime,
                              dstRepStride, strides);
}

/// The sum that the last count form of ReduceSum left in its register.
template <typename T>
T GetReduceRepeatSumSpr(Site site = Site::here()) {
    emu::Core& core = emu::Core::current();
    emu::Instruction read{"GetReduceRepeatSumSpr", PIPE_S, site};
    T value{};
    core.issue(read, [&] { value = emu::narrow<T>(core.registers.repeatSum); });
    return value;
}

template <typename T>
T GetAccVal(Site site = Site::here()) {
    return GetReduceRepeatSumSpr<T>(site);
}
/// The bits of the sum as a float.
inline int64_t GetAccVal(Site site = Site::here()) { return emu::bitsOf(GetReduceRepeatSumSpr<float>(site)); }

/// The extreme of all repeats that the last WholeReduceMax or WholeReduceMin left in its register, and its index.
template <typename T>
void GetReduceRepeatMaxMinSpr(T& value, T& index, Site site = Site::here()) {
    static_assert(!emu::chip::registerBased || sizeof(T) == 0, "GetReduceRepeatMaxMinSpr: not on this chip");
    emu::Core& core = emu::Core::current();
    emu::Instruction read{"GetReduceRepeatMaxMinSpr", PIPE_S, site};
    core.issue(read, [&] {
        value = emu::narrow<T>(core.registers.repeatExtreme);
        emu::putIndex<T>(reinterpret_cast<uint8_t*>(&index), 0, core.registers.repeatIndex);
    });
}

template <typename T>
void GetReduceRepeatMaxMinSpr(T& value, Site site = Site::here()) {
    T index;
    GetReduceRepeatMaxMinSpr(value, index, site);
}

template <typename T>
void GetReduceMaxMinCount(T& value, T& index, Site site = Site::here()) {
    GetReduceRepeatMaxMinSpr(value, index, site);
}

template <typename T>
void GetReduceMaxMinCount(T& value, Site site = Site::here()) {
    GetReduceRepeatMaxMinSpr(value, site);
}

}  // namespace AscendC
