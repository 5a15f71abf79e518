// Aligned loads of vector registers and masks.
#pragma once

#include "reg/transfer.h"

namespace emu::reg {

using AscendC::Reg::AddrReg;
using AscendC::Reg::MaskDist;

template <LoadDist dist, typename R, typename T>
void checkLoad() {
    static_assert(sizeof(Element<R>) < 8 || dist == LoadDist::DIST_NORM,
                  "LoadAlign: 64-bit elements are loaded with DIST_NORM only");
    static_assert(sizeof(T) <= 8, "LoadAlign: no such element type");
}

/// One register, single or double.
template <LoadDist dist, typename R>
void loadOne(const Call& call, R& reg, const void* pointer) {
    static_assert(!isPair(dist), "LoadAlign: DIST_DINTLV fills two registers");
    checkLoad<dist, R, Element<R>>();
    startCall(call);
    constexpr LoadShape shape = shapeOf(dist);
    if constexpr (R::REG_NUM == 2) {
        const Fetched fetched = fetch(call, pointer, pairBytes, shape.alignment, &reg);
        for (uint32_t p = 0; p < 2; p++) {
            fetched.fill(reg.part[p], [p](uint32_t at) { return sourceOf(LoadDist::DIST_DINTLV_B32, at, p); });
        }
        finishLoad(reg, fetched);
    } else {
        const Fetched fetched = fetch(call, pointer, shape.bytes, shape.alignment, &reg);
        if constexpr (dist == LoadDist::DIST_NORM) {
            fetched.copy(reg.part[0]);
        } else {
            fetched.fill(reg.part[0], [](uint32_t at) { return sourceOf(dist, at, 0); });
        }
        finishLoad(reg, fetched);
    }
}

/// Two registers at once.
template <LoadDist dist, typename R>
void loadPair(const Call& call, R& reg0, R& reg1, const void* pointer) {
    static_assert(isPair(dist), "LoadAlign: two registers are filled with DIST_DINTLV");
    static_assert(R::REG_NUM == 1, "LoadAlign: a pair of registers must be single registers");
    checkLoad<dist, R, Element<R>>();
    startCall(call);
    constexpr LoadShape shape = shapeOf(dist);
    const Fetched fetched = fetch(call, pointer, shape.bytes, shape.alignment, &reg0);
    fetched.fill(reg0.part[0], [](uint32_t at) { return sourceOf(dist, at, 0); });
    fetched.fill(reg1.part[0], [](uint32_t at) { return sourceOf(dist, at, 1); });
    finishLoad(reg0, fetched);
    finishLoad(reg1, fetched);
}

/// Eight blocks at a distance; a block without an active lane becomes zero and is not read.
template <typename R>
void loadBlocks(const Call& call, R& reg, const uint8_t* pointer, uint32_t blockStride, const MaskReg& mask) {
    static_assert(sizeof(Element<R>) < 8, "LoadAlign: blocks are loaded of 8-, 16- and 32-bit elements only");
    startCall(call, mask);
    constexpr uint32_t block = chip::blockBytes;
    requireDefinedMask(call, mask, laneBits<R>);
    const Bits active = mask.bits.spread(laneBits<R>);
    Part part{{}, Bits::all()};
    Lineage lineage = mask.lineage;
    for (uint32_t k = 0; k < registerBytes / block; k++) {
        if (static_cast<uint32_t>(active.word[k / 2] >> (k % 2 * block)) == 0) continue;
        const Fetched fetched = fetch(call, pointer + uint64_t{k} * blockStride * block, block, block, &reg);
        lineage.join(Lineage::of(fetched.number));
        for (uint32_t i = 0; i < block; i++) {
            part.bytes[k * block + i] = fetched.bytes[i];
            part.defined.assign(k * block + i, fetched.known[i]);
        }
    }
    reg.part[0] = part;
    reg.lineage = lineage;
    reg.written = true;
}

/// A mask: as it is, each bit twice, or every other bit.
template <MaskDist dist>
void loadMask(const Call& call, MaskReg& mask, const void* pointer) {
    static_assert(dist != MaskDist::DIST_PACK, "LoadAlign: masks are loaded with DIST_NORM, DIST_US or DIST_DS");
    startCall(call);
    constexpr uint32_t bytes = dist == MaskDist::DIST_NORM ? 32 : dist == MaskDist::DIST_US ? 16 : 64;
    const Fetched fetched = fetch(call, pointer, bytes, bytes == 16 ? 16 : 32, &mask);
    for (uint32_t bit = 0; bit < Bits::count; bit++) {
        const uint32_t from = dist == MaskDist::DIST_NORM ? bit : dist == MaskDist::DIST_US ? bit / 2 : 2 * bit;
        mask.bits.assign(bit, (fetched.bytes[from / 8] >> (from % 8)) & 1u);
        mask.defined.assign(bit, fetched.known[from / 8]);
    }
    finishLoad(mask, fetched);
}

/// The address that an address register adds to.
template <typename T>
T* offsetBy(const Call& call, T* address, const AddrReg& offset) {
    if (!offset.written) {
        VectorFunction::current().report(Rule::regUnwritten, call, "the address register was never written");
    }
    return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(address) + offset.bytes);
}

/// Move a pointer by a stride in elements, for whose bytes the alignment of the access holds as well.
template <typename T>
void advance(const Call& call, T*& address, int64_t elements, uint32_t alignment) {
    const auto bytes = elements * static_cast<int64_t>(sizeof(T));
    if (bytes % static_cast<int64_t>(alignment) != 0) {
        VectorFunction::current().report(Rule::ubAlignment, call,
                                         text("a stride of %lld bytes is not a multiple of %u", (long long)bytes,
                                              alignment));
    }
    address += elements;
}

}  // namespace emu::reg

namespace AscendC::Reg {

/// The offset of up to four loops: the sum of index * stride, in elements of T.
template <typename T, typename... More>
AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, More... more) {
    static_assert(sizeof...(More) % 2 == 0 && sizeof...(More) <= 6, "CreateAddrReg: one to four (index, stride) pairs");
    const uint64_t numbers[] = {index0, stride0, static_cast<uint64_t>(more)...};
    uint64_t elements = 0;
    for (size_t i = 0; i < sizeof...(More) + 2; i += 2) elements += numbers[i] * numbers[i + 1];
    return AddrReg{true, elements * sizeof(T)};
}

// The forms of an aligned load under its two names.
#define EMU_LOAD(Name)                                                                                               \
    template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U, IfRegister<U> = 0>          \
    void Name(U& dstReg, __ubuf__ T* srcAddr, Site site = Site::here()) {                                            \
        emu::reg::loadOne<dist>(emu::reg::Call{#Name, site}, dstReg, srcAddr);                                       \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, typename U,       \
              IfRegister<U> = 0>                                                                                     \
    void Name(U& dstReg, __ubuf__ T*& srcAddr, int32_t postUpdateStride, Site site = Site::here()) {                 \
        static_assert(postMode == PostLiteral::POST_MODE_UPDATE, #Name ": this form updates the address");           \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::loadOne<dist>(call, dstReg, srcAddr);                                                              \
        emu::reg::advance(call, srcAddr, postUpdateStride, emu::reg::shapeOf(dist).alignment);                       \
    }                                                                                                                \
    template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U, IfRegister<U> = 0>          \
    void Name(U& dstReg, __ubuf__ T* srcAddr, AddrReg offset, Site site = Site::here()) {                            \
        static_assert(U::REG_NUM == 1, #Name ": an address register goes with a single register");                   \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::loadOne<dist>(call, dstReg, emu::reg::offsetBy(call, srcAddr, offset));                            \
    }                                                                                                                \
    template <typename T = DefaultType, LoadDist dist, typename U, IfRegister<U> = 0>                                \
    void Name(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr, Site site = Site::here()) {                               \
        emu::reg::loadPair<dist>(emu::reg::Call{#Name, site}, dstReg0, dstReg1, srcAddr);                            \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename U, IfRegister<U> = 0>          \
    void Name(U& dstReg0, U& dstReg1, __ubuf__ T*& srcAddr, int32_t postUpdateStride, Site site = Site::here()) {    \
        static_assert(postMode == PostLiteral::POST_MODE_UPDATE, #Name ": this form updates the address");           \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::loadPair<dist>(call, dstReg0, dstReg1, srcAddr);                                                   \
        emu::reg::advance(call, srcAddr, postUpdateStride, emu::reg::shapeOf(dist).alignment);                       \
    }                                                                                                                \
    template <typename T = DefaultType, LoadDist dist, typename U, IfRegister<U> = 0>                                \
    void Name(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr, AddrReg offset, Site site = Site::here()) {               \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::loadPair<dist>(call, dstReg0, dstReg1,                                                             \
                                 emu::reg::offsetBy(call, srcAddr, offset));                                         \
    }                                                                                                                \
    template <typename T = DefaultType, DataCopyMode dataMode, typename U, IfRegister<U> = 0>                        \
    void Name(U& dstReg, __ubuf__ T* srcAddr, uint32_t dataBlockStride, MaskReg& mask, Site site = Site::here()) {   \
        static_assert(dataMode == DataCopyMode::DATA_BLOCK_COPY, #Name ": a stride of blocks needs DATA_BLOCK_COPY");\
        emu::reg::loadBlocks(emu::reg::Call{#Name, site}, dstReg, reinterpret_cast<const uint8_t*>(srcAddr),         \
                             dataBlockStride, mask);                                                                 \
    }                                                                                                                \
    template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U, IfRegister<U> = 0>  \
    void Name(U& dstReg, __ubuf__ T*& srcAddr, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg& mask,       \
              Site site = Site::here()) {                                                                            \
        static_assert(dataMode == DataCopyMode::DATA_BLOCK_COPY, #Name ": a stride of blocks needs DATA_BLOCK_COPY");\
        constexpr bool update = postMode == PostLiteral::POST_MODE_UPDATE;                                           \
        __ubuf__ T* next = srcAddr + uint64_t{repeatStride} * emu::chip::blockBytes / sizeof(T);                     \
        emu::reg::loadBlocks(emu::reg::Call{#Name, site}, dstReg,                                                    \
                             reinterpret_cast<const uint8_t*>(update ? srcAddr : next), dataBlockStride, mask);      \
        if (update) srcAddr = next;                                                                                  \
    }                                                                                                                \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                       \
    void Name(MaskReg& mask, __ubuf__ T* srcAddr, Site site = Site::here()) {                                        \
        emu::reg::loadMask<dist>(emu::reg::Call{#Name, site}, mask, srcAddr);                                        \
    }                                                                                                                \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                       \
    void Name(MaskReg& mask, __ubuf__ T* srcAddr, AddrReg offset, Site site = Site::here()) {                        \
        const emu::reg::Call call{#Name, site};                                                                      \
        emu::reg::loadMask<dist>(call, mask, emu::reg::offsetBy(call, srcAddr, offset));                             \
    }                                                                                                                \
    template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>                                 \
    void Name(MaskReg&, __ubuf__ T*&, int32_t) {                                                                     \
        static_assert(sizeof(T) == 0, #Name ": the sources contradict each other about the unit of a mask's stride; "\
                                            "advance the pointer yourself");                                         \
    }

EMU_LOAD(LoadAlign)
EMU_LOAD(DataCopy)
#undef EMU_LOAD

}  // namespace AscendC::Reg
