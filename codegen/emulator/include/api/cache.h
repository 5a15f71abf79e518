// The scalar unit's data cache, and accesses around it.
#pragma once

#include "api/tensor.h"
#include "emu/machine.h"

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT { ALL = 0, DDR, UB, SEQ };

/// Write back and forget the line of the first element, or all lines.
template <typename T, CacheLine entireType, DcciDst dcciDst = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, Site site = Site::here()) {
    if constexpr (dcciDst == DcciDst::CACHELINE_UB) return;
    emu::Core& core = emu::Core::current();
    core.settle();
    if constexpr (entireType == CacheLine::ENTIRE_DATA_CACHE) {
        core.cache.cleanAll("DataCacheCleanAndInvalid", site);
    } else {
        core.cache.clean(reinterpret_cast<const uint8_t*>(dst.GetPhyAddr()), "DataCacheCleanAndInvalid", site);
    }
}

/// The unified buffer has no cache of which a kernel could see anything.
template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const LocalTensor<T>&) {
    static_assert(dcciDst == DcciDst::CACHELINE_UB || dcciDst == DcciDst::CACHELINE_ALL,
                  "DataCacheCleanAndInvalid: a local tensor has CACHELINE_UB or CACHELINE_ALL");
}

/// Bring the line of an element into the cache; the offset is in bytes.
template <typename T>
void DataCachePreload(const GlobalTensor<uint64_t>& src, const T cacheOffset, Site site = Site::here()) {
    src.GetValue(static_cast<uint64_t>(cacheOffset) / sizeof(uint64_t), site);
}

/// Scalar accesses stand in order already.
template <MemDsbT kind>
void DataSyncBarrier() {
    emu::Core::current().settle();
}

}  // namespace AscendC

namespace emu {

/// Check a scalar access around the cache; null if it may not be executed.
template <typename T>
uint8_t* uncachedAddress(const char* api, Site site, T* address, bool writes) {
    static_assert(std::is_integral_v<T>, "accesses around the data cache take integers");
    Core& core = Core::current();
    core.settle();
    auto* at = reinterpret_cast<uint8_t*>(address);
    const Region* region = core.machine.gm().find(at);
    if (region == nullptr || !region->contains(at + sizeof(T) - 1)) {
        core.report(Rule::gmBounds, api, site, "the GM address belongs to no argument");
        return nullptr;
    }
    if (writes && region->role == Role::input) {
        core.report(Rule::gmWriteInput, api, site, text("writes the input %s", region->name));
        return nullptr;
    }
    if (core.cache.isDirty(at)) {
        core.report(Rule::gmDirtyCache, api, site, "the cache line of the address holds scalar stores: clean it first");
    }
    if (!writes && !core.machine.gm().isDefined(at, sizeof(T))) {
        core.report(Rule::gmUninitialized, api, site, text("reads bytes of %s that nothing has written", region->name));
    }
    return at;
}

}  // namespace emu

namespace AscendC {

/// A read around the data cache. Cores may wait for one another with it, so each one lets the others run; what
/// another core had finished before its write is known afterwards.
template <typename T>
T ReadGmByPassDCache(__gm__ T* addr, Site site = Site::here()) {
    emu::Core& core = emu::Core::current();
    emu::Instruction scalar{"ReadGmByPassDCache", PIPE_S, site};
    core.issue(scalar, [] {});
    core.machine.await(core, [] { return true; }, emu::Hang{});
    T value{};
    const uint8_t* at = emu::uncachedAddress("ReadGmByPassDCache", site, addr, false);
    if (at == nullptr) return value;
    std::memcpy(&value, at, sizeof(T));
    const auto promise = core.machine.sync.pairs.find(at);
    if (promise != core.machine.sync.pairs.end()) core.clocks.waitAcross(PIPE_ALL, promise->second, core.index);
    return value;
}

/// A write around the data cache; what the scalar unit knows to be finished, readers of it know too.
template <typename T>
void WriteGmByPassDCache(__gm__ T* addr, T value, Site site = Site::here()) {
    emu::Core& core = emu::Core::current();
    uint8_t* at = emu::uncachedAddress("WriteGmByPassDCache", site, addr, true);
    if (at == nullptr) return;
    std::memcpy(at, &value, sizeof(T));
    core.machine.gm().define(at, sizeof(T));
    core.machine.sync.pairs[at] = core.promise(PIPE_S);
}

}  // namespace AscendC
