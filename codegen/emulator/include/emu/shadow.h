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
    void read(const Run& run, const Toucher& who, const char* operand) {
        bytes_.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, ByteState& state) {
            if (!state.initialized) {
                findings_.add(Rule::ubUninitialized, who.touch.api, who.touch.site, who.core,
                              text("%s reads UB bytes [%llu, %llu) that nothing has written", operand,
                                   (unsigned long long)begin, (unsigned long long)end));
            }
            checkWriter(state, who, "read-after-write", begin, end);
            state.readers[who.pipe] = who.touch;
        });
    }

    /// Report accesses that may not have finished before a write; to be called before the reads of the same
    /// instruction are recorded, as these would hide earlier reads.
    void checkWrite(const Run& run, const Toucher& who) {
        bytes_.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, ByteState& state) {
            checkWriter(state, who, "write-after-write", begin, end);
            for (int p = 0; p < pipeCount; p++) checkReader(state, static_cast<pipe_t>(p), who, begin, end);
        });
    }

    /// Record a write; `defined` false: the bytes get content no kernel may rely on.
    void write(const Run& run, const Toucher& who, bool defined) {
        bytes_.update(run.begin, run.end, [&](uint64_t, uint64_t, ByteState& state) {
            state = ByteState{defined, who.pipe, who.touch, {}};
        });
    }

    /// Forget the content of a buffer that was handed out anew; the order of accesses is kept.
    void undefine(const Run& run) {
        bytes_.update(run.begin, run.end, [](uint64_t, uint64_t, ByteState& state) { state.initialized = false; });
    }

private:
    void checkWriter(const ByteState& state, const Toucher& who, const char* kind, uint64_t begin, uint64_t end) {
        if (state.writer.number == 0 || (state.writerPipe == who.pipe && state.writer == who.touch)) return;
        if (clocks_.ordered(state.writerPipe, state.writer.number, who.pipe)) return;
        report(kind, state.writerPipe, state.writer, who, begin, end);
    }

    void checkReader(const ByteState& state, pipe_t pipe, const Toucher& who, uint64_t begin, uint64_t end) {
        const Touch& reader = state.readers[pipe];
        if (reader.number == 0 || (pipe == who.pipe && reader == who.touch)) return;
        if (!clocks_.ordered(pipe, reader.number, who.pipe)) report("write-after-read", pipe, reader, who, begin, end);
    }

    void report(const char* kind, pipe_t pipe, const Touch& earlier, const Toucher& who, uint64_t begin, uint64_t end) {
        findings_.add(Rule::ubRace, who.touch.api, who.touch.site, who.core,
                      text("%s: %s on pipe %s and the earlier %s on pipe %s (%s:%d) meet on UB bytes [%llu, %llu) "
                           "without an order",
                           kind, who.touch.api, pipeName(who.pipe), earlier.api, pipeName(pipe), earlier.site.file,
                           earlier.site.line, (unsigned long long)begin, (unsigned long long)end));
    }

    IntervalMap<ByteState> bytes_;
    const Clocks& clocks_;
    Findings& findings_;
};

}  // namespace emu
