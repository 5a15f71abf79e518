// What the chip table says about time. All of it is an estimate; cycles of the core's clock.
#pragma once

#include <cstdint>
#include <string_view>

namespace emu {

/// Cost of a vector instruction: cycles a repeat of 16-bit and of 32-bit lanes, at least `floor`, and how long its
/// result takes after that.
struct VectorCost {
    std::string_view api;
    double narrow;
    double wide;
    double floor;
    double latency;
};

/// Cost of a copy: cycles it occupies its pipe at least, bytes a cycle, and how long its data takes after that.
struct CopyCost {
    double floor;
    double rate;
    double latency;
};

}  // namespace emu
