// The vector function that runs on a core: its life, its accesses to the unified buffer, its checks.
//
// A vector function is one instruction of PIPE_V whose operands show only while it runs. It gets its number when it is
// issued, every load and store is recorded under that number, and so the events and barriers around it are checked as
// for any other instruction.
//
// In strict mode instructions execute later than they are issued. What a vector function may rely on has then to be
// executed first (its needs), it runs once to record its accesses, the unified buffer is put back, and a second silent
// run takes place whenever the schedule likes. `__VEC_SCOPE__` blocks and vector functions that are called directly use
// the caller's variables and cannot run twice: they run once, when they are issued.
#pragma once

#include "emu/core.h"
#include "reg/order.h"

namespace emu::reg {

/// In strict mode execute what a vector function that is issued now may rely on.
void awaitNeeds(Core& core);

/// State of the vector function that runs on this thread.
class VectorFunction {
public:
    static VectorFunction& current() {
        static thread_local VectorFunction state;
        return state;
    }

    /// Enter a vector function that has the given number on PIPE_V. A silent one records and reports nothing.
    void begin(const Call& call, uint32_t number, bool silent);
    void end() { scopes_--; }

    /// Whether the running core is inside of a vector function.
    bool open() const { return scopes_ > 0 && core_ == Core::running && index_ == core_->index; }

    /// A register comes to life. Outside of asc_vf_call and __VEC_SCOPE__ the first one begins a vector function that
    /// was called directly, and the last one to go ends it.
    void retain(const Call& call) {
        if (!open()) enterDirect(call);
        registers_++;
    }

    void release() {
        registers_--;
        if (registers_ == 0 && direct_) end();
    }

    /// Count one register instruction against the budget of the launch.
    void step(const Call& call) {
        if (core_->options.maxInstructions == 0 || ++steps_ <= core_->options.maxInstructions) return;
        steps_ = 0;
        report(Rule::budget, call, text("vector functions have issued %llu instructions",
                                        (unsigned long long)core_->options.maxInstructions));
        throw CoreAbort{};
    }

    void report(Rule rule, const Call& call, std::string message) {
        if (!silent_) core_->report(rule, call.api, call.site, std::move(message));
    }

    /// The place of a pointer; false and a finding if [pointer - before, pointer + bytes) leaves the unified
    /// buffer.
    bool locate(const Call& call, const void* pointer, uint64_t before, uint64_t bytes, uint64_t alignment,
                UbPlace& place);

    /// Fetch bytes; known[i] is cleared for those that nothing has written. Returns the number of the access.
    uint32_t load(const Call& call, const UbPlace& place, uint64_t bytes, uint32_t reg, uint8_t* to, bool* known);

    /// Number a store; `storeRun` then moves its bytes.
    uint32_t numberStore(const Call& call) { return silent_ ? 0 : order_.next(call); }
    void storeRun(const Call& call, uint32_t number, int buffer, const Run& run, uint32_t reg, const Lineage& lineage,
                  const uint8_t* from);

    void fence(LocalOrder::MemType from, LocalOrder::MemType to) {
        if (!silent_) order_.fence(from, to);
    }

    Core& core() const { return *core_; }

    /// What Squeeze leaves for the unaligned stores that follow, in bytes.
    struct Squeezed {
        uint64_t position = 0;
        uint64_t bytes = 0;
        bool pending = false;
    };
    Squeezed squeezed;

    /// Whether the instruction that runs was reported: its result counts as defined, so that one fault is found once.
    bool excused = false;

    /// Registers for unaligned streams that are alive.
    int unaligned = 0;

private:
    void enterDirect(const Call& call);
    void checkOrder(const Call& call, const std::optional<Exchange>& exchange);
    const Buffer* bufferOf(const Call& call, const UbPlace& place);
    void reportStray(const Call& call, const char* verb, const Run& run, const Buffer& buffer);
    void markHoles(const Call& call, const Run& run, uint64_t bytes, bool* known);
    Toucher toucher(const Call& call) const {
        return Toucher{PIPE_V, Touch{number_, call.api, call.site}, core_->index};
    }

    Core* core_ = nullptr;
    int index_ = -1;
    int scopes_ = 0;
    int registers_ = 0;
    bool silent_ = false;
    bool direct_ = false;
    uint32_t number_ = 0;
    uint64_t steps_ = 0;
    LocalOrder order_;
};

}  // namespace emu::reg
