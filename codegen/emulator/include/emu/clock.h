// Pipes, and what each of them knows to be finished.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "opwright_chip.h"

enum pipe_t { PIPE_S = 0, PIPE_V = 1, PIPE_MTE2 = 2, PIPE_MTE3 = 3, PIPE_ALL = 4 };

namespace emu {

inline constexpr int pipeCount = 4;

inline const char* pipeName(pipe_t pipe) {
    static constexpr const char* names[] = {"S", "V", "MTE2", "MTE3", "ALL"};
    return names[pipe];
}

/// For each pipe the number of its instructions known to be finished.
struct Clock {
    std::array<uint32_t, pipeCount> done{};

    void join(const Clock& other) {
        for (int p = 0; p < pipeCount; p++) done[p] = std::max(done[p], other.done[p]);
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

    /// What a flag set now on the pipe promises: everything the pipe was given and everything it knew.
    Clock token(pipe_t pipe) const {
        Clock promise = known_[pipe];
        promise.done[pipe] = issued_[pipe];
        return promise;
    }

    void wait(pipe_t pipe, const Clock& promise) { known_[pipe].join(promise); }

    void barrier(pipe_t pipe) {
        if (pipe != PIPE_ALL) {
            known_[pipe].done[pipe] = issued_[pipe];
            return;
        }
        for (Clock& clock : known_) clock.done = issued_;
    }

private:
    static bool selfOrdered(pipe_t pipe) { return pipe == PIPE_S || (pipe == PIPE_V && !chip::vectorBarrier); }

    static bool coveredByAutoSync(pipe_t producer, pipe_t consumer) {
        return (producer == PIPE_V && consumer == PIPE_V) || producer == PIPE_S || consumer == PIPE_S;
    }

    bool autoSync_;
    std::array<uint32_t, pipeCount> issued_{};
    std::array<Clock, pipeCount> known_{};
};

}  // namespace emu
