// What the model remembers of each byte of a core's unified buffer.
#pragma once

#include <array>
#include <vector>

#include "emu/clock.h"
#include "emu/finding.h"
#include "emu/interval_map.h"

namespace emu {

/// A contiguous range of bytes.
struct Run {
    uint64_t begin;
    uint64_t end;
};

/// Append a run, joined to the last one where they touch.
inline void appendRun(std::vector<Run>& runs, uint64_t begin, uint64_t end) {
    if (!runs.empty() && runs.back().end == begin) {
        runs.back().end = end;
    } else {
        runs.push_back(Run{begin, end});
    }
}

/// One access as the shadow stores it: which instruction of which pipe, and where it stands in the source.
struct Touch {
    uint32_t number = 0;
    const char* api = nullptr;
    Site site;

    bool operator==(const Touch& other) const { return number == other.number; }
};

/// State of a byte: its last write, and its last read on each pipe since then.
struct ByteState {
    bool initialized = false;
    pipe_t writerPipe = PIPE_S;
    Touch writer;
    std::array<Touch, pipeCount> readers{};

    bool operator==(const ByteState& other) const {
        return initialized == other.initialized && writerPipe == other.writerPipe && writer == other.writer &&
               readers == other.readers;
    }
};

/// The instruction that touches bytes now.
struct Toucher {
    pipe_t pipe;
    Touch touch;
    int core;
};

/// Definedness and ordering of every byte of the unified buffer.
class UbShadow {
public:
    UbShadow(uint64_t bytes, const Clocks& clocks, Findings& findings)
        : bytes_(bytes), clocks_(clocks), findings_(findings) {}

    /// Record a read; report bytes never written and writes that may not have finished.
    void read(const Run& run, const Toucher& who, const char* operand);

    /// Report accesses that may not have finished before a write; to be called before the reads of the same
    /// instruction are recorded, as these would hide earlier reads.
    void checkWrite(const Run& run, const Toucher& who);

    /// Record a write; `defined` false: the bytes get content no kernel may rely on.
    void write(const Run& run, const Toucher& who, bool defined);

    /// Record an access to bytes of which only the data says whether they are touched. The order is checked here, a
    /// write's by `checkWrite` before.
    void mayRead(const Run& run, const Toucher& who);
    void mayWrite(const Run& run, const Toucher& who);

    /// Mark bytes as written; the order of accesses is kept.
    void define(const Run& run);

    /// The parts of a range that nothing has written.
    std::vector<Run> holes(const Run& run);

    /// Forget the content of a buffer that was handed out anew; the order of accesses is kept.
    void undefine(const Run& run);

private:
    void checkWriter(const ByteState& state, const Toucher& who, const char* kind, uint64_t begin, uint64_t end);
    void checkReader(const ByteState& state, pipe_t pipe, const Toucher& who, uint64_t begin, uint64_t end);
    void report(const char* kind, pipe_t pipe, const Touch& earlier, const Toucher& who, uint64_t begin, uint64_t end);

    IntervalMap<ByteState> bytes_;
    const Clocks& clocks_;
    Findings& findings_;
};

}  // namespace emu
