// Findings: what the model has to say against a kernel.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "emu/site.h"

namespace emu {

/// One checked rule a value; `ruleCode` gives its public name.
enum class Rule {
    ubAlignment, ubCapacity, ubExtent, ubUninitialized, ubRace, ubOverlap, tensorInvalid, tensorState,
    repeatRange, maskRange, countRange, copyRange, copyAlignment, copyPadding, castMode, chipDependent,
    gmBounds, gmDeclaredSize, gmAlignment, gmUninitialized, gmUnwritten, gmWriteInput, gmRace, gmDirtyCache,
    queueUninitialized, queueReinitialized, queueNoFreeBuffer, queueEmpty, queueState, queueDepth, queueForeign,
    queueLeak, queueLiveLimit, pipeSecond, bufferLimit, bufferSize,
    eventId, eventDoubleSet, eventWaitWithoutSet, eventLeftover, eventExhausted, eventNotHeld,
    syncMismatch, syncKernelType, budget, memoryFault, kernelException
};

/// The public code of a rule.
inline const char* ruleCode(Rule rule) {
    static constexpr const char* codes[] = {
        "ub-alignment", "ub-capacity", "ub-extent", "ub-uninitialized", "ub-race", "ub-overlap", "tensor-invalid",
        "tensor-state", "repeat-range", "mask-range", "count-range", "copy-range", "copy-alignment", "copy-padding",
        "cast-mode", "chip-dependent", "gm-bounds", "gm-declared-size", "gm-alignment", "gm-uninitialized",
        "gm-unwritten", "gm-write-input", "gm-race", "gm-dirty-cache", "queue-uninitialized", "queue-reinitialized",
        "queue-no-free-buffer", "queue-empty", "queue-state", "queue-depth", "queue-foreign", "queue-leak",
        "queue-live-limit", "pipe-second", "buffer-limit", "buffer-size", "event-id", "event-double-set",
        "event-wait-without-set", "event-leftover", "event-exhausted", "event-not-held", "sync-mismatch",
        "sync-kernel-type", "budget", "memory-fault", "kernel-exception"};
    static_assert(sizeof(codes) / sizeof(codes[0]) == static_cast<size_t>(Rule::kernelException) + 1);
    return codes[static_cast<size_t>(rule)];
}

/// One fault; repeats at the same place only raise `count`.
struct Finding {
    Rule rule;
    std::string api;
    Site site;
    int core;
    uint64_t count;
    std::string message;
};

/// All findings of a run, in order of first appearance.
class Findings {
public:
    void add(Rule rule, const char* api, Site site, int core, std::string message) {
        const Key key{rule, api, site.file, site.line};
        const auto known = index_.find(key);
        if (known != index_.end()) {
            list_[known->second].count++;
            return;
        }
        index_.emplace(key, list_.size());
        list_.push_back(Finding{rule, api, site, core, 1, std::move(message)});
    }

    const std::vector<Finding>& list() const { return list_; }

private:
    using Key = std::tuple<Rule, std::string, std::string, int>;
    std::map<Key, size_t> index_;
    std::vector<Finding> list_;
};

/// printf into a string.
inline std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));
inline std::string text(const char* format, ...) {
    char buffer[512];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    return buffer;
}

/// Thrown inside a core that cannot go on (a wait that would never end, memory that does not exist).
struct CoreAbort {};

}  // namespace emu
