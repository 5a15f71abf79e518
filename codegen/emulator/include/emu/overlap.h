// The overlap rules between the sources and the destination of a vector instruction.
#pragma once

#include <algorithm>
#include <optional>

#include "emu/instruction.h"

namespace emu {

/// Decides whether a source may share bytes with the destination of the same instruction.
class OverlapCheck {
public:
    OverlapCheck(const Shape& shape, Overlap allowance, const Operand& dst, const Operand& src, bool secondSource)
        : shape_(shape), allowance_(allowance), dst_(dst), src_(src), secondSource_(secondSource) {}

    /// What is wrong, or nothing.
    std::optional<std::string> fault() const;

private:
    static bool meet(std::vector<Run> a, std::vector<Run> b);
    static Run bounds(const std::vector<Run>& runs);
    bool disjointBounds() const;
    bool sameGeometry() const;
    bool identicalAdvancing() const;

    /// Accumulation into one repeat-sized buffer: the destination is the second source and one of both stands still.
    bool accumulates() const;

    /// A counted conversion between widths may narrow in place, or widen out of the upper part of its destination.
    bool convertsInPlace() const;
    std::vector<Run> runsOf(const Operand& operand, uint32_t repeat) const;
    bool sameLanes(uint32_t repeat) const;

    const Shape& shape_;
    Overlap allowance_;
    const Operand& dst_;
    const Operand& src_;
    bool secondSource_;
};

}  // namespace emu
