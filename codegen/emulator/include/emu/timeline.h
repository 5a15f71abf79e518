// Where the instructions of a core stand in time, by an estimate: pipes execute in order, and wait for what flags,
// barriers and queues say.
#pragma once

#include <memory>
#include <vector>

#include "emu/clock.h"
#include "emu/costs.h"
#include "emu/instruction.h"

namespace emu {

/// An instruction's place in time, in cycles from the start of the kernel.
struct Span {
    pipe_t pipe;
    const char* api;
    Site site;
    double begin;
    double duration;
};

/// How long an instruction occupies its pipe, and its result takes after that.
struct Duration {
    double busy;
    double latency;
};

/// The times of all cores.
class Timelines;

/// The times of one core.
class Timeline {
public:
    Timeline();

    /// Place an instruction; `calls` are the scalar cycles that calls without an instruction took before it.
    Span place(const Instruction& instruction, Duration duration, double calls, const Clocks& clocks,
               const Timelines& all);

    /// When an instruction of a pipe (from 1) is finished; 0: from the start.
    double finished(pipe_t pipe, uint32_t number) const;

    /// When everything is finished.
    double end() const;

private:
    double knownAt(const Clock& known, pipe_t pipe) const;
    double othersAt(const Clock& known, pipe_t pipe, const Timelines& all);

    double scalar_;
    std::array<double, pipeCount> free_{};
    std::array<std::vector<float>, pipeCount> ends_{};
    /// What other cores had promised when it was last looked up, and when that was finished.
    std::array<std::shared_ptr<const CoreCounts>, pipeCount> promises_{};
    std::array<double, pipeCount> promised_{};
};

class Timelines {
public:
    explicit Timelines(int cores) : cores_(static_cast<size_t>(cores)) {}

    Timeline& of(int core) { return cores_[static_cast<size_t>(core)]; }
    const Timeline& of(int core) const { return cores_[static_cast<size_t>(core)]; }

private:
    std::vector<Timeline> cores_;
};

}  // namespace emu
