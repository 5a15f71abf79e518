// Findings: what the model has to say against a kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "emu/site.h"

namespace emu {

/// One checked rule a value; `ruleCode` gives its public name.
enum class Rule {
    ubAlignment, ubCapacity, ubExtent, ubUninitialized, ubRace, ubOverlap, tensorInvalid, tensorState,
    repeatRange, maskRange, maskUnset, maskMode, maskLeft, countRange, copyRange, copyAlignment, copyPadding, castMode,
    chipDependent,
    gmBounds, gmDeclaredSize, gmAlignment, gmUninitialized, gmUnwritten, gmWriteInput, gmRace, gmDirtyCache,
    queueUninitialized, queueReinitialized, queueNoFreeBuffer, queueEmpty, queueState, queueDepth, queueForeign,
    queueLeak, queueLiveLimit, pipeSecond, bufferLimit, bufferSize,
    eventId, eventDoubleSet, eventWaitWithoutSet, eventLeftover, eventExhausted, eventNotHeld,
    syncMismatch, syncKernelType, budget, memoryFault, kernelException,
    gatherOffset, sortRange, bufferPool, kernelAssert,
    gmStaleCache, gmSharedLine, atomicOrder, atomicType, atomicLeft,
    syncWorkspace, syncHang, syncFlagId, syncFlagCount,
    vfCall, vfOrder, regUnwritten, regUndefined, regLimit, regStream
};

/// The public code of a rule.
inline const char* ruleCode(Rule rule) {
    static constexpr const char* codes[] = {
        "ub-alignment", "ub-capacity", "ub-extent", "ub-uninitialized", "ub-race", "ub-overlap", "tensor-invalid",
        "tensor-state", "repeat-range", "mask-range", "mask-unset", "mask-mode", "mask-left", "count-range",
        "copy-range", "copy-alignment", "copy-padding",
        "cast-mode", "chip-dependent", "gm-bounds", "gm-declared-size", "gm-alignment", "gm-uninitialized",
        "gm-unwritten", "gm-write-input", "gm-race", "gm-dirty-cache", "queue-uninitialized", "queue-reinitialized",
        "queue-no-free-buffer", "queue-empty", "queue-state", "queue-depth", "queue-foreign", "queue-leak",
        "queue-live-limit", "pipe-second", "buffer-limit", "buffer-size", "event-id", "event-double-set",
        "event-wait-without-set", "event-leftover", "event-exhausted", "event-not-held", "sync-mismatch",
        "sync-kernel-type", "budget", "memory-fault", "kernel-exception", "gather-offset", "sort-range", "buffer-pool",
        "kernel-assert", "gm-stale-cache", "gm-shared-line", "atomic-order", "atomic-type", "atomic-left",
        "sync-workspace", "sync-hang", "sync-flag-id", "sync-flag-count", "vf-call", "vf-order",
        "reg-unwritten", "reg-undefined", "reg-limit", "reg-stream"};
    static_assert(sizeof(codes) / sizeof(codes[0]) == static_cast<size_t>(Rule::regStream) + 1);
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
    void add(Rule rule, const char* api, Site site, int core, std::string message);

    const std::vector<Finding>& list() const { return list_; }

    /// Keep what a core prints; the text of all cores is given out core after core.
    void print(int core, const std::string& text) { printed_[core] += text; }
    std::string printed() const;

    /// How many races were found so far, repeats included.
    uint64_t races() const { return races_; }

private:
    using Key = std::tuple<Rule, std::string, std::string, int>;
    std::map<Key, size_t> index_;
    std::vector<Finding> list_;
    uint64_t races_ = 0;
    std::map<int, std::string> printed_;
};

/// printf into a string.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Thrown inside a core that cannot go on (a wait that would never end, memory that does not exist).
struct CoreAbort {};

}  // namespace emu
