// The lanes of a vector call: from its count, mask and repeats, and from the mask register.
#pragma once

#include "emu/core.h"

namespace emu {

/// The lanes of a call; illegal counts, repeats and masks are reported. Each form does to the mask register what the
/// chip does.
class Selection {
public:
    Selection(const char* api, Site site, uint32_t lanes) : api_(api), site_(site), lanes_(lanes) {}

    /// The count form. Without `setMask` an instruction-based chip runs one repeat under the mask register.
    Shape counted(int64_t count, bool setMask = true) const;

    /// The first `mask` elements of each repeat; in Counter mode `mask` elements in all.
    Shape continuous(uint64_t mask, int64_t repeats, bool setMask = true) const;

    /// The elements whose bits are set; in Counter mode `mask[0]` elements in all.
    Shape bitwise(const uint64_t* mask, int64_t repeats, bool setMask = true) const;

    /// The lanes that the mask register selects.
    Shape registered(int64_t repeats) const;

    /// A legal number of repeats; others are reported and give 0.
    uint32_t repeatCount(int64_t repeats) const;

    /// Report a call that is legal in Normal mode only; whether it may run.
    bool normalMode() const;

private:
    static MaskState& state() { return Core::current().mask; }
    Shape total(uint64_t elements, bool exact) const;
    void report(Rule rule, std::string message) const;

    const char* api_;
    Site site_;
    uint32_t lanes_;
};

}  // namespace emu
