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
};

/// How an instruction uses bytes. A clobbered byte gets content that no kernel may rely on.
enum class Use { read, write, clobber };

/// One unified-buffer operand: a strided vector operand, or a list of byte runs.
struct Operand {
    const char* name;
    LocalRef ref;
    Use use;
    uint32_t elementBytes = 1;
    uint64_t alignment = chip::blockBytes;
    bool strided = true;
    Strides strides{};
    std::vector<Run> runs{};
};

/// One global-memory operand: a start address, the end of the declared tensor (null if undeclared) and byte runs
/// relative to the start.
struct GmOperand {
    const uint8_t* start;
    const uint8_t* declaredEnd;
    Use use;
    uint64_t alignment = 1;
    std::vector<Run> runs{};
};

/// How a destination may share bytes with sources: by the general rule, with an allowance beyond it, or not at all.
enum class Overlap { general, accumulate, conversion, forbidden };

/// One instruction of one pipe.
struct Instruction {
    const char* api;
    pipe_t pipe;
    Site site;
    Shape shape{};
    Overlap overlap = Overlap::general;
    std::vector<Operand> operands{};
    std::vector<GmOperand> globals{};
};

}  // namespace emu
