// Byte ranges of vector operands.
#include "emu/geometry.h"

namespace emu {

void appendLanes(std::vector<Run>& runs, uint64_t base, Strides strides, uint32_t elementBytes, uint64_t repeat,
                        uint32_t from, uint32_t to) {
    const uint32_t perBlock = chip::blockBytes / elementBytes;
    while (from < to) {
        const uint32_t blockEnd = (from / perBlock + 1) * perBlock;
        const uint32_t stop = strides.block == chip::blockBytes || blockEnd > to ? to : blockEnd;
        const uint64_t begin = laneAddress(base, strides, elementBytes, repeat, from);
        appendRun(runs, begin, begin + uint64_t{stop - from} * elementBytes);
        from = stop;
    }
}

void appendRepeat(std::vector<Run>& runs, uint64_t base, Strides strides, uint32_t elementBytes, uint64_t repeat,
                         const LaneMask& mask) {
    const uint32_t bound = mask.bound();
    if (mask.isPrefix()) {
        appendLanes(runs, base, strides, elementBytes, repeat, 0, bound);
        return;
    }
    for (uint32_t lane = 0; lane < bound;) {
        uint32_t stop = lane;
        while (stop < bound && mask.test(stop)) stop++;
        appendLanes(runs, base, strides, elementBytes, repeat, lane, stop);
        lane = stop + 1;
    }
}

void appendShape(std::vector<Run>& runs, const Shape& shape, uint64_t base, Strides strides,
                        uint32_t elementBytes) {
    if (shape.repeats == 0) return;
    if (strides.repeat == 0) {
        const LaneMask all = shape.repeats > 1 ? shape.mask | shape.last : shape.last;
        appendRepeat(runs, base, strides, elementBytes, 0, all);
        return;
    }
    for (uint32_t r = 0; r < shape.repeats; r++) appendRepeat(runs, base, strides, elementBytes, r, shape.maskOf(r));
}

}  // namespace emu
