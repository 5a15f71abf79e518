// Moving, filling and rearranging the lanes of vector registers.
#pragma once

#include "reg/arithmetic.h"
#include "reg/widths.h"

namespace emu::reg {

/// Build one single register out of others, lane by lane: from(lane) names the register (null: 0) and its lane.
template <typename R>
struct LaneSource {
    const R* reg;
    uint32_t lane;
};
template <typename R, typename From>
Part permuteLanes(const From& from) {
    constexpr uint32_t width = registerBytes / laneCount<R>;
    Part out{{}, Bits::all()};
    for (uint32_t i = 0; i < laneCount<R>; i++) {
        const LaneSource<R> source = from(i);
        if (source.reg == nullptr) continue;
        const Part& part = source.reg->part[0];
        for (uint32_t b = 0; b < width; b++) {
            out.bytes[i * width + b] = part.bytes[source.lane * width + b];
            out.defined.assign(i * width + b, part.defined.test(source.lane * width + b));
        }
    }
    return out;
}

template <typename R>
void assignPart(R& dst, const Part& part, const Lineage& lineage) {
    static_assert(R::REG_NUM == 1);
    dst.part[0] = part;
    dst.lineage = lineage;
    dst.written = true;
}

/// Exchange lanes between two registers: first(i) and second(i) name a lane of the concatenation of the sources.
template <typename R, typename First, typename Second>
void exchange(const Call& call, R& dst0, R& dst1, const R& src0, const R& src1, const First& first,
              const Second& second) {
    startCall(call, src0, src1);
    if (&dst0 == &dst1) {
        VectorFunction::current().report(Rule::ubOverlap, call, "both results go to one register");
    }
    constexpr uint32_t lanes = laneCount<R>;
    const std::array<Lanes<R>, 2> values{lanesOf(src0), lanesOf(src1)};
    const std::array<Bits, 2> known{definedLanes(src0), definedLanes(src1)};
    const Lineage lineage = historyOf(src0, src1);
    const auto write = [&](R& dst, const auto& from) {
        Lanes<R> result;
        Bits defined{};
        for (uint32_t i = 0; i < lanes; i++) {
            const uint32_t source = from(i);
            result[i] = values[source / lanes][source % lanes];
            defined.assign(i * laneBits<R>, known[source / lanes].test(source % lanes * laneBits<R>));
        }
        setLanes(dst, result);
        setDefined(dst, defined.spread(laneBits<R>));
        dst.lineage = lineage;
    };
    write(dst0, first);
    write(dst1, second);
}

/// Whether an element may be moved without arithmetic; 64-bit ones between registers only as double registers.
template <typename R>
inline constexpr bool exchanges = sizeof(Element<R>) < 8 || R::REG_NUM == 2;

/// Move the active lanes to the front; returns how many there are.
template <typename R>
uint32_t squeeze(const Call& call, R& dst, const R& src, const MaskReg& mask) {
    startCall(call, src, mask);
    const uint32_t width = laneBits<R>;
    std::array<uint32_t, laneCount<R>> kept{};
    uint32_t count = 0;
    for (uint32_t i = 0; i < laneCount<R>; i++) {
        if (mask.bits.test(i * width)) kept[count++] = i;
    }
    const Lineage lineage = historyOf(src, mask);
    Part part = permuteLanes<R>([&](uint32_t i) { return LaneSource<R>{i < count ? &src : nullptr, kept[i]}; });
    if (!mask.defined.spread(width).full()) part.defined = Bits{};
    assignPart(dst, part, lineage);
    return count;
}

/// Hand the bytes that a Squeeze has kept to the next StoreUnAlign.
inline void noteSqueezed(const Call& call, uint64_t bytes) {
    VectorFunction& vf = VectorFunction::current();
    if (vf.squeezed.pending) vf.report(Rule::regStream, call, "no StoreUnAlign followed the Squeeze before");
    vf.squeezed.pending = true;
    vf.squeezed.bytes = bytes;
}

template <typename R>
void countBelow(const Call& call, R& dst, const MaskReg& mask) {
    startCall(call, mask);
    Lanes<R> counts;
    uint32_t count = 0;
    for (uint32_t i = 0; i < laneCount<R>; i++) {
        counts[i] = static_cast<Element<R>>(count);
        count += mask.bits.test(i * laneBits<R>);
    }
    const bool sure = mask.defined.spread(laneBits<R>).full();
    setLanes(dst, counts);
    setDefined(dst, sure ? Bits::all() : Bits{});
    dst.lineage = mask.lineage;
}

/// Add to each of 128 counters how many active bytes equal it, or reach at most up to it.
template <uint32_t first, bool accumulate, typename D, typename S>
void histogram(const Call& call, D& dst, const S& src, const MaskReg& mask) {
    startCall(call, dst, src, mask);
    const auto values = lanesOf(src);
    auto counts = lanesOf(dst);
    for (uint32_t i = 0; i < laneCount<S>; i++) {
        if (!mask.bits.test(i)) continue;
        for (uint32_t k = 0; k < laneCount<D>; k++) {
            const uint32_t bin = first + k;
            if (accumulate ? values[i] <= bin : values[i] == bin) counts[k] = static_cast<uint16_t>(counts[k] + 1);
        }
    }
    const bool sound = soundLanes(src, mask).full();
    const Bits known = definedLanes(dst);
    const Lineage lineage = historyOf(dst, src, mask);
    setLanes(dst, counts);
    setDefined(dst, sound ? known : Bits{});
    dst.lineage = lineage;
}

}  // namespace emu::reg

namespace AscendC::Reg {

template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename U, IfRegister<U> = 0>
void Move(U& dstReg, U& srcReg, const MaskReg& mask, Site site = Site::here()) {
    EMU_REG_NAMES(Move, T, U);
    static_assert(mode == MaskMergeMode::MERGING, "Move: under a mask the other lanes are always kept");
    emu::reg::lanewise(emu::reg::Call{"Move", site}, [](auto x) { return x; }, mode, dstReg, mask, srcReg);
}

template <typename T = DefaultType, typename U, IfRegister<U> = 0>
void Move(U& dstReg, U& srcReg, Site site = Site::here()) {
    EMU_REG_NAMES(Move, T, U);
    emu::reg::startCall(emu::reg::Call{"Move", site}, srcReg);
    dstReg = srcReg;
}

template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename U>
void Copy(U& dstReg, U& srcReg, const MaskReg& mask, Site site = Site::here()) {
    Move<T, mode>(dstReg, srcReg, mask, site);
}
template <typename T = DefaultType, typename U>
void Copy(U& dstReg, U& srcReg, Site site = Site::here()) {
    Move<T>(dstReg, srcReg, site);
}

template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, typename S,
          std::enable_if_t<!isRegister<U>, int> = 0>
void Duplicate(S& dstReg, U scalarValue, MaskReg& mask, Site site = Site::here()) {
    using E = emu::reg::Element<S>;
    EMU_REG_NAMES(Duplicate, T, S);
    const E value = emu::reg::scalarOf<E>(scalarValue);
    emu::reg::Lanes<S> lanes;
    lanes.fill(value);
    emu::reg::startCall(emu::reg::Call{"Duplicate", site}, mask);
    emu::reg::writeMasked(dstReg, lanes, emu::reg::Bits::all(), mask, mode == MaskMergeMode::MERGING, mask.lineage);
}

template <typename T = DefaultType, typename U, typename S>
void Duplicate(S& dstReg, U scalarValue, Site site = Site::here()) {
    using E = emu::reg::Element<S>;
    EMU_REG_NAMES(Duplicate, T, S);
    emu::reg::Lanes<S> lanes;
    lanes.fill(emu::reg::scalarOf<E>(scalarValue));
    emu::reg::startCall(emu::reg::Call{"Duplicate", site});
    emu::reg::setLanes(dstReg, lanes);
    emu::reg::setDefined(dstReg, emu::reg::Bits::all());
    dstReg.lineage = emu::reg::Lineage{};
}

/// Lane 0 of the source in every active lane.
template <typename T = DefaultType, HighLowPart pos = HighLowPart::LOWEST,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, IfRegister<S> = 0>
void Duplicate(S& dstReg, S& srcReg, MaskReg& mask, Site site = Site::here()) {
    EMU_REG_NAMES(Duplicate, T, S);
    static_assert(pos == HighLowPart::LOWEST, "Duplicate: only lane 0 is documented as the source");
    emu::reg::startCall(emu::reg::Call{"Duplicate", site}, srcReg, mask);
    emu::reg::Lanes<S> lanes;
    lanes.fill(emu::reg::lanesOf(srcReg)[0]);
    const bool known = emu::reg::definedLanes(srcReg).test(0);
    emu::reg::writeMasked(dstReg, lanes, known ? emu::reg::Bits::all() : emu::reg::Bits{}, mask,
                          mode == MaskMergeMode::MERGING, emu::reg::historyOf(srcReg, mask));
}

/// scalar + i, or downwards so that the last lane holds the scalar.
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U, typename S>
void Arange(S& dstReg, U scalarValue, Site site = Site::here()) {
    using E = emu::reg::Element<S>;
    EMU_REG_NAMES(Arange, T, S);
    EMU_REG_TYPES(Arange, E);
    constexpr uint32_t lanes = emu::reg::laneCount<S>;
    constexpr bool ignored = sizeof(E) == 8 && S::REG_NUM == 1;
    emu::reg::startCall(emu::reg::Call{"Arange", site});
    emu::reg::Lanes<S> values;
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t step = order == IndexOrder::DECREASE_ORDER && !ignored ? lanes - 1 - i : i;
        values[i] = emu::AddOp{}(emu::reg::scalarOf<E>(scalarValue), emu::reg::scalarOf<E>(step));
    }
    emu::reg::setLanes(dstReg, values);
    emu::reg::setDefined(dstReg, emu::reg::Bits::all());
    dstReg.lineage = emu::reg::Lineage{};
}

template <typename T = DefaultType, typename U, IfRegister<U> = 0>
void Interleave(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1, Site site = Site::here()) {
    static_assert(emu::reg::exchanges<U>, "Interleave: 64-bit elements need double registers");
    constexpr uint32_t lanes = emu::reg::laneCount<U>;
    const auto from = [](uint32_t i, uint32_t start) { return i % 2 * lanes + start + i / 2; };
    emu::reg::exchange(
        emu::reg::Call{"Interleave", site}, dstReg0, dstReg1, srcReg0, srcReg1,
        [&](uint32_t i) { return from(i, 0); }, [&](uint32_t i) { return from(i, lanes / 2); });
}

template <typename T = DefaultType, typename U, IfRegister<U> = 0>
void DeInterleave(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1, Site site = Site::here()) {
    static_assert(emu::reg::exchanges<U>, "DeInterleave: 64-bit elements need double registers");
    emu::reg::exchange(
        emu::reg::Call{"DeInterleave", site}, dstReg0, dstReg1, srcReg0, srcReg1,
        [](uint32_t i) { return 2 * i; }, [](uint32_t i) { return 2 * i + 1; });
}

/// The low halves of the elements, in one half of the destination; the other half becomes 0.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename S,
          typename V, IfRegister<S> = 0>
void Pack(S& dstReg, V& srcReg, Site site = Site::here()) {
    using D = emu::reg::Element<S>;
    EMU_REG_TYPES(Pack, D, emu::reg::Element<V>);
    emu::reg::startCall(emu::reg::Call{"Pack", site}, srcReg);
    constexpr uint32_t start = part == HighLowPart::LOWEST ? 0 : emu::reg::laneCount<S> / 2;
    const auto& view = reinterpret_cast<const RegTensor<D>&>(srcReg);
    const emu::reg::Part out = emu::reg::permuteLanes<RegTensor<D>>([&](uint32_t i) {
        const bool inside = i >= start && i < start + emu::reg::laneCount<S> / 2;
        return emu::reg::LaneSource<RegTensor<D>>{inside ? &view : nullptr, 2 * (i - start)};
    });
    emu::reg::assignPart(dstReg, out, emu::reg::historyOf(srcReg));
}

/// One half of the elements, extended to twice the width.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename S,
          typename V, IfRegister<S> = 0>
void UnPack(S& dstReg, V& srcReg, Site site = Site::here()) {
    using D = emu::reg::Element<S>;
    EMU_REG_TYPES(UnPack, D, emu::reg::Element<V>);
    emu::reg::startCall(emu::reg::Call{"UnPack", site}, srcReg);
    constexpr uint32_t lanes = emu::reg::laneCount<S>;
    constexpr uint32_t start = part == HighLowPart::LOWEST ? 0 : lanes;
    const auto values = emu::reg::lanesOf(srcReg);
    const emu::reg::Bits known = emu::reg::definedLanes(srcReg);
    emu::reg::Lanes<S> result;
    emu::reg::Bits defined{};
    for (uint32_t i = 0; i < lanes; i++) {
        result[i] = static_cast<D>(values[start + i]);
        defined.assign(i * emu::reg::laneBits<S>, known.test((start + i) * emu::reg::laneBits<V>));
    }
    const emu::reg::Lineage lineage = srcReg.lineage;
    emu::reg::setLanes(dstReg, result);
    emu::reg::setDefined(dstReg, defined.spread(emu::reg::laneBits<S>));
    dstReg.lineage = lineage;
}

// The active lanes at the front, the rest 0; under its names. STORE_REG hands their number to StoreUnAlign.
#define EMU_REG_SQUEEZE(Name)                                                                                        \
    template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename U>             \
    void Name(U& dstReg, U& srcReg, MaskReg& mask, Site site = Site::here()) {                                       \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Squeeze, E, E);                                                                                \
        const emu::reg::Call call{#Name, site};                                                                      \
        const uint32_t count = emu::reg::squeeze(call, dstReg, srcReg, mask);                                        \
        if (store == GatherMaskMode::STORE_REG) emu::reg::noteSqueezed(call, uint64_t{count} * sizeof(E));           \
    }

// The number of active lanes below each lane; under its names.
#define EMU_REG_UNSQUEEZE(Name)                                                                                      \
    template <typename T = DefaultType, typename U>                                                                  \
    void Name(U& dstReg, MaskReg& mask, Site site = Site::here()) {                                                  \
        using E = emu::reg::Element<U>;                                                                              \
        EMU_REG_NAMES(Name, T, U);                                                                                   \
        EMU_REG_TYPES(Unsqueeze, E);                                                                                 \
        emu::reg::countBelow(emu::reg::Call{#Name, site}, dstReg, mask);                                             \
    }

EMU_REG_SQUEEZE(Squeeze)
EMU_REG_SQUEEZE(GatherMask)
EMU_REG_UNSQUEEZE(Unsqueeze)
EMU_REG_UNSQUEEZE(PrefixSum)
#undef EMU_REG_SQUEEZE
#undef EMU_REG_UNSQUEEZE

template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode, HistogramsType type, typename S,
          typename V>
void Histograms(V& dstReg, S& srcReg, MaskReg& mask, Site site = Site::here()) {
    EMU_REG_TYPES(Histograms, emu::reg::Element<V>, emu::reg::Element<S>);
    constexpr uint32_t first = mode == HistogramsBinType::BIN0 ? 0 : 128;
    emu::reg::histogram<first, type == HistogramsType::ACCUMULATE>(emu::reg::Call{"Histograms", site}, dstReg, srcReg,
                                                                  mask);
}

}  // namespace AscendC::Reg
