// Pipes, and what each of them knows to be finished.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "opwright_chip.h"

enum pipe_t { PIPE_S = 0, PIPE_V = 1, PIPE_MTE2 = 2, PIPE_MTE3 = 3, PIPE_ALL = 4 };

namespace emu {

inline constexpr int pipeCount = 4;

inline const char* pipeName(pipe_t pipe) {
    static constexpr const char* names[] = {"S", "V", "MTE2", "MTE3", "ALL"};
    return names[pipe];
}

/// A number of instructions for each pipe.
using PipeCounts = std::array<uint32_t, pipeCount>;

inline void raise(PipeCounts& counts, const PipeCounts& other) {
    for (int p = 0; p < pipeCount; p++) counts[p] = std::max(counts[p], other[p]);
}

/// For each core and pipe the number of instructions known to be finished.
using CoreCounts = std::vector<PipeCounts>;

inline void raise(CoreCounts& counts, const CoreCounts& other) {
    for (size_t core = 0; core < other.size(); core++) raise(counts[core], other[core]);
}

/// What is known to be finished: on the own core, and on the others (null: nothing).
struct Clock {
    PipeCounts done{};
    std::shared_ptr<const CoreCounts> others{};

    void join(const Clock& other) {
        raise(done, other.done);
        if (other.others == nullptr || other.others == others) return;
        if (others == nullptr) {
            others = other.others;
            return;
        }
        auto both = std::make_shared<CoreCounts>(*others);
        raise(*both, *other.others);
        others = std::move(both);
    }
};

/// The clocks of one core. Instructions of a pipe start in order; only barriers and flags say that one has finished.
class Clocks {
public:
    explicit Clocks(bool autoSync) : autoSync_(autoSync) {}

    /// Count one more instruction of the pipe and return its number (from 1).
    uint32_t start(pipe_t pipe) { return ++issued_[pipe]; }

    /// Whether instruction `number` of `producer` is finished before the next instruction of `consumer` starts.
    bool ordered(pipe_t producer, uint32_t number, pipe_t consumer) const {
        if (producer == consumer && selfOrdered(consumer)) return true;
        if (autoSync_ && coveredByAutoSync(producer, consumer)) return true;
        return number <= known_[consumer].done[producer];
    }

    /// The same for an instruction of another core.
    bool orderedAcross(int core, pipe_t producer, uint32_t number, pipe_t consumer) const {
        const auto& others = known_[consumer].others;
        return others != nullptr && number <= (*others)[static_cast<size_t>(core)][producer];
    }

    /// How many instructions of each pipe are finished before the next one of `consumer` starts.
    PipeCounts needs(pipe_t consumer) const {
        PipeCounts counts = known_[consumer].done;
        for (int p = 0; p < pipeCount; p++) {
            if (ordered(static_cast<pipe_t>(p), issued_[p], consumer)) counts[p] = issued_[p];
        }
        return counts;
    }

    /// What a flag set now on the pipe promises: everything the pipe was given and everything it knew.
    Clock token(pipe_t pipe) const {
        Clock promise = known_[pipe];
        promise.done[pipe] = issued_[pipe];
        return promise;
    }

    /// What a flag of this core for others promises.
    CoreCounts tokenAcross(int core, int cores, pipe_t pipe) const {
        const Clock promise = token(pipe);
        CoreCounts counts = promise.others == nullptr ? CoreCounts(static_cast<size_t>(cores)) : *promise.others;
        counts[static_cast<size_t>(core)] = promise.done;
        return counts;
    }

    void wait(pipe_t pipe, const Clock& promise) { known_[pipe].join(promise); }

    /// Learn what other cores have promised, on one pipe or on all.
    void waitAcross(pipe_t pipe, const std::shared_ptr<const CoreCounts>& promise, int core) {
        const Clock learnt{(*promise)[static_cast<size_t>(core)], promise};
        for (int p = 0; p < pipeCount; p++) {
            if (pipe == PIPE_ALL || pipe == p) known_[p].join(learnt);
        }
    }

    void barrier(pipe_t pipe) {
        if (pipe != PIPE_ALL) {
            known_[pipe].done[pipe] = issued_[pipe];
            return;
        }
        Clock all = known_[0];
        for (const Clock& clock : known_) all.join(clock);
        all.done = issued_;
        known_.fill(all);
    }

    const PipeCounts& issued() const { return issued_; }

    /// What a pipe knows by flags, queues and barriers.
    const Clock& known(pipe_t pipe) const { return known_[pipe]; }

private:
    static bool selfOrdered(pipe_t pipe) { return pipe == PIPE_S || (pipe == PIPE_V && !chip::vectorBarrier); }

    static bool coveredByAutoSync(pipe_t producer, pipe_t consumer) {
        return (producer == PIPE_V && consumer == PIPE_V) || producer == PIPE_S || consumer == PIPE_S;
    }

    bool autoSync_;
    PipeCounts issued_{};
    std::array<Clock, pipeCount> known_{};
};

}  // namespace emu
