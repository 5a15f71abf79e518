// The registers of the register level. Each byte and each mask bit remembers whether its content is defined.
#pragma once

#include <cstring>

#include "reg/bits.h"
#include "reg/vf.h"

namespace emu::reg {

inline constexpr uint32_t registerBytes = static_cast<uint32_t>(chip::repeatBytes);

/// Counts the registers that are alive.
class Alive {
public:
    explicit Alive(Site site, const char* api) { VectorFunction::current().retain(Call{api, site}); }
    Alive(const Alive&) { VectorFunction::current().retain(Call{"register", Site{}}); }
    Alive& operator=(const Alive&) = default;
    ~Alive() { VectorFunction::current().release(); }
};

/// One physical register: content, and which bytes of it are defined.
struct Part {
    std::array<uint8_t, registerBytes> bytes;
    Bits defined;
};

/// A register of one or two parts. All views of a register share this layout, so that a reference cast reinterprets it.
template <int parts>
struct VectorStorage : Alive {
    static constexpr int count = parts;

    explicit VectorStorage(Site site) : Alive(site, "RegTensor") {
        for (Part& p : part) p.bytes.fill(0xff);
    }

    bool written = false;
    Lineage lineage{};
    std::array<Part, static_cast<size_t>(parts)> part{};
};

/// The number by which the order of accesses knows a register.
inline uint32_t identity(const void* reg) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(reg) / alignof(uint64_t));
}

template <typename T>
inline constexpr bool isElement =
    std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || dtypeOf<T> != DType::other;

}  // namespace emu::reg

namespace AscendC::Reg {

/// A vector register of elements T.
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
struct RegTensor : emu::reg::VectorStorage<regTrait.REG_NUM> {
    static_assert(emu::reg::isElement<T>, "RegTensor: the register level has no such element type");
    static_assert(regTrait.REG_NUM == 1 || sizeof(T) == 8, "RegTensor: two registers hold 64-bit elements only");

    using ActualT = T;
    static constexpr const RegTrait& trait = regTrait;
    static constexpr int REG_NUM = regTrait.REG_NUM;

    RegTensor(Site site = Site::here()) : emu::reg::VectorStorage<regTrait.REG_NUM>(site) {}
};

/// A mask of one bit a byte.
struct MaskReg : emu::reg::Alive {
    MaskReg(Site site = Site::here()) : Alive(site, "MaskReg") {}

    bool written = false;
    emu::reg::Lineage lineage{};
    emu::reg::Bits bits = emu::reg::Bits::all();
    emu::reg::Bits defined{};
};

/// The offset of an access in bytes.
struct AddrReg {
    bool written = false;
    uint64_t bytes = 0;
};

/// The buffer of an unaligned stream: the block primed for loading, or the bytes not stored yet.
struct UnalignReg : emu::reg::Alive {
    UnalignReg(Site site = Site::here());
    UnalignReg(const UnalignReg&) = delete;
    UnalignReg& operator=(const UnalignReg&) = delete;
    ~UnalignReg();

    bool primed = false;
    uint64_t block = 0;
    emu::reg::Call last{};
    emu::Run pending{};
    int buffer = -1;
    emu::reg::Lineage lineage{};
    std::array<uint8_t, 2 * emu::chip::blockBytes> bytes{};
};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;

inline UnalignReg::UnalignReg(Site site) : Alive(site, "UnalignReg") {
    constexpr int limit = 8;
    emu::reg::VectorFunction& vf = emu::reg::VectorFunction::current();
    if (++vf.unaligned <= limit) return;
    vf.report(emu::Rule::regLimit, emu::reg::Call{"UnalignReg", site},
              emu::text("%d registers for unaligned streams; 4 for loads and 4 for stores exist", vf.unaligned));
}

inline UnalignReg::~UnalignReg() {
    emu::reg::VectorFunction::current().unaligned--;
    if (pending.begin == pending.end) return;
    emu::reg::VectorFunction::current().report(
        emu::Rule::regStream, last,
        emu::text("%llu bytes of the stream are never stored: StoreUnAlignPost is missing",
                  (unsigned long long)(pending.end - pending.begin)));
}

template <typename R> inline constexpr bool isRegister = false;
template <typename T, const RegTrait& t> inline constexpr bool isRegister<RegTensor<T, t>> = true;
template <typename R> using IfRegister = std::enable_if_t<isRegister<R>, int>;

}  // namespace AscendC::Reg
