// Loads and stores at indices, and the register copy by index.
#pragma once

#include "reg/transfer.h"

namespace emu::reg {

/// Whether a register of indices goes with elements of a width.
template <typename Source, typename I>
constexpr bool isIndexFor() {
    if (!std::is_unsigned_v<I>) return false;
    if (sizeof(Source) <= 2) return sizeof(I) == 2;
    return sizeof(Source) == 4 ? sizeof(I) == 4 : sizeof(I) >= 4;
}

/// Report active lanes whose index has no defined content.
template <typename R>
void requireDefinedIndex(const Call& call, const R& index, const MaskReg& mask) {
    const Bits bad = mask.bits.spread(laneBits<R>) & ~definedLanes(index);
    if (bad.none()) return;
    VectorFunction::current().report(Rule::regUndefined, call,
                                     text("the index of lane %u has no defined content", bad.first() / laneBits<R>));
}

/// dst[i] = base[index[i]] in the active lanes, 0 in the others; a byte is extended by zeros.
template <typename D, typename T, typename I>
void gather(const Call& call, D& dst, const T* base, const I& index, const MaskReg& mask) {
    using Out = Element<D>;
    static_assert(isIndexFor<T, Element<I>>(),
                  "Gather: the index is u16 for 8 and 16 bits, u32 for 32, u32 or u64 for 64");
    static_assert(sizeof(T) == sizeof(Out) || (sizeof(T) == 1 && sizeof(Out) == 2),
                  "Gather: source and destination differ");
    static_assert(laneCount<D> <= laneCount<I>, "Gather: the index register has fewer lanes than the destination");
    startCall(call, index, mask);
    UbPlace start;
    VectorFunction& vf = VectorFunction::current();
    if (!vf.locate(call, base, 0, 0, chip::blockBytes, start)) return;
    requireDefinedMask(call, mask, laneBits<D>);
    requireDefinedIndex(call, index, mask);
    const auto positions = lanesOf(index);
    Lanes<D> lanes{};
    Bits defined = Bits::all();
    Lineage lineage = historyOf(index, mask);
    for (uint32_t i = 0; i < laneCount<D>; i++) {
        if (!mask.bits.test(i * laneBits<D>)) continue;
        const Fetched one = fetch(call, base + positions[i], sizeof(T), 1, &dst);
        std::memcpy(reinterpret_cast<uint8_t*>(&lanes[i]), one.bytes.data(), sizeof(T));
        lineage.join(Lineage::of(one.number));
        for (uint32_t b = 0; b < laneBits<D>; b++) defined.assign(i * laneBits<D> + b, one.known[0]);
    }
    setLanes(dst, lanes);
    setDefined(dst, defined);
    dst.lineage = lineage;
}

/// Eight blocks at byte offsets; an inactive block is 0.
template <typename D, typename I>
void gatherBlocks(const Call& call, D& dst, const uint8_t* base, const I& offsets, const MaskReg& mask) {
    static_assert(std::is_same_v<Element<I>, uint32_t>, "GatherB: offsets are uint32_t");
    static_assert(D::REG_NUM == 1, "GatherB: a single register is filled");
    startCall(call, offsets, mask);
    constexpr uint32_t block = chip::blockBytes;
    const auto positions = lanesOf(offsets);
    Part part{{}, Bits::all()};
    Lineage lineage = historyOf(offsets, mask);
    for (uint32_t k = 0; k < registerBytes / block; k++) {
        if (!mask.bits.test(4 * k)) continue;
        const Fetched fetched = fetch(call, base + positions[k], block, block, &dst);
        lineage.join(Lineage::of(fetched.number));
        for (uint32_t i = 0; i < block; i++) {
            part.bytes[k * block + i] = fetched.bytes[i];
            part.defined.assign(k * block + i, fetched.known[i]);
        }
    }
    dst.part[0] = part;
    dst.lineage = lineage;
    dst.written = true;
}

/// base[index[i]] = src[i] in the active lanes; of 8-bit elements the even ones. Equal indices: the highest lane wins.
template <typename T, typename R, typename I>
void scatter(const Call& call, T* base, const R& src, const I& index, const MaskReg& mask) {
    static_assert(isIndexFor<T, Element<I>>(),
                  "Scatter: the index is u16 for 8 and 16 bits, u32 for 32, u32 or u64 for 64");
    static_assert(sizeof(T) == sizeof(Element<R>), "Scatter: source and destination differ");
    startCall(call, src, index, mask);
    constexpr uint32_t step = sizeof(T) == 1 ? 2 : 1;
    constexpr uint32_t width = laneBits<R> * step;
    constexpr uint32_t lanes = std::min(laneCount<R> / step, laneCount<I>);
    UbPlace start;
    VectorFunction& vf = VectorFunction::current();
    if (!vf.locate(call, base, 0, 0, chip::blockBytes, start)) return;
    requireDefinedMask(call, mask, width);
    requireDefinedIndex(call, index, mask);
    const auto positions = lanesOf(index);
    const auto values = lanesOf(src);
    const Bits defined = definedLanes(src);
    const uint32_t number = vf.numberStore(call);
    std::vector<uint64_t> seen;
    for (uint32_t i = 0; i < lanes; i++) {
        if (!mask.bits.test(i * width)) continue;
        UbPlace place;
        if (!vf.locate(call, base + positions[i], 0, sizeof(T), 1, place)) continue;
        if (!defined.test(i * width)) vf.report(Rule::regUndefined, call, text("lane %u has no defined content", i));
        seen.push_back(place.address);
        vf.storeRun(call, number, place.buffer, Run{place.address, place.address + sizeof(T)}, identity(&src),
                    historyOf(src, index, mask), reinterpret_cast<const uint8_t*>(&values[i * step]));
    }
    std::sort(seen.begin(), seen.end());
    if (std::adjacent_find(seen.begin(), seen.end()) == seen.end()) return;
    vf.report(Rule::chipDependent, call, "two lanes have the same index: which of them wins is not specified");
}

}  // namespace emu::reg

namespace AscendC::Reg {

#define EMU_INDEXED(GatherName, GatherBName, ScatterName)                                                            \
    template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3, typename T4>           \
    void GatherName(T3& dstReg, __ubuf__ T1* baseAddr, T4& index, MaskReg& mask, Site site = Site::here()) {         \
        static_assert(emu::reg::namesElement<T0, T3>, #GatherName ": T0 is not the destination's element type");     \
        emu::reg::gather(emu::reg::Call{#GatherName, site}, dstReg, baseAddr, index, mask);                          \
    }                                                                                                                \
    template <typename T = DefaultType, typename U, typename S>                                                      \
    void GatherBName(U& dstReg, __ubuf__ T* baseAddr, S& index, MaskReg& mask, Site site = Site::here()) {           \
        emu::reg::gatherBlocks(emu::reg::Call{#GatherBName, site}, dstReg,                                           \
                               reinterpret_cast<const uint8_t*>(baseAddr), index, mask);                             \
    }                                                                                                                \
    template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>                            \
    void ScatterName(__ubuf__ T* baseAddr, S& srcReg, V& index, MaskReg& mask, Site site = Site::here()) {           \
        emu::reg::scatter(emu::reg::Call{#ScatterName, site}, baseAddr, srcReg, index, mask);                        \
    }

EMU_INDEXED(Gather, GatherB, Scatter)
EMU_INDEXED(DataCopyGather, DataCopyGatherB, DataCopyScatter)
#undef EMU_INDEXED

/// dst[i] = src[index[i] mod lanes].
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
void Gather(S& dstReg, S& srcReg, V& indexReg, Site site = Site::here()) {
    using I = emu::reg::Element<V>;
    static_assert(std::is_unsigned_v<I> && sizeof(I) == sizeof(emu::reg::Element<S>) && sizeof(I) <= 4,
                  "Gather: the index is unsigned and as wide as the 8-, 16- or 32-bit elements");
    emu::reg::startCall(emu::reg::Call{"Gather", site}, srcReg, indexReg);
    constexpr uint32_t lanes = emu::reg::laneCount<S>;
    constexpr uint32_t width = emu::reg::laneBits<S>;
    const auto values = emu::reg::lanesOf(srcReg);
    const auto positions = emu::reg::lanesOf(indexReg);
    const emu::reg::Bits sources = emu::reg::definedLanes(srcReg);
    emu::reg::Bits defined = emu::reg::definedLanes(indexReg);
    emu::reg::Lanes<S> result;
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t from = static_cast<uint32_t>(positions[i]) % lanes;
        result[i] = values[from];
        if (!sources.test(from * width)) defined.assign(i * width, false);
    }
    const emu::reg::Lineage lineage = emu::reg::historyOf(srcReg, indexReg);
    emu::reg::setLanes(dstReg, result);
    emu::reg::setDefined(dstReg, defined.spread(width));
    dstReg.lineage = lineage;
}

}  // namespace AscendC::Reg
