// Unaligned streams: loads and stores at any byte address through a 32-byte register.
#pragma once

#include "reg/store.h"

namespace emu::reg {

using AscendC::Reg::UnalignReg;

inline constexpr uint64_t blockMask = chip::blockBytes - 1;

inline uint64_t offsetOf(const void* pointer) {
    return VectorFunction::current().core().memory.place(pointer).address;
}

/// Read the block that holds an address.
inline void prime(const Call& call, UnalignReg& ureg, const void* pointer) {
    startCall(call);
    UbPlace place;
    const uint64_t before = offsetOf(pointer) & blockMask;
    if (!VectorFunction::current().locate(call, pointer, before, chip::blockBytes - before, 1, place)) return;
    ureg.primed = true;
    ureg.block = place.address & ~blockMask;
}

/// Load a register from an address whose block the unaligned register holds.
template <typename R>
void loadStream(const Call& call, R& reg, UnalignReg& ureg, const void* pointer) {
    startCall(call);
    VectorFunction& vf = VectorFunction::current();
    const uint64_t head = offsetOf(pointer) & blockMask;
    if (!ureg.primed || ureg.block != offsetOf(pointer) - head) {
        vf.report(Rule::regStream, call,
                  text("the register does not hold the block of UB byte %llu: LoadUnAlignPre is missing",
                       (unsigned long long)offsetOf(pointer)));
    }
    constexpr uint32_t bytes = R::REG_NUM * registerBytes;
    const Fetched fetched = fetch(call, pointer, bytes, 1, &reg, static_cast<uint32_t>(head),
                                  static_cast<uint32_t>(chip::blockBytes - head));
    for (uint32_t p = 0; p < R::REG_NUM; p++) {
        if constexpr (R::REG_NUM == 1) {
            fetched.copy(reg.part[0]);
        } else {
            fetched.fill(reg.part[p], [p](uint32_t at) { return sourceOf(LoadDist::DIST_DINTLV_B32, at, p); });
        }
    }
    finishLoad(reg, fetched);
    ureg.block = offsetOf(pointer) - head + bytes;
}

/// The consecutive bytes of a register's elements.
template <typename R>
Outgoing elementsOf(const R& reg) {
    Outgoing out;
    for (uint32_t at = 0; at < R::REG_NUM * registerBytes; at++) {
        if constexpr (R::REG_NUM == 1) {
            out.put(at, reg.part[0], at);
        } else {
            out.put(at, reg.part[at % 8 / 4], at / 8 * 4 + at % 4);
        }
    }
    return out;
}

/// Append bytes to a stream at an address: whole blocks are stored, the rest waits.
inline void appendStream(const Call& call, UnalignReg& ureg, const void* pointer, const uint8_t* bytes, uint64_t count,
                         const Lineage& lineage) {
    VectorFunction& vf = VectorFunction::current();
    UbPlace place;
    if (!vf.locate(call, pointer, 0, count, 1, place)) return;
    const uint64_t address = place.address;
    uint64_t waiting = ureg.pending.end - ureg.pending.begin;
    if (waiting != 0 && ureg.pending.end != address) {
        vf.report(Rule::regStream, call,
                  text("the stream jumps from UB byte %llu to %llu while %llu bytes wait",
                       (unsigned long long)ureg.pending.end, (unsigned long long)address, (unsigned long long)waiting));
        waiting = 0;
    }
    std::vector<uint8_t> all(ureg.bytes.begin(), ureg.bytes.begin() + static_cast<std::ptrdiff_t>(waiting));
    all.insert(all.end(), bytes, bytes + count);
    ureg.lineage.join(lineage);
    const uint64_t begin = address - waiting;
    const uint64_t end = address + count;
    const uint64_t stop = std::max(begin, end & ~blockMask);
    if (stop > begin) {
        vf.storeRun(call, vf.numberStore(call), place.buffer, Run{begin, stop}, identity(&ureg), ureg.lineage, all.data());
    }
    std::copy(all.begin() + static_cast<std::ptrdiff_t>(stop - begin), all.end(), ureg.bytes.begin());
    ureg.pending = Run{stop, end};
    ureg.buffer = place.buffer;
    ureg.last = call;
}

/// Store what waits in a stream.
inline void flushStream(const Call& call, UnalignReg& ureg) {
    startCall(call);
    if (ureg.pending.end > ureg.pending.begin) {
        VectorFunction& vf = VectorFunction::current();
        vf.storeRun(call, vf.numberStore(call), ureg.buffer, ureg.pending, identity(&ureg), ureg.lineage,
                    ureg.bytes.data());
    }
    ureg.pending = Run{};
    ureg.lineage = Lineage{};
}

/// Append the first elements of a register.
template <typename T, typename R>
void storeStream(const Call& call, T* pointer, const R& reg, UnalignReg& ureg, uint64_t elements) {
    startCall(call, reg);
    const uint64_t limit = laneCount<R>;
    if (elements > limit) {
        VectorFunction::current().report(Rule::countRange, call,
                                         text("%llu elements of a register of %llu", (unsigned long long)elements,
                                              (unsigned long long)limit));
        elements = limit;
    }
    const Outgoing out = elementsOf(reg);
    const uint64_t bytes = elements * sizeof(Element<R>);
    requireDefined(call, out, static_cast<uint32_t>(bytes));
    appendStream(call, ureg, pointer, out.bytes.data(), bytes, reg.lineage);
}

/// Append the elements that the last Squeeze has kept, at the position that the address counter has reached.
template <typename T, typename R>
void storeSqueezed(const Call& call, T* pointer, const R& reg, UnalignReg& ureg, bool update) {
    VectorFunction::Squeezed& state = VectorFunction::current().squeezed;
    if (!state.pending) {
        VectorFunction::current().report(Rule::regStream, call,
                                         "no Squeeze with STORE_REG stands between this store and the one before");
        return;
    }
    state.pending = false;
    auto* at = reinterpret_cast<uint8_t*>(pointer) + state.position;
    storeStream(call, at, reg, ureg, state.bytes / sizeof(Element<R>));
    if (update) state.position += state.bytes;
}

/// Append a mask with one bit an element.
template <typename T>
void storeMaskStream(const Call& call, T*& pointer, const MaskReg& mask, UnalignReg& ureg) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "StoreUnAlign: masks are packed for 16- and 32-bit elements");
    startCall(call, mask);
    constexpr uint32_t bytes = 32 / sizeof(T);
    std::array<uint8_t, bytes> packed{};
    for (uint32_t i = 0; i < 8 * bytes; i++) {
        if (mask.bits.test(i * sizeof(T))) packed[i / 8] = static_cast<uint8_t>(packed[i / 8] | 1u << (i % 8));
    }
    requireDefinedMask(call, mask, sizeof(T));
    if (offsetOf(pointer) % bytes != 0) {
        VectorFunction::current().report(Rule::ubAlignment, call, text("UB byte %llu is not a multiple of %u",
                                                                       (unsigned long long)offsetOf(pointer), bytes));
    }
    appendStream(call, ureg, pointer, packed.data(), bytes, mask.lineage);
    pointer = reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(pointer) + bytes);
}

}  // namespace emu::reg

namespace AscendC::Reg {

// The forms of the unaligned streams under their old and new names.
#define EMU_STREAM(LoadPre, LoadName, StoreName, StorePost)                                                          \
    template <typename T>                                                                                            \
    void LoadPre(UnalignReg& ureg, __ubuf__ T* srcAddr, Site site = Site::here()) {                                  \
        emu::reg::prime(emu::reg::Call{#LoadPre, site}, ureg, srcAddr);                                              \
    }                                                                                                                \
    template <typename T>                                                                                            \
    void LoadPre(UnalignReg& ureg, __ubuf__ T* srcAddr, AddrReg& areg, Site site = Site::here()) {                   \
        const emu::reg::Call call{#LoadPre, site};                                                                   \
        emu::reg::prime(call, ureg, emu::reg::offsetBy(call, srcAddr, areg));                                        \
    }                                                                                                                \
    template <typename T = DefaultType, typename U, IfRegister<U> = 0>                                               \
    void LoadName(U& dstReg, UnalignReg& ureg, __ubuf__ T* srcAddr, Site site = Site::here()) {                      \
        static_assert(U::REG_NUM == 1, #LoadName ": this form loads a single register");                             \
        emu::reg::loadStream(emu::reg::Call{#LoadName, site}, dstReg, ureg, srcAddr);                                \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U,            \
              IfRegister<U> = 0>                                                                                     \
    void LoadName(U& dstReg, UnalignReg& ureg, __ubuf__ T*& srcAddr, uint32_t postUpdateStride,                      \
                  Site site = Site::here()) {                                                                        \
        emu::reg::loadStream(emu::reg::Call{#LoadName, site}, dstReg, ureg, srcAddr);                                \
        if (postMode == PostLiteral::POST_MODE_UPDATE) srcAddr += postUpdateStride;                                  \
    }                                                                                                                \
    template <typename T = DefaultType, typename U, IfRegister<U> = 0>                                               \
    void LoadName(U& dstReg, UnalignReg& ureg, __ubuf__ T*& srcAddr, AddrReg& areg, uint32_t,                        \
                  Site site = Site::here()) {                                                                        \
        static_assert(U::REG_NUM == 1, #LoadName ": an address register goes with a single register");               \
        const emu::reg::Call call{#LoadName, site};                                                                  \
        emu::reg::loadStream(call, dstReg, ureg, emu::reg::offsetBy(call, srcAddr, areg));                           \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U,            \
              IfRegister<U> = 0>                                                                                     \
    void StoreName(__ubuf__ T*& dstAddr, U& srcReg, UnalignReg& ureg, uint32_t postUpdateStride,                     \
                   Site site = Site::here()) {                                                                       \
        emu::reg::storeStream(emu::reg::Call{#StoreName, site}, dstAddr, srcReg, ureg, postUpdateStride);            \
        if (postMode == PostLiteral::POST_MODE_UPDATE) dstAddr += postUpdateStride;                                  \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U,            \
              IfRegister<U> = 0>                                                                                     \
    void StoreName(__ubuf__ T*& dstAddr, U& srcReg, UnalignReg& ureg, AddrReg& areg, Site site = Site::here()) {     \
        static_assert(U::REG_NUM == 1, #StoreName ": an address register goes with a single register");              \
        const emu::reg::Call call{#StoreName, site};                                                                 \
        emu::reg::storeStream(call, emu::reg::offsetBy(call, dstAddr, areg), srcReg, ureg, emu::reg::laneCount<U>);  \
    }                                                                                                                \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U,            \
              IfRegister<U> = 0>                                                                                     \
    void StoreName(__ubuf__ T* dstAddr, U& srcReg, UnalignReg& ureg, Site site = Site::here()) {                     \
        static_assert(U::REG_NUM == 1, #StoreName ": this form stores a single register");                           \
        constexpr bool update = postMode == PostLiteral::POST_MODE_UPDATE;                                           \
        emu::reg::storeSqueezed(emu::reg::Call{#StoreName, site}, dstAddr, srcReg, ureg, update);                    \
    }                                                                                                                \
    template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE>                                      \
    void StorePost(__ubuf__ T*& dstAddr, UnalignReg& ureg, int32_t postUpdateStride, Site site = Site::here()) {     \
        emu::reg::flushStream(emu::reg::Call{#StorePost, site}, ureg);                                               \
        if (postMode == PostLiteral::POST_MODE_UPDATE) dstAddr += postUpdateStride;                                  \
    }                                                                                                                \
    template <typename T>                                                                                            \
    void StorePost(__ubuf__ T*&, UnalignReg& ureg, AddrReg&, Site site = Site::here()) {                             \
        emu::reg::flushStream(emu::reg::Call{#StorePost, site}, ureg);                                               \
    }                                                                                                                \
    template <typename T>                                                                                            \
    void StorePost(__ubuf__ T*, UnalignReg& ureg, Site site = Site::here()) {                                        \
        emu::reg::flushStream(emu::reg::Call{#StorePost, site}, ureg);                                               \
    }

EMU_STREAM(LoadUnAlignPre, LoadUnAlign, StoreUnAlign, StoreUnAlignPost)
EMU_STREAM(DataCopyUnAlignPre, DataCopyUnAlign, DataCopyUnAlign, DataCopyUnAlignPost)
#undef EMU_STREAM

template <typename T>
void StoreUnAlign(__ubuf__ T*& dstAddr, MaskReg& mask, UnalignReg& ureg, Site site = Site::here()) {
    emu::reg::storeMaskStream(emu::reg::Call{"StoreUnAlign", site}, dstAddr, mask, ureg);
}

/// Load one register from any address.
template <typename T = DefaultType, typename U>
void Load(U& dstReg, __ubuf__ T* srcAddr, Site site = Site::here()) {
    static_assert(U::REG_NUM == 1, "Load: a single register is loaded");
    UnalignReg ureg(site);
    emu::reg::prime(emu::reg::Call{"Load", site}, ureg, srcAddr);
    emu::reg::loadStream(emu::reg::Call{"Load", site}, dstReg, ureg, srcAddr);
}

/// Store the first elements of one register to any address.
template <typename T = DefaultType, typename U>
void Store(__ubuf__ T* dstAddr, U& srcReg, uint32_t count, Site site = Site::here()) {
    UnalignReg ureg(site);
    emu::reg::storeStream(emu::reg::Call{"Store", site}, dstAddr, srcReg, ureg, count);
    emu::reg::flushStream(emu::reg::Call{"Store", site}, ureg);
}

template <typename T = DefaultType, typename U>
void Store(__ubuf__ T* dstAddr, U& srcReg, Site site = Site::here()) {
    Store(dstAddr, srcReg, emu::reg::laneCount<U>, site);
}

}  // namespace AscendC::Reg
