// Reductions inside a register.
#pragma once

#include "reg/arithmetic.h"

namespace emu::reg {

using AscendC::Reg::ReduceType;

/// Element type of a sum.
template <typename T>
using SumOf = std::conditional_t<std::is_same_v<T, int16_t>, int32_t,
                                 std::conditional_t<std::is_same_v<T, uint16_t>, uint32_t, T>>;

/// Combine neighbours, then neighbours of the results, until one is left.
template <typename T, typename Op>
T pairTree(T* values, uint32_t count, const Op& op) {
    for (uint32_t left = count; left > 1; left /= 2) {
        for (uint32_t i = 0; i < left / 2; i++) values[i] = op(values[2 * i], values[2 * i + 1]);
    }
    return values[0];
}

/// What an inactive lane counts as.
template <ReduceType type, typename T>
T neutral() {
    if constexpr (type == ReduceType::SUM) {
        return scalarOf<T>(0);
    } else if constexpr (std::is_same_v<T, half>) {
        return half::fromBits(type == ReduceType::MAX ? 0xfbff : 0x7bff);
    } else {
        return type == ReduceType::MAX ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
}

template <ReduceType type> struct ReduceOp {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (type == ReduceType::SUM) {
            return AddOp{}(a, b);
        } else {
            return extreme<type == ReduceType::MAX>(a, b);
        }
    }
};

/// The active lanes as operands of a reduction, and whether all of them are defined.
template <ReduceType type, typename W, typename R>
std::array<W, laneCount<R>> operandsOf(const R& src, const MaskReg& mask) {
    const Lanes<R> lanes = lanesOf(src);
    std::array<W, laneCount<R>> operands;
    for (uint32_t i = 0; i < laneCount<R>; i++) {
        operands[i] = mask.bits.test(i * laneBits<R>) ? static_cast<W>(lanes[i]) : neutral<type, W>();
    }
    return operands;
}

template <typename R>
Bits soundOperands(const R& src, const MaskReg& mask) {
    return (definedLanes(src) | ~mask.bits.spread(laneBits<R>)) & mask.defined.spread(laneBits<R>);
}

/// Write the first lanes of a register; the others become 0.
template <typename W, typename D>
void writeFirst(D& dst, const W* values, uint32_t count, const Bits& defined, const Lineage& lineage) {
    for (Part& part : dst.part) part.bytes.fill(0);
    if constexpr (D::REG_NUM == 1) {
        std::memcpy(dst.part[0].bytes.data(), values, count * sizeof(W));
    } else {
        Lanes<D> lanes{};
        for (uint32_t i = 0; i < count; i++) lanes[i] = values[i];
        setLanes(dst, lanes);
    }
    setDefined(dst, defined);
    dst.lineage = lineage;
}

/// The lane that holds the extreme, first occurrence; NaN comes before everything.
template <typename T, size_t n>
uint32_t firstOf(const std::array<T, n>& lanes, T wanted) {
    for (uint32_t i = 0; i < n; i++) {
        if constexpr (isFloating<T>) {
            if (std::isnan(emu::widen(wanted)) && std::isnan(emu::widen(lanes[i]))) return i;
        }
        if (std::memcmp(&lanes[i], &wanted, sizeof(T)) == 0) return i;
    }
    return 0;
}

template <ReduceType type, typename D, typename S>
void reduceAll(const Call& call, D& dst, const S& src, const MaskReg& mask) {
    using E = Element<S>;
    using W = std::conditional_t<type == ReduceType::SUM, SumOf<E>, E>;
    startCall(call, src, mask);
    const auto operands = operandsOf<type, W>(src, mask);
    auto work = operands;
    std::array<W, 2> out{pairTree(work.data(), laneCount<S>, ReduceOp<type>{}), W{}};
    if constexpr (type != ReduceType::SUM) {
        const uint32_t index = firstOf(operands, out[0]);
        std::memcpy(&out[1], &index, std::min(sizeof(W), sizeof index));
        if (isFloating<E> && !mask.bits.test(index * laneBits<S>) && !mask.bits.spread(laneBits<S>).none()) {
            VectorFunction::current().report(Rule::chipDependent, call,
                                             "all active lanes are infinite: what inactive lanes count as decides");
        }
    }
    const bool sound = soundOperands(src, mask).full();
    writeFirst(dst, out.data(), 2, sound ? Bits::all() : ~Bits{{~uint64_t{0}, 0, 0, 0}}, historyOf(src, mask));
}

/// One result for each block of 32 bytes.
template <ReduceType type, typename D, typename S>
void reduceBlocks(const Call& call, D& dst, const S& src, const MaskReg& mask) {
    using E = Element<S>;
    using W = std::conditional_t<type == ReduceType::SUM, SumOf<E>, E>;
    static_assert(S::REG_NUM == 1 && D::REG_NUM == 1, "ReduceDataBlock: single registers are reduced");
    constexpr uint32_t blocks = registerBytes / chip::blockBytes;
    constexpr uint32_t lanes = laneCount<S> / blocks;
    startCall(call, src, mask);
    auto work = operandsOf<type, W>(src, mask);
    const Bits whole = soundOperands(src, mask);
    std::array<W, blocks> out;
    Bits defined = Bits::all();
    for (uint32_t k = 0; k < blocks; k++) {
        out[k] = pairTree(work.data() + k * lanes, lanes, ReduceOp<type>{});
        if (static_cast<uint32_t>(whole.word[k / 2] >> (k % 2 * 32)) == ~uint32_t{0}) continue;
        for (uint32_t b = 0; b < sizeof(W); b++) defined.assign(k * static_cast<uint32_t>(sizeof(W)) + b, false);
    }
    writeFirst(dst, out.data(), blocks, defined, historyOf(src, mask));
}

/// Sums of neighbours in the lower half.
template <typename R>
void reducePairs(const Call& call, R& dst, const R& src, const MaskReg& mask) {
    startCall(call, src, mask);
    auto work = operandsOf<ReduceType::SUM, Element<R>>(src, mask);
    const Bits sound = soundOperands(src, mask);
    Bits defined = Bits::all();
    constexpr uint32_t half = laneCount<R> / 2;
    for (uint32_t i = 0; i < half; i++) {
        work[i] = AddOp{}(work[2 * i], work[2 * i + 1]);
        const bool good = sound.test(2 * i * laneBits<R>) && sound.test((2 * i + 1) * laneBits<R>);
        for (uint32_t b = 0; b < laneBits<R>; b++) defined.assign(i * laneBits<R> + b, good);
    }
    writeFirst(dst, work.data(), half, defined, historyOf(src, mask));
}

}  // namespace emu::reg

namespace AscendC::Reg {

template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
void Reduce(S& dstReg, const V& srcReg, const MaskReg& mask, Site site = Site::here()) {
    EMU_REG_ZEROES(Reduce, mode);
    if constexpr (type == ReduceType::SUM) {
        EMU_REG_TYPES(ReduceSum, emu::reg::Element<S>, emu::reg::Element<V>);
    } else {
        EMU_REG_TYPES(ReduceMax, emu::reg::Element<S>, emu::reg::Element<V>);
    }
    emu::reg::reduceAll<type>(emu::reg::Call{"Reduce", site}, dstReg, srcReg, mask);
}

template <ReduceType type = ReduceType::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S, typename V>
void ReduceDataBlock(S& dstReg, const V& srcReg, const MaskReg& mask, Site site = Site::here()) {
    EMU_REG_ZEROES(ReduceDataBlock, mode);
    if constexpr (type == ReduceType::SUM) {
        EMU_REG_TYPES(ReduceDataBlockSum, emu::reg::Element<S>, emu::reg::Element<V>);
    } else {
        EMU_REG_TYPES(ReduceDataBlockMax, emu::reg::Element<S>, emu::reg::Element<V>);
    }
    emu::reg::reduceBlocks<type>(emu::reg::Call{"ReduceDataBlock", site}, dstReg, srcReg, mask);
}

template <PairReduce type = PairReduce::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename U>
void PairReduceElem(U& dstReg, const U& srcReg, const MaskReg& mask, Site site = Site::here()) {
    EMU_REG_ZEROES(PairReduceElem, mode);
    EMU_REG_TYPES(PairReduceElem, emu::reg::Element<U>, emu::reg::Element<U>);
    emu::reg::reducePairs(emu::reg::Call{"PairReduceElem", site}, dstReg, srcReg, mask);
}

template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S,
          typename V>
void ReduceSum(S& dstReg, const V& srcReg, const MaskReg& mask, Site site = Site::here()) {
    Reduce<ReduceType::SUM, T, U, mode>(dstReg, srcReg, mask, site);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
void PairReduceSum(U& dstReg, const U& srcReg, const MaskReg& mask, Site site = Site::here()) {
    PairReduceElem<PairReduce::SUM, T, mode>(dstReg, srcReg, mask, site);
}

// The old names of the other reductions.
#define EMU_REG_REDUCE(Name, Target, type)                                                                           \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>         \
    void Name(S& dstReg, const V& srcReg, const MaskReg& mask, Site site = Site::here()) {                           \
        EMU_REG_ZEROES(Name, mode);                                                                                  \
        Target<ReduceType::type>(dstReg, srcReg, mask, site);                                                        \
    }
EMU_REG_REDUCE(ReduceMax, Reduce, MAX)
EMU_REG_REDUCE(ReduceMin, Reduce, MIN)
EMU_REG_REDUCE(ReduceSumWithDataBlock, ReduceDataBlock, SUM)
EMU_REG_REDUCE(ReduceMaxWithDataBlock, ReduceDataBlock, MAX)
EMU_REG_REDUCE(ReduceMinWithDataBlock, ReduceDataBlock, MIN)
#undef EMU_REG_REDUCE

}  // namespace AscendC::Reg
