// Aligned stores of vector registers and masks.
#pragma once

#include "reg/load.h"

namespace emu::reg {

/// Collect the bytes of one register that a distribution stores under a mask.
inline Outgoing collect(const StoreShape& shape, const Part& part, const MaskReg& mask) {
    Outgoing out;
    const bool dense = shape.width != 0 && shape.kept == shape.width && shape.bytes == registerBytes;
    if (dense && part.defined.full() && mask.bits.spread(shape.width).full()) {
        std::memcpy(out.bytes.data(), part.bytes.data(), registerBytes);
        std::fill_n(out.wanted.data(), registerBytes, true);
        std::fill_n(out.known.data(), registerBytes, true);
        return out;
    }
    for (uint32_t at = 0; at < shape.bytes; at++) {
        const uint32_t lane = at / shape.kept;
        if (shape.width != 0 && !mask.bits.test(lane * shape.width)) continue;
        out.put(at, part, shape.width == 0 ? at : lane * shape.width + at % shape.kept);
    }
    return out;
}

template <StoreDist dist, typename R>
void checkStore() {
    static_assert(sizeof(Element<R>) < 8 || dist == StoreDist::DIST_NORM || dist == StoreDist::DIST_PACK_B64,
                  "StoreAlign: 64-bit elements are stored with DIST_NORM and DIST_PACK_B64 only");
}

/// A double register: its elements one after another.
template <typename R>
void storeDouble(const Call& call, void* pointer, const R& reg, const MaskReg& mask) {
    requireDefinedMask(call, mask, laneBits<R>);
    Outgoing out;
    for (uint32_t at = 0; at < pairBytes; at++) {
        const uint32_t lane = at / 8;
        if (mask.bits.test(lane * 4)) out.put(at, reg.part[at % 8 / 4], lane * 4 + at % 4);
    }
    deliver(call, pointer, pairBytes, chip::blockBytes, out, &reg, historyOf(reg, mask));
}

template <StoreDist dist, typename R>
void storeOne(const Call& call, void* pointer, const R& reg, const MaskReg& mask) {
    static_assert(!isPair(dist), "StoreAlign: DIST_INTLV stores two registers");
    checkStore<dist, R>();
    constexpr StoreShape shape = shapeOf(dist, sizeof(Element<R>));
    startCall(call, reg, mask);
    if constexpr (R::REG_NUM == 2) {
        static_assert(dist == StoreDist::DIST_NORM, "StoreAlign: a double register is stored with DIST_NORM only");
        storeDouble(call, pointer, reg, mask);
    } else {
        if (shape.width != 0) requireDefinedMask(call, mask, shape.width);
        if (shape.kept < shape.width && !isPrefixMask(mask, shape.width)) {
            VectorFunction::current().report(Rule::chipDependent, call,
                                             "a packing store under a mask with gaps: its sources disagree");
        }
        deliver(call, pointer, shape.bytes, shape.alignment, collect(shape, reg.part[0], mask), &reg,
                historyOf(reg, mask));
    }
}

template <StoreDist dist, typename R>
void storePair(const Call& call, void* pointer, const R& reg0, const R& reg1, const MaskReg& mask) {
    static_assert(isPair(dist), "StoreAlign: two registers are stored with DIST_INTLV");
    static_assert(R::REG_NUM == 1, "StoreAlign: a pair of registers must be single registers");
    checkStore<dist, R>();
    startCall(call, reg0, reg1, mask);
    constexpr StoreShape shape = shapeOf(dist, sizeof(Element<R>));
    Outgoing out;
    for (uint32_t at = 0; at < shape.bytes; at++) {
        const uint32_t lane = at / shape.kept;
        out.put(at, (lane % 2 == 0 ? reg0 : reg1).part[0], lane / 2 * shape.kept + at % shape.kept);
    }
    deliver(call, pointer, shape.bytes, shape.alignment, out, &reg0, historyOf(reg0, reg1));
}

/// Eight blocks at a distance, lane by lane under the mask.
template <typename R>
void storeBlocks(const Call& call, uint8_t* pointer, const R& reg, uint32_t blockStride, const MaskReg& mask) {
    static_assert(sizeof(Element<R>) < 8, "StoreAlign: blocks are stored of 8-, 16- and 32-bit elements only");
    startCall(call, reg, mask);
    constexpr uint32_t block = chip::blockBytes;
    requireDefinedMask(call, mask, laneBits<R>);
    const Bits active = mask.bits.spread(laneBits<R>);
    for (uint32_t k = 0; k < registerBytes / block; k++) {
        Outgoing out;
        for (uint32_t i = 0; i < block; i++) {
            if (active.test(k * block + i)) out.put(i, reg.part[0], k * block + i);
        }
        if (static_cast<uint32_t>(active.word[k / 2] >> (k % 2 * block)) == 0) continue;
        deliver(call, pointer + uint64_t{k} * blockStride * block, block, block, out, &reg, historyOf(reg, mask));
    }
}

/// A mask: as it is, or its even bits.
template <MaskDist dist>
void storeMask(const Call& call, void* pointer, const MaskReg& mask) {
    static_assert(dist == MaskDist::DIST_NORM || dist == MaskDist::DIST_PACK,
                  "StoreAlign: masks are stored with DIST_NORM or DIST_PACK");
    startCall(call, mask);
    constexpr uint32_t step = dist == MaskDist::DIST_PACK ? 2 : 1;
    Outgoing out;
    for (uint32_t at = 0; at < 32 / step; at++) {
        out.wanted[at] = out.known[at] = true;
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t from = (8 * at + i) * step;
            out.bytes[at] = static_cast<uint8_t>(out.bytes[at] | (mask.bits.test(from) ? 1u << i : 0u));
            out.known[at] = out.known[at] && mask.defined.test(from);
        }
    }
    deliver(call, pointer, 32 / step, 32 / step, out, &mask, mask.lineage);
}

}  // namespace emu::reg

namespace AscendC::Reg {

// The forms of an aligned store under its two names.
#define EMU_STORE(Name)                                                                                              \
    template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U, IfRegister<U> = 0>        \
    void Name(__ubuf__ T* dstAddr, U& srcReg, MaskReg& mask, Site site = Site::here()) {                             \
        emu::reg::storeOne<dist>(emu::reg::Call{#Name, site}, dstAddr, srcReg, mask);                                \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, typename U,     \
              IfRegister<U> = 0>                                                                                     \
    void Name(__ubuf__ T*& dstAddr, U& srcReg, int32_t postUpdateStride, MaskReg& mask, Site site = Site::here()) {  \
        static_assert(postMode == PostLiteral::POST_MODE_UPDATE, #Name ": this form updates the address");           \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::storeOne<dist>(call, dstAddr, srcReg, mask);                                                       \
        emu::reg::advance(call, dstAddr, postUpdateStride, emu::reg::shapeOf(dist, sizeof(T)).alignment);            \
    }                                                                                                                \
    template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U, IfRegister<U> = 0>        \
    void Name(__ubuf__ T* dstAddr, U& srcReg, AddrReg offset, MaskReg& mask, Site site = Site::here()) {             \
        static_assert(U::REG_NUM == 1, #Name ": an address register goes with a single register");                   \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::storeOne<dist>(call, emu::reg::offsetBy(call, dstAddr, offset), srcReg, mask);                     \
    }                                                                                                                \
    template <typename T = DefaultType, StoreDist dist, typename U, IfRegister<U> = 0>                               \
    void Name(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, MaskReg& mask, Site site = Site::here()) {                \
        emu::reg::storePair<dist>(emu::reg::Call{#Name, site}, dstAddr, srcReg0, srcReg1, mask);                     \
    }                                                                                                                \
    template <typename T = DefaultType, StoreDist dist, typename U, IfRegister<U> = 0>                               \
    void Name(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, AddrReg offset, MaskReg& mask,                            \
              Site site = Site::here()) {                                                                            \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::storePair<dist>(call, emu::reg::offsetBy(call, dstAddr, offset), srcReg0,                          \
                                  srcReg1, mask);                                                                    \
    }                                                                                                                \
    template <typename T = DefaultType, DataCopyMode dataMode, typename U, IfRegister<U> = 0>                        \
    void Name(__ubuf__ T* dstAddr, U& srcReg, uint32_t dataBlockStride, MaskReg& mask, Site site = Site::here()) {   \
        static_assert(dataMode == DataCopyMode::DATA_BLOCK_COPY, #Name ": a stride of blocks needs DATA_BLOCK_COPY");\
        emu::reg::storeBlocks(emu::reg::Call{#Name, site}, reinterpret_cast<uint8_t*>(dstAddr), srcReg,              \
                              dataBlockStride, mask);                                                                \
    }                                                                                                                \
    template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U, IfRegister<U> = 0>  \
    void Name(__ubuf__ T*& dstAddr, U& srcReg, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg& mask,       \
              Site site = Site::here()) {                                                                            \
        static_assert(dataMode == DataCopyMode::DATA_BLOCK_COPY, #Name ": a stride of blocks needs DATA_BLOCK_COPY");\
        constexpr bool update = postMode == PostLiteral::POST_MODE_UPDATE;                                           \
        __ubuf__ T* next = dstAddr + uint64_t{repeatStride} * emu::chip::blockBytes / sizeof(T);                     \
        emu::reg::storeBlocks(emu::reg::Call{#Name, site}, reinterpret_cast<uint8_t*>(update ? dstAddr : next),      \
                              srcReg, dataBlockStride, mask);                                                        \
        if (update) dstAddr = next;                                                                                  \
    }                                                                                                                \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                       \
    void Name(__ubuf__ T* dstAddr, MaskReg& mask, Site site = Site::here()) {                                        \
        emu::reg::storeMask<dist>(emu::reg::Call{#Name, site}, dstAddr, mask);                                       \
    }                                                                                                                \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                       \
    void Name(__ubuf__ T* dstAddr, MaskReg& mask, AddrReg offset, Site site = Site::here()) {                        \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::storeMask<dist>(call, emu::reg::offsetBy(call, dstAddr, offset), mask);                            \
    }                                                                                                                \
    template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>                                 \
    void Name(__ubuf__ T*&, MaskReg&, int32_t) {                                                                     \
        static_assert(sizeof(T) == 0, #Name ": the sources contradict each other about the unit of a mask's stride; "\
                                            "advance the pointer yourself");                                         \
    }

EMU_STORE(StoreAlign)
EMU_STORE(DataCopy)
#undef EMU_STORE

}  // namespace AscendC::Reg
