// The place of a call in the kernel's source.
#pragma once

namespace emu {

/// A source position; as a default argument `Site::here()` names the caller's line.
struct Site {
    const char* file = "?";
    int line = 0;

    static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return Site{file, line};
    }

    /// A call through a pointer to an API, which does not know its caller.
    static constexpr Site indirect() { return Site{"(through a pointer)", 0}; }
};

inline bool operator==(const Site& a, const Site& b) { return a.file == b.file && a.line == b.line; }

}  // namespace emu
