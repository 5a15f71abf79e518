// Execution of lane-wise instructions, independent of element types.
#pragma once

#include "emu/core.h"

namespace emu {

/// A strided operand.
struct LaneOperand {
    LocalRef ref;
    Strides strides{};
    uint32_t elementBytes = 1;

    Operand operand(const char* name, Use use) const;
    uint8_t* base(uint32_t repeat) const { return ref.owner->ub + ref.address + repeat * strides.repeat; }
};

/// The lanes of an instruction, its destination and its sources.
struct LaneCall {
    Shape shape;
    LaneOperand dst;
    std::array<LaneOperand, 4> sources{};
    size_t count = 0;
};

/// Computes `lanes` elements of a destination from elements of the sources; `op` is the lane function.
using LaneLoop = void (*)(const void* op, void* out, const void* const* in, uint32_t lanes);

/// Fetch the blocks of one repeat up to the lane `bound`.
void loadLanes(void* lanes, const LaneOperand& from, uint32_t repeat, uint32_t bound);

/// Store the active lanes of one repeat.
void storeLanes(const void* lanes, const LaneOperand& to, uint32_t repeat, const LaneMask& mask);

/// Run a loop over a shape, repeat by repeat in order.
void runLanes(const LaneCall& call, LaneLoop loop, const void* op);

/// The record of a call. With `updates` the destination is read as well.
Instruction laneInstruction(const char* api, Site site, Overlap overlap, const LaneCall& call, bool updates);

}  // namespace emu
