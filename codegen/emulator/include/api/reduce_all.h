// Reductions of a whole tensor to one value: ReduceSum, ReduceMax, ReduceMin.
#pragma once

#include <memory>

#include "api/reduce.h"

namespace emu {

/// A call that reduces everything. `tmp` is the work buffer, `step` the distance of repeats in elements.
template <typename T>
struct FullReduction {
    const char* api;
    Site site;
    LocalTensor<T> dst;
    Strided<T> src;
    LocalTensor<T> tmp;
    Shape shape;

    uint64_t step() const { return src.strides.repeat / sizeof(T); }
};

/// The lanes of a masked call, whose number of repeats has no limit.
template <typename Mask>
Shape manyRepeats(const Selection& selection, Mask mask, int64_t repeats) {
    Shape shape;
    if constexpr (std::is_pointer_v<Mask>) shape = selection.bitwise(mask, repeats < 1 ? repeats : 1);
    else shape = selection.continuous(mask, repeats < 1 ? repeats : 1);
    if (!Core::current().mask.counter && shape.repeats > 0) shape.repeats = static_cast<uint32_t>(repeats);
    return shape;
}

/// Elements in whole blocks.
template <typename T>
uint64_t blockElements(uint64_t elements) {
    return roundToBlock(elements * sizeof(T)) / sizeof(T);
}

/// Elements of the work buffer that the partial results of a maximum or minimum take.
template <typename T>
uint64_t extremeScratch(uint64_t repeats, bool index) {
    if (!index) return blockElements<T>(2 * repeats);
    const auto next = [](uint64_t elements) { return 2 * ((elements + lanesFor<T> - 1) / lanesFor<T>); };
    const uint64_t second = next(2 * repeats);
    const uint64_t third = second > 2 ? blockElements<T>(next(second)) : 0;
    return blockElements<T>(2 * repeats) + blockElements<T>(second) + third;
}

/// A tree of trees: groups of one repeat's width until one value is left.
template <typename T>
T treeOfTrees(std::vector<T> values) {
    while (values.size() > 1) {
        std::vector<T> sums;
        for (size_t first = 0; first < values.size(); first += lanesFor<T>) {
            const auto here = static_cast<uint32_t>(std::min<size_t>(lanesFor<T>, values.size() - first));
            sums.push_back(treeSum<T>(values.data() + first, LaneMask::prefix(here), 0, lanesFor<T>));
        }
        values = std::move(sums);
    }
    return values.empty() ? T{} : values.front();
}

/// The tree of each repeat.
template <typename T>
std::vector<T> repeatSums(const FullReduction<T>& call) {
    std::array<T, maxLanes> lanes;
    std::vector<T> sums;
    for (uint32_t r = 0; r < call.shape.repeats; r++) {
        const LaneMask& mask = call.shape.maskOf(r);
        loadRepeat(lanes.data(), call.src, r, mask.bound());
        sums.push_back(treeSum<T>(lanes.data(), mask, 0, lanesFor<T>));
    }
    return sums;
}

/// Up to four repeats added lane by lane, neighbours first, and then one tree; a lane without partner stays.
template <typename T>
T lanesFirst(const FullReduction<T>& call) {
    std::array<std::array<T, maxLanes>, 4> rows;
    const uint32_t count = call.shape.repeats;
    for (uint32_t r = 0; r < count; r++) loadRepeat(rows[r].data(), call.src, r, call.shape.maskOf(r).bound());
    const auto add = [&](uint32_t to, uint32_t from) {
        const uint32_t bound = from + 1 == count ? call.shape.last.bound() : lanesFor<T>;
        for (uint32_t l = 0; l < bound; l++) rows[to][l] = AddOp{}(rows[to][l], rows[from][l]);
    };
    if (count > 1) add(0, 1);
    if (count > 3) add(2, 3);
    if (count > 2) add(0, 2);
    return treeSum<T>(rows[0].data(), count == 1 ? call.shape.last : LaneMask::prefix(lanesFor<T>), 0, lanesFor<T>);
}

/// The sum of a counted call: in order over repeats, or where calls are loops over registers as those do it.
template <typename T>
T countedSum(const FullReduction<T>& call) {
    constexpr uint32_t together = 4;
    if (chip::registerBased && call.shape.repeats > 0 && call.shape.repeats <= together) return lanesFirst(call);
    const std::vector<T> sums = repeatSums(call);
    if (chip::registerBased || sums.empty()) return treeOfTrees(sums);
    T total = sums.front();
    for (size_t r = 1; r < sums.size(); r++) total = AddOp{}(total, sums[r]);
    return total;
}

/// Issue the first step of a reduction: it reads the source, and leaves partial results in the work buffer.
template <typename T, typename Action>
void issueReading(const FullReduction<T>& call, uint64_t scratch, const Action& action) {
    Instruction instruction{call.api, PIPE_V, call.site, call.shape, Overlap::general};
    instruction.operands.push_back(call.src.operand("src", Use::read));
    if (scratch > 0) {
        const uint64_t from = call.tmp.ref().address;
        instruction.operands.push_back(Operand{"sharedTmpBuffer", call.tmp.ref(), Use::clobber, sizeof(T),
                                               chip::blockBytes, false, {}, {{from, from + scratch * sizeof(T)}}});
        instruction.operands.back().anyOverlap = true;
    }
    Core::current().issue(instruction, action);
}

/// Issue the last step of a reduction: it writes `results` elements.
template <typename T, typename Action>
void issueResult(const FullReduction<T>& call, pipe_t pipe, uint64_t results, const Action& action) {
    const uint64_t to = call.dst.ref().address;
    const uint64_t bytes = results * sizeof(T);
    Instruction instruction{call.api, pipe, call.site};
    instruction.operands.push_back(
        Operand{"dst", call.dst.ref(), Use::write, sizeof(T), bytes, false, {}, {{to, to + bytes}}});
    Core::current().issue(instruction, action);
}

/// Issue a sum. Where single instructions do it, the count form moves the sum through the scalar unit, and orders that
/// itself; the mask form keeps to the vector pipe.
template <typename T>
void reduceSum(const FullReduction<T>& call, bool counted) {
    static_assert(sizeof(T) <= 8);
    if (call.shape.repeats == 0) return;
    Core* core = &Core::current();
    const uint64_t repeats = call.shape.repeats;
    const bool keeps = chip::registerBased ? repeats > (counted ? 4 : 1) : !counted;
    const auto sum = std::make_shared<T>();
    issueReading(call, keeps ? blockElements<T>(repeats) : 0, [=] {
        *sum = counted ? countedSum(call) : treeOfTrees(repeatSums(call));
        if constexpr (isFloating<T>) core->registers.repeatSum = widen(*sum);
    });
    const auto store = [=] { std::memcpy(core->ub + call.dst.ref().address, sum.get(), sizeof(T)); };
    if (chip::registerBased || !counted) {
        core->clocks.barrier(PIPE_V);
        issueResult(call, PIPE_V, 1, store);
        return;
    }
    core->clocks.wait(PIPE_S, core->clocks.token(PIPE_V));
    issueResult(call, PIPE_S, 1, store);
    core->clocks.wait(PIPE_V, core->clocks.token(PIPE_S));
    core->clocks.wait(PIPE_MTE3, core->clocks.token(PIPE_S));
}

/// A value and its index in source order.
template <typename T>
struct Found {
    T value;
    uint64_t index;
};

/// The extreme of all active lanes. Loops over registers start from the worst finite value at index 0.
template <bool larger, typename T>
Found<T> fullExtreme(const FullReduction<T>& call) {
    std::array<T, maxLanes> lanes;
    Found<T> best{worst<larger, T>(), 0};
    bool any = false;
    if constexpr (chip::registerBased && isFloating<T>) {
        best.value = narrow<T>((larger ? -1.0f : 1.0f) * largestFinite<T>());
        any = true;
    }
    for (uint32_t r = 0; r < call.shape.repeats; r++) {
        const LaneMask& mask = call.shape.maskOf(r);
        loadRepeat(lanes.data(), call.src, r, mask.bound());
        const uint32_t lane = extremeLane<larger>(lanes.data(), mask, 0, lanesFor<T>);
        if (lane == maxLanes || (any && !beats<larger>(lanes[lane], best.value))) continue;
        best = Found<T>{lanes[lane], r * call.step() + lane};
        any = true;
    }
    return best;
}

/// Issue a maximum or minimum, with its index if `index`.
template <bool larger, typename T>
void reduceExtreme(const FullReduction<T>& call, bool index) {
    if (call.shape.repeats == 0) return;
    Core* core = &Core::current();
    const auto found = std::make_shared<Found<T>>();
    const uint64_t scratch = chip::registerBased ? 0 : extremeScratch<T>(call.shape.repeats, index);
    issueReading(call, scratch, [=] { *found = fullExtreme<larger>(call); });
    core->clocks.barrier(PIPE_V);
    issueResult(call, PIPE_V, index ? 2 : 1, [=] {
        uint8_t* to = core->ub + call.dst.ref().address;
        putResult(to, 0, found->value);
        if (!index) return;
        putIndex<T>(to, 1, static_cast<uint32_t>(found->index));
        if (sizeof(T) == 2 && found->index > std::numeric_limits<uint16_t>::max()) {
            core->report(Rule::countRange, call.api, call.site, "the index does not fit 16 bits");
        }
    });
}

template <typename T>
FullReduction<T> countedReduction(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                  const LocalTensor<T>& tmp, const Shape& shape) {
    return FullReduction<T>{api, site, dst, Strided<T>{src, contiguous<T>(lanesFor<T>)}, tmp, shape};
}

template <typename T, typename Mask>
FullReduction<T> maskedReduction(const char* api, Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& tmp, Mask mask, int64_t repeats, int64_t srcRepStride) {
    const Shape shape = manyRepeats(Selection(api, site, lanesFor<T>), mask, repeats);
    return FullReduction<T>{api, site, dst, Strided<T>{src, sourceStrides(api, site, 1, srcRepStride)}, tmp, shape};
}

/// The lanes of a counted maximum or minimum, which is built from masked steps.
template <typename T>
Shape steppedLanes(const char* api, Site site, int64_t count) {
    const Selection selection(api, site, lanesFor<T>);
    if (!chip::registerBased && !selection.normalMode()) return Shape::counted(0, lanesFor<T>);
    return selection.counted(count);
}

}  // namespace emu

namespace AscendC {

template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               int32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("ReduceSum"), "ReduceSum: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("ReduceSum", site, emu::lanesFor<T>).counted(count, isSetMask);
    emu::reduceSum(emu::countedReduction("ReduceSum", site, dst, src, sharedTmpBuffer, shape), true);
}

// The masked forms, for both kinds of mask. In Counter mode they are counted.
#define EMU_REDUCE_ALL(MaskType)                                                                                     \
    template <typename T>                                                                                            \
    void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,      \
                   MaskType mask, int32_t repeatTime, int32_t srcRepStride, Site site = Site::here()) {              \
        static_assert(emu::isLegalFor<T, T>("ReduceSum"), "ReduceSum: not in this chip's vector unit for this type"); \
        const bool counted = emu::Core::current().mask.counter;                                                      \
        emu::reduceSum(emu::maskedReduction("ReduceSum", site, dst, src, sharedTmpBuffer, mask, repeatTime,          \
                                            srcRepStride), counted);                                                 \
    }                                                                                                                \
    template <typename T>                                                                                            \
    void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,      \
                   MaskType mask, int32_t repeatTime, int32_t srcRepStride, bool calIndex = false,                   \
                   Site site = Site::here()) {                                                                       \
        static_assert(emu::isLegalFor<T, T>("ReduceMax"), "ReduceMax: not in this chip's vector unit for this type"); \
        emu::reduceExtreme<true>(emu::maskedReduction("ReduceMax", site, dst, src, sharedTmpBuffer, mask,            \
                                                      repeatTime, srcRepStride), calIndex);                          \
    }                                                                                                                \
    template <typename T>                                                                                            \
    void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,      \
                   MaskType mask, int32_t repeatTime, int32_t srcRepStride, bool calIndex = false,                   \
                   Site site = Site::here()) {                                                                       \
        static_assert(emu::isLegalFor<T, T>("ReduceMin"), "ReduceMin: not in this chip's vector unit for this type"); \
        emu::reduceExtreme<false>(emu::maskedReduction("ReduceMin", site, dst, src, sharedTmpBuffer, mask,           \
                                                       repeatTime, srcRepStride), calIndex);                         \
    }

EMU_REDUCE_ALL(uint64_t)
EMU_REDUCE_ALL(const uint64_t*)
#undef EMU_REDUCE_ALL

template <typename T>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               int32_t count, bool calIndex = false, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("ReduceMax"), "ReduceMax: not in this chip's vector unit for this type");
    const auto shape = emu::steppedLanes<T>("ReduceMax", site, count);
    emu::reduceExtreme<true>(emu::countedReduction("ReduceMax", site, dst, src, sharedTmpBuffer, shape), calIndex);
}

template <typename T>
void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               int32_t count, bool calIndex = false, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("ReduceMin"), "ReduceMin: not in this chip's vector unit for this type");
    const auto shape = emu::steppedLanes<T>("ReduceMin", site, count);
    emu::reduceExtreme<false>(emu::countedReduction("ReduceMin", site, dst, src, sharedTmpBuffer, shape), calIndex);
}

}  // namespace AscendC
