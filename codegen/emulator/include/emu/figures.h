// Figures of a run: instructions, bytes, buffers, synchronisation and estimated times of each core.
#pragma once

#include <map>
#include <string>

#include "emu/timeline.h"

namespace emu {

/// Ways on which a core moves bytes.
enum class Path { gmToUb, ubToGm, ubToUb, scalarRead, scalarWrite, tiling };

inline constexpr int pathCount = 6;

/// What one API did on one core.
struct ApiFigures {
    const char* api;
    pipe_t pipe;
    const VectorCost* cost;
    uint64_t instructions = 0;
    uint64_t repeats = 0;
    double cycles = 0;
};

/// What one core did.
class CoreFigures {
public:
    CoreFigures(int core, int cores, bool trace, Timelines& times)
        : core_(core), cores_(cores), trace_(trace), times_(times) {}

    /// Count an instruction that executes; `queueCalls` is how many calls about queues the core has made so far.
    void count(const Instruction& instruction, const Clocks& clocks, uint64_t queueCalls);

    /// Count a call that is no instruction, and the scalar cycles it takes.
    void barrier(pipe_t pipe, const char* within);
    void flag(const char* what, const char* event);

    void useBuffers(uint64_t top) { ubPeak_ = std::max(ubPeak_, top); }

    /// Records of separated fields, for the host.
    void describe(std::string& out) const;

private:
    ApiFigures& of(const Instruction& instruction);
    void countBytes(const Instruction& instruction);
    Duration durationOf(const Instruction& instruction, const ApiFigures& api) const;
    Duration scalarDuration(const Instruction& instruction) const;
    Duration copyDuration(const Instruction& instruction) const;

    int core_;
    int cores_;
    bool trace_;
    Timelines& times_;
    double calls_ = 0;
    uint64_t queueCalls_ = 0;
    uint64_t ubPeak_ = 0;
    std::array<uint64_t, pathCount> bytes_{};
    std::vector<ApiFigures> apis_{};
    std::map<std::string, uint64_t> syncs_{};
    std::vector<Span> spans_{};
};

/// The figures of all cores that have started.
class Figures {
public:
    Figures(int cores, bool trace) : cores_(cores), trace_(trace), times_(cores) {}

    CoreFigures& start(int core) { return *(list_.emplace_back(std::make_unique<CoreFigures>(core, cores_, trace_, times_))); }

    std::string describe() const;

private:
    int cores_;
    bool trace_;
    Timelines times_;
    std::vector<std::unique_ptr<CoreFigures>> list_{};
};

}  // namespace emu
