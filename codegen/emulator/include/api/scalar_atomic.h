// Atomic operations of the scalar unit on global memory, around its data cache.
#pragma once

#include "api/cache.h"
#include "emu/atomic.h"

namespace emu {

template <typename T>
inline constexpr bool isScalarAtomic =
    std::is_same_v<T, float> || (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));

/// Replace the value at an address by change(value) and return the old one. Cores may wait for one another with it, so
/// each one lets the others run; whoever meets the address afterwards knows what the earlier ones knew to be finished.
template <typename T, typename Change>
T changeAtomically(const char* api, Site site, __gm__ T* address, GmWrite how, const Change& change) {
    static_assert(chip::registerBased || sizeof(T) == 0, "AtomicAdd, AtomicMax, AtomicMin, AtomicCas, AtomicExch: "
                                                         "this chip has no scalar atomics");
    Core& core = Core::current();
    core.machine.await(core, [] { return true; }, Hang{});
    auto* at = reinterpret_cast<uint8_t*>(address);
    if (core.cache.isDirty(at)) {
        core.report(Rule::gmDirtyCache, api, site, "the cache line of the address holds scalar stores: clean it first");
    }
    Instruction instruction{api, PIPE_S, site};
    instruction.globals.push_back(GmOperand{at, nullptr, Use::write, sizeof(T), {{0, sizeof(T)}}, how});
    T old{};
    core.issue(instruction, [&] {
        std::memcpy(&old, at, sizeof(T));
        const T value = change(old);
        std::memcpy(at, &value, sizeof(T));
    });
    Promise& promise = core.machine.sync.pairs[at];
    if (promise != nullptr) core.clocks.waitAcross(PIPE_ALL, promise, core.index);
    promise = core.promise(PIPE_S);
    return old;
}

}  // namespace emu

namespace AscendC {

/// Each of these returns the value before.
template <typename T>
T AtomicAdd(__gm__ T* address, Same<T> value, Site site = Site::here()) {
    static_assert(emu::isScalarAtomic<T>, "AtomicAdd: int32_t, uint32_t, float, int64_t and uint64_t");
    const auto how = std::is_integral_v<T> ? emu::GmWrite::combine : emu::GmWrite::combineInOrder;
    return emu::changeAtomically("AtomicAdd", site, address, how,
                                 [value](T old) { return emu::AddOp{}(old, value); });
}

template <typename T>
T AtomicMax(__gm__ T* address, Same<T> value, Site site = Site::here()) {
    static_assert(emu::isScalarAtomic<T>, "AtomicMax: int32_t, uint32_t, float, int64_t and uint64_t");
    return emu::changeAtomically("AtomicMax", site, address, emu::GmWrite::combine,
                                 [value](T old) { return emu::MaxOp{}(old, value); });
}

template <typename T>
T AtomicMin(__gm__ T* address, Same<T> value, Site site = Site::here()) {
    static_assert(emu::isScalarAtomic<T>, "AtomicMin: int32_t, uint32_t, float, int64_t and uint64_t");
    return emu::changeAtomically("AtomicMin", site, address, emu::GmWrite::combine,
                                 [value](T old) { return emu::MinOp{}(old, value); });
}

/// Store value2 where the memory holds value1.
template <typename T>
T AtomicCas(__gm__ T* address, Same<T> value1, Same<T> value2, Site site = Site::here()) {
    static_assert(emu::isScalarAtomic<T> && std::is_unsigned_v<T>, "AtomicCas: uint32_t and uint64_t");
    return emu::changeAtomically("AtomicCas", site, address, emu::GmWrite::combine,
                                 [value1, value2](T old) { return old == value1 ? value2 : old; });
}

template <typename T>
T AtomicExch(__gm__ T* address, Same<T> value, Site site = Site::here()) {
    static_assert(emu::isScalarAtomic<T> && std::is_unsigned_v<T>, "AtomicExch: uint32_t and uint64_t");
    return emu::changeAtomically("AtomicExch", site, address, emu::GmWrite::combine, [value](T) { return value; });
}

}  // namespace AscendC
