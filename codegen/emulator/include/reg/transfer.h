// Bytes on their way between the unified buffer and registers.
#pragma once

#include "reg/dist.h"
#include "reg/lanes.h"

namespace emu::reg {

inline constexpr uint32_t pairBytes = 2 * registerBytes;

/// Bytes that a load has fetched, and which of them are defined.
struct Fetched {
    std::array<uint8_t, pairBytes> bytes{};
    std::array<bool, pairBytes> known{};
    uint32_t number = 0;

    /// Fill one part of a register: from(byte) names the fetched byte, -1 a zero.
    template <typename From>
    void fill(Part& part, const From& from) const {
        part.defined = Bits{};
        for (uint32_t at = 0; at < registerBytes; at++) {
            const int source = from(at);
            part.bytes[at] = source < 0 ? 0 : bytes[static_cast<size_t>(source)];
            if (source < 0 || known[static_cast<size_t>(source)]) part.defined.set(at);
        }
    }

    /// Fill one part with consecutive bytes.
    void copy(Part& part) const {
        std::memcpy(part.bytes.data(), bytes.data(), registerBytes);
        part.defined = Bits::all();
        if (std::memchr(known.data(), 0, registerBytes) == nullptr) return;
        for (uint32_t at = 0; at < registerBytes; at++) part.defined.assign(at, known[at]);
    }
};

/// Fetch bytes for the register `reg`. What cannot be read stays undefined. `before` and `after` count the bytes around
/// them that the hardware reads as well.
inline Fetched fetch(const Call& call, const void* pointer, uint32_t bytes, uint32_t alignment, const void* reg,
                     uint32_t before = 0, uint32_t after = 0) {
    Fetched fetched;
    UbPlace place;
    VectorFunction& vf = VectorFunction::current();
    if (vf.locate(call, pointer, before, uint64_t{bytes} + after, alignment, place)) {
        fetched.number = vf.load(call, place, bytes, identity(reg), fetched.bytes.data(), fetched.known.data());
    }
    return fetched;
}

/// Mark a register as the result of a load.
template <typename R>
void finishLoad(R& reg, const Fetched& fetched) {
    reg.written = true;
    reg.lineage = Lineage::of(fetched.number);
}

/// Bytes that a store writes: the wanted ones, and whether each is defined.
struct Outgoing {
    std::array<uint8_t, pairBytes> bytes{};
    std::array<bool, pairBytes> wanted{};
    std::array<bool, pairBytes> known{};

    void put(uint32_t at, const Part& part, uint32_t from) {
        bytes[at] = part.bytes[from];
        known[at] = part.defined.test(from);
        wanted[at] = true;
    }
};

/// Report stored bytes that have no defined content.
inline void requireDefined(const Call& call, const Outgoing& out, uint32_t bytes) {
    if (std::memcmp(out.wanted.data(), out.known.data(), bytes) == 0) return;
    for (uint32_t at = 0; at < bytes; at++) {
        if (!out.wanted[at] || out.known[at]) continue;
        VectorFunction::current().report(
            Rule::regUndefined, call,
            text("byte %u of what is stored comes from UB bytes that nothing has written, or from undefined lanes or "
                 "mask bits", at));
        return;
    }
}

/// Store the wanted bytes of the register `reg`.
inline void deliver(const Call& call, void* pointer, uint32_t bytes, uint32_t alignment, const Outgoing& out,
                    const void* reg, const Lineage& lineage) {
    VectorFunction& vf = VectorFunction::current();
    uint32_t used = bytes;
    while (used > 0 && !out.wanted[used - 1]) used--;
    UbPlace place;
    if (!vf.locate(call, pointer, 0, used, alignment, place)) return;
    requireDefined(call, out, used);
    const uint32_t number = vf.numberStore(call);
    for (uint32_t at = 0; at < used;) {
        uint32_t stop = at;
        while (stop < used && out.wanted[stop]) stop++;
        if (stop > at) {
            vf.storeRun(call, number, place.buffer, Run{place.address + at, place.address + stop}, identity(reg),
                        lineage, out.bytes.data() + at);
        }
        at = stop + 1;
    }
}

/// Report mask bits without defined content that decide which lanes of `width` bytes are stored.
inline void requireDefinedMask(const Call& call, const MaskReg& mask, uint32_t width) {
    if (mask.defined.spread(width).full()) return;
    VectorFunction::current().report(
        Rule::regUndefined, call,
        text("mask bit %u, which selects a lane of %u bytes, has no defined content",
             (~mask.defined & Bits::lowest(width)).first(), width));
}

/// A prefix of lanes, and no lane behind it.
inline bool isPrefixMask(const MaskReg& mask, uint32_t width) {
    const Bits active = mask.bits.spread(width);
    const uint32_t end = (~active).first();
    for (uint32_t bit = end; bit < Bits::count; bit++) {
        if (active.test(bit)) return false;
    }
    return true;
}

}  // namespace emu::reg
