// What a call does with its count, mask and repeats.
#include "emu/selection.h"

namespace emu {

Shape Selection::counted(int64_t count, bool setMask) const {
    if (count < 0) report(Rule::countRange, text("count %lld is negative", (long long)count));
    if (!setMask && !chip::registerBased) return registered(1);
    if (!chip::registerBased) state().leaveFull(api_);
    return Shape::counted(count < 0 ? 0 : static_cast<uint64_t>(count), lanes_);
}

Shape Selection::continuous(uint64_t mask, int64_t repeats, bool setMask) const {
    if (!setMask) return registered(repeats);
    if (state().counter) return total(mask, chip::registerBased);
    if (mask > lanes_) {
        report(Rule::maskRange,
               text("mask %llu is above %u, the elements of a repeat", (unsigned long long)mask, lanes_));
    }
    const LaneMask lanes = LaneMask::prefix(std::min<uint64_t>(mask, lanes_));
    if (!chip::registerBased) state().leave(api_, lanes.word(0), lanes.word(1));
    return Shape::masked(lanes, repeatCount(repeats), lanes_);
}

Shape Selection::bitwise(const uint64_t* mask, int64_t repeats, bool setMask) const {
    if (!setMask) return registered(repeats);
    if (state().counter) return total(mask[0], true);
    const uint64_t low = lanes_ < 64 ? mask[0] & ((uint64_t{1} << lanes_) - 1) : mask[0];
    const uint64_t high = lanes_ < 128 ? 0 : mask[1];
    if (low == 0 && high == 0) report(Rule::maskRange, "the mask selects no element");
    if (low != mask[0] || (lanes_ <= 64 && mask[1] != 0)) {
        report(Rule::maskRange, text("the mask selects elements past the %u of a repeat", lanes_));
    }
    state().leave(api_, low, high);
    return Shape::masked(LaneMask::bits(low, high), repeatCount(repeats), lanes_);
}

Shape Selection::registered(int64_t repeats) const {
    const MaskState& mask = state();
    if (mask.leftBy != nullptr) {
        report(Rule::maskUnset, text("runs under the mask that %s left, not one set for it", mask.leftBy));
    }
    if (mask.counter) return Shape::counted(static_cast<uint32_t>(mask.low), lanes_);
    const uint64_t low = lanes_ < 64 ? mask.low & ((uint64_t{1} << lanes_) - 1) : mask.low;
    return Shape::masked(LaneMask::bits(low, lanes_ < 128 ? 0 : mask.high), repeatCount(repeats), lanes_);
}

uint32_t Selection::repeatCount(int64_t repeats) const {
    if (repeats >= 0 && repeats <= chip::maxRepeat) return static_cast<uint32_t>(repeats);
    report(Rule::repeatRange,
           text("repeatTime %lld is outside 0..%lld", (long long)repeats, (long long)chip::maxRepeat));
    return 0;
}

bool Selection::normalMode() const {
    if (!state().counter) return true;
    report(Rule::maskMode, "needs Normal mode, the mask is in Counter mode");
    return false;
}

Shape Selection::total(uint64_t elements, bool exact) const {
    if (exact) {
        if (!chip::registerBased) state().leave(api_, elements, 0);
        return Shape::counted(static_cast<uint32_t>(elements), lanes_);
    }
    report(Rule::maskMode, "a number as mask is not the total in Counter mode; use SetVectorMask or a mask array");
    return Shape::counted(0, lanes_);
}

void Selection::report(Rule rule, std::string message) const {
    Core::current().report(rule, api_, site_, std::move(message));
}

}  // namespace emu
