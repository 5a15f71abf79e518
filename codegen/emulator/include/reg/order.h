// The order of loads and stores inside one vector function.
#pragma once

#include <optional>
#include <vector>

#include "emu/geometry.h"
#include "reg/lineage.h"
#include "reg/types.h"

namespace emu::reg {

/// Where a call of the register level stands.
struct Call {
    const char* api;
    Site site;
};

/// Two accesses of one vector function to the same byte that the hardware may exchange.
struct Exchange {
    const char* kind;
    Call earlier;
    uint64_t byte;
};

/// For every byte of the unified buffer the last load and the last store of the vector function that runs. A register
/// that both accesses use keeps them in order, and so does data that flows from the load into the store, also with
/// regard to an earlier store that the load comes after; everything else needs a LocalMemBar. Numbers grow from one function to the next, so that nothing has to be cleared.
class LocalOrder {
public:
    using MemType = AscendC::Reg::MemType;

    /// A new vector function: all earlier accesses are finished.
    void start() {
        if (bytes_.empty()) bytes_.resize(static_cast<size_t>(chip::ubBytes));
        first_ = last_;
        calls_.clear();
        fences_ = Fences{last_, last_, last_};
    }

    void fence(MemType from, MemType to) {
        const bool all = from == MemType::VEC_ALL && to == MemType::VEC_ALL;
        if (all || (from == MemType::VEC_STORE && to == MemType::VEC_LOAD)) fences_.storeLoad = last_;
        if (all || (from == MemType::VEC_STORE && to == MemType::VEC_STORE)) fences_.storeStore = last_;
        if (all || (from == MemType::VEC_LOAD && to == MemType::VEC_STORE)) fences_.loadStore = last_;
    }

    /// Number the next load or store.
    uint32_t next(const Call& call) {
        calls_.push_back(call);
        return ++last_;
    }

    /// Note that access `number` loads bytes into a register.
    std::optional<Exchange> load(const Run& run, uint32_t number, uint32_t reg) {
        std::optional<Exchange> found;
        for (uint64_t at = run.begin; at < run.end; at++) {
            Byte& byte = bytes_[at];
            if (byte.store > fences_.storeLoad && byte.storeReg != reg && !found) {
                found = Exchange{"load after store", callOf(byte.store), at};
            }
            byte.load = number;
            byte.loadReg = reg;
        }
        return found;
    }

    /// Note that access `number` stores bytes out of a register whose content has the given history.
    std::optional<Exchange> store(const Run& run, uint32_t number, uint32_t reg, const Lineage& lineage) {
        std::optional<Exchange> found;
        for (uint64_t at = run.begin; at < run.end; at++) {
            Byte& byte = bytes_[at];
            const bool flows = lineage.has(byte.load);
            const bool linked = flows && byte.load > byte.store;
            if (byte.store > fences_.storeStore && byte.storeReg != reg && !found && !linked) {
                found = Exchange{"store after store", callOf(byte.store), at};
            }
            if (byte.load > fences_.loadStore && byte.loadReg != reg && !found && !flows) {
                found = Exchange{"store after load", callOf(byte.load), at};
            }
            byte.store = number;
            byte.storeReg = reg;
        }
        return found;
    }

private:
    struct Byte {
        uint32_t store = 0;
        uint32_t storeReg = 0;
        uint32_t load = 0;
        uint32_t loadReg = 0;
    };

    /// The newest access that each kind of barrier has put behind it.
    struct Fences {
        uint32_t storeLoad = 0;
        uint32_t storeStore = 0;
        uint32_t loadStore = 0;
    };

    Call callOf(uint32_t number) const { return calls_[number - first_ - 1]; }

    std::vector<Byte> bytes_;
    std::vector<Call> calls_;
    Fences fences_;
    uint32_t first_ = 0;
    uint32_t last_ = 0;
};

}  // namespace emu::reg
