// Checks of the order and definedness of accesses to the unified buffer.
#include "emu/shadow.h"

namespace emu {

void UbShadow::read(const Run& run, const Toucher& who, const char* operand) {
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

void UbShadow::checkWrite(const Run& run, const Toucher& who) {
    bytes_.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, ByteState& state) {
        checkWriter(state, who, "write-after-write", begin, end);
        for (int p = 0; p < pipeCount; p++) checkReader(state, static_cast<pipe_t>(p), who, begin, end);
    });
}

void UbShadow::write(const Run& run, const Toucher& who, bool defined) {
    bytes_.update(run.begin, run.end, [&](uint64_t, uint64_t, ByteState& state) {
        state = ByteState{defined, who.pipe, who.touch, {}};
    });
}

void UbShadow::mayRead(const Run& run, const Toucher& who) {
    bytes_.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, ByteState& state) {
        checkWriter(state, who, "read-after-write", begin, end);
        state.readers[who.pipe] = who.touch;
    });
}

void UbShadow::mayWrite(const Run& run, const Toucher& who) {
    bytes_.update(run.begin, run.end, [&](uint64_t, uint64_t, ByteState& state) {
        state = ByteState{state.initialized, who.pipe, who.touch, {}};
    });
}

void UbShadow::define(const Run& run) {
    bytes_.update(run.begin, run.end, [](uint64_t, uint64_t, ByteState& state) { state.initialized = true; });
}

std::vector<Run> UbShadow::holes(const Run& run) {
    std::vector<Run> list;
    bytes_.update(run.begin, run.end, [&](uint64_t begin, uint64_t end, ByteState& state) {
        if (!state.initialized) appendRun(list, begin, end);
    });
    return list;
}

void UbShadow::undefine(const Run& run) {
    bytes_.update(run.begin, run.end, [](uint64_t, uint64_t, ByteState& state) { state.initialized = false; });
}

void UbShadow::checkWriter(const ByteState& state, const Toucher& who, const char* kind, uint64_t begin, uint64_t end) {
    if (state.writer.number == 0 || (state.writerPipe == who.pipe && state.writer == who.touch)) return;
    if (clocks_.ordered(state.writerPipe, state.writer.number, who.pipe)) return;
    report(kind, state.writerPipe, state.writer, who, begin, end);
}

void UbShadow::checkReader(const ByteState& state, pipe_t pipe, const Toucher& who, uint64_t begin, uint64_t end) {
    const Touch& reader = state.readers[pipe];
    if (reader.number == 0 || (pipe == who.pipe && reader == who.touch)) return;
    if (!clocks_.ordered(pipe, reader.number, who.pipe)) report("write-after-read", pipe, reader, who, begin, end);
}

void UbShadow::report(const char* kind, pipe_t pipe, const Touch& earlier, const Toucher& who, uint64_t begin,
                      uint64_t end) {
    findings_.add(Rule::ubRace, who.touch.api, who.touch.site, who.core,
                  text("%s: %s on pipe %s and the earlier %s on pipe %s (%s:%d) meet on UB bytes [%llu, %llu) "
                       "without an order",
                       kind, who.touch.api, pipeName(who.pipe), earlier.api, pipeName(pipe), earlier.site.file,
                       earlier.site.line, (unsigned long long)begin, (unsigned long long)end));
}

}  // namespace emu
