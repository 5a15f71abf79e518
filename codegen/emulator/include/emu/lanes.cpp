// Execution of lane-wise instructions, independent of element types.
#include "emu/lanes.h"

namespace emu {

Operand LaneOperand::operand(const char* name, Use use) const {
    return Operand{name, ref, use, elementBytes, chip::blockBytes, true, strides};
}

void loadLanes(void* lanes, const LaneOperand& from, uint32_t repeat, uint32_t bound) {
    const uint8_t* base = from.base(repeat);
    const uint64_t bytes = uint64_t{bound} * from.elementBytes;
    if (from.strides.block == chip::blockBytes) {
        std::memcpy(lanes, base, bytes);
        return;
    }
    constexpr uint64_t block = chip::blockBytes;
    for (uint64_t at = 0; at < bytes; at += block) {
        std::memcpy(static_cast<uint8_t*>(lanes) + at, base + at / block * from.strides.block,
                    std::min(block, bytes - at));
    }
}

void storeLanes(const void* lanes, const LaneOperand& to, uint32_t repeat, const LaneMask& mask) {
    const uint32_t bound = mask.bound();
    const uint64_t size = to.elementBytes;
    uint8_t* base = to.base(repeat);
    if (to.strides.block == chip::blockBytes && mask.isPrefix()) {
        std::memcpy(base, lanes, bound * size);
        return;
    }
    for (uint32_t lane = 0; lane < bound; lane++) {
        if (!mask.test(lane)) continue;
        std::memcpy(base + laneAddress(0, to.strides, to.elementBytes, 0, lane),
                    static_cast<const uint8_t*>(lanes) + lane * size, size);
    }
}

void runLanes(const LaneCall& call, LaneLoop loop, const void* op) {
    constexpr size_t widest = 8;
    alignas(64) std::array<std::array<uint8_t, maxLanes * widest>, 4> inputs;
    alignas(64) std::array<uint8_t, maxLanes * widest> output;
    const std::array<const void*, 4> in{inputs[0].data(), inputs[1].data(), inputs[2].data(), inputs[3].data()};
    for (uint32_t r = 0; r < call.shape.repeats; r++) {
        const LaneMask& mask = call.shape.maskOf(r);
        const uint32_t bound = mask.bound();
        for (size_t s = 0; s < call.count; s++) loadLanes(inputs[s].data(), call.sources[s], r, bound);
        loop(op, output.data(), in.data(), bound);
        storeLanes(output.data(), call.dst, r, mask);
    }
}

Instruction laneInstruction(const char* api, Site site, Overlap overlap, const LaneCall& call, bool updates) {
    static constexpr const char* names[] = {"src0", "src1", "src2", "src3"};
    Instruction instruction{api, PIPE_V, site, call.shape, overlap};
    instruction.operands.push_back(call.dst.operand("dst", Use::write));
    for (size_t s = 0; s < call.count; s++) {
        instruction.operands.push_back(call.sources[s].operand(names[s], Use::read));
    }
    if (updates) {
        instruction.operands.push_back(call.dst.operand("dst", Use::read));
        instruction.operands.back().anyOverlap = true;
    }
    return instruction;
}

}  // namespace emu
