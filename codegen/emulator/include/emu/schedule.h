// Strict mode: instructions of one core wait in their pipes, and a seed chooses when each of them executes.
#pragma once

#include <deque>
#include <functional>

#include "emu/clock.h"
#include "emu/random.h"

namespace emu {

/// An instruction that was issued and may execute when `needs` of each pipe have.
struct Deferred {
    uint32_t number;
    uint64_t age;
    PipeCounts needs;
    std::function<void()> action;
};

/// The pending instructions of a core. Only the kernel's own synchronisation decides what must come before what: a
/// pipe executes in order, but an instruction that races with an earlier one of its pipe may overtake it.
class Schedule {
public:
    /// Entries of a pipe's instruction queue.
    static constexpr size_t queueDepth = 32;

    explicit Schedule(uint64_t seed);

    /// Put an instruction into its pipe's queue, and let the adversary execute what it likes.
    void add(pipe_t pipe, Deferred&& instruction);

    /// Execute what must be finished before something that needs these counts.
    void runUntil(const PipeCounts& counts);

    void runAll();

    /// Whether a coin of this seed falls on heads.
    bool coin() { return random_.chance(50); }

private:
    /// How far an overtaking instruction may stand from the head of its queue.
    static constexpr size_t window = 8;

    bool ready(pipe_t pipe, size_t position) const;
    bool finished(const PipeCounts& counts) const;
    bool runSome(const PipeCounts& counts, pipe_t pipe);
    void runOldest();
    void run(pipe_t pipe, size_t position);

    Random random_;
    std::array<uint32_t, pipeCount> pace_{};
    uint32_t overtaking_ = 0;
    uint64_t age_ = 0;
    std::array<std::deque<Deferred>, pipeCount> pending_{};
};

}  // namespace emu
