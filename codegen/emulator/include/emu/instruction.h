// The record of one instruction: everything the checks and a scheduler need to know of it.
#pragma once

#include <vector>

#include "emu/geometry.h"
#include "emu/gm.h"

namespace emu {

class Core;

/// A view of unified-buffer memory: address range, the buffer it lies in and the buffer's generation.
struct LocalRef {
    Core* owner = nullptr;
    uint64_t address = 0;
    uint64_t bytes = 0;
    int buffer = -1;
    uint32_t generation = 0;
    /// The logical position of the queue or buffer (AscendC::TPosition).
    int position = 0;
};

/// How an instruction uses bytes. A clobbered byte gets content that no kernel may rely on. Of a range that it may read
/// or may write, the data decides which bytes it touches: the order of the range is checked, its definedness is not.
enum class Use { read, write, clobber, mayRead, mayWrite };

/// One unified-buffer operand: a strided vector operand, or a list of byte runs. No rule against
/// overlap holds for an operand with `anyOverlap`, e.g. a source that is the destination itself.
struct Operand {
    const char* name;
    LocalRef ref;
    Use use;
    uint32_t elementBytes = 1;
    uint64_t alignment = chip::blockBytes;
    bool strided = true;
    Strides strides{};
    std::vector<Run> runs{};
    bool anyOverlap = false;
};

/// One global-memory operand: a start address, the end of the declared tensor (null if undeclared) and byte runs
/// relative to the start.
struct GmOperand {
    const uint8_t* start;
    const uint8_t* declaredEnd;
    Use use;
    uint64_t alignment = 1;
    std::vector<Run> runs{};
    GmWrite how = GmWrite::replace;
};

/// How a destination may share bytes with sources: by the general rule, with an allowance beyond it, or not at all.
enum class Overlap { general, accumulate, conversion, forbidden };

/// One instruction of one pipe. A posted one is a scalar store: the scalar unit goes on before it is finished.
struct Instruction {
    const char* api;
    pipe_t pipe;
    Site site;
    Shape shape{};
    Overlap overlap = Overlap::general;
    std::vector<Operand> operands{};
    std::vector<GmOperand> globals{};
    bool posted = false;
};

}  // namespace emu
