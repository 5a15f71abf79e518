// Flags between pipes and the pool of their ids.
#pragma once

#include <array>
#include <bitset>
#include <optional>

#include "emu/clock.h"
#include "emu/finding.h"

namespace AscendC {

/// Pairs of pipes a vector core has flags for: the first pipe sets, the second waits.
enum class HardEvent {
    MTE2_V, V_MTE2, MTE3_V, V_MTE3, V_V, MTE2_MTE3, MTE3_MTE2, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MAX
};

}  // namespace AscendC

namespace emu {

using AscendC::HardEvent;

inline constexpr int eventKinds = static_cast<int>(HardEvent::MAX);

/// The two pipes of an event and its name.
struct EventPair {
    const char* name;
    pipe_t from;
    pipe_t to;
};

inline const EventPair& eventPair(HardEvent event) {
    static constexpr EventPair pairs[eventKinds] = {
        {"MTE2_V", PIPE_MTE2, PIPE_V},       {"V_MTE2", PIPE_V, PIPE_MTE2},       {"MTE3_V", PIPE_MTE3, PIPE_V},
        {"V_MTE3", PIPE_V, PIPE_MTE3},       {"V_V", PIPE_V, PIPE_V},             {"MTE2_MTE3", PIPE_MTE2, PIPE_MTE3},
        {"MTE3_MTE2", PIPE_MTE3, PIPE_MTE2}, {"S_V", PIPE_S, PIPE_V},             {"V_S", PIPE_V, PIPE_S},
        {"S_MTE2", PIPE_S, PIPE_MTE2},       {"MTE2_S", PIPE_MTE2, PIPE_S},       {"S_MTE3", PIPE_S, PIPE_MTE3},
        {"MTE3_S", PIPE_MTE3, PIPE_S}};
    return pairs[static_cast<int>(event)];
}

/// Event flags of one core.
class Events {
public:
    Events(Clocks& clocks, Findings& findings, int core) : clocks_(clocks), findings_(findings), core_(core) {}

    void set(HardEvent event, int64_t id, Site site) {
        if (!valid("SetFlag", event, id, site)) return;
        Flag& flag = flags_[static_cast<int>(event)][static_cast<size_t>(id)];
        if (flag.promise) {
            report(Rule::eventDoubleSet, "SetFlag", site, event, id, "was set again before a wait");
        }
        flag = Flag{clocks_.token(eventPair(event).from), site};
    }

    void wait(HardEvent event, int64_t id, Site site) {
        if (!valid("WaitFlag", event, id, site)) return;
        Flag& flag = flags_[static_cast<int>(event)][static_cast<size_t>(id)];
        if (!flag.promise) {
            report(Rule::eventWaitWithoutSet, "WaitFlag", site, event, id, "is waited for but not set: the core hangs");
            throw CoreAbort{};
        }
        clocks_.wait(eventPair(event).to, *flag.promise);
        flag.promise.reset();
    }

    /// Take the lowest free id.
    int8_t allocate(HardEvent event, Site site) {
        const int8_t id = firstFree(event);
        if (id < 0) {
            report(Rule::eventExhausted, "AllocEventID", site, event, chip::maxEvents, "ids are all taken");
            throw CoreAbort{};
        }
        held_[static_cast<int>(event)].set(static_cast<size_t>(id));
        return id;
    }

    void release(HardEvent event, int64_t id, Site site) {
        if (!valid("ReleaseEventID", event, id, site)) return;
        auto held = held_[static_cast<int>(event)][static_cast<size_t>(id)];
        if (!held) report(Rule::eventNotHeld, "ReleaseEventID", site, event, id, "is released but not held");
        held = false;
    }

    /// The lowest free id, without taking it.
    int8_t fetch(HardEvent event, Site site) {
        const int8_t id = allocate(event, site);
        held_[static_cast<int>(event)].reset(static_cast<size_t>(id));
        return id;
    }

    /// Report flags still set when the kernel ends.
    void checkDrained() {
        for (int kind = 0; kind < eventKinds; kind++) {
            for (size_t id = 0; id < chip::maxEvents; id++) {
                const Flag& flag = flags_[kind][id];
                if (!flag.promise) continue;
                report(Rule::eventLeftover, "SetFlag", flag.site, static_cast<HardEvent>(kind),
                       static_cast<int64_t>(id), "is still set at the end of the kernel");
            }
        }
    }

private:
    struct Flag {
        std::optional<Clock> promise;
        Site site;
    };

    int8_t firstFree(HardEvent event) const {
        for (size_t id = 0; id < chip::maxEvents; id++) {
            if (!held_[static_cast<int>(event)][id]) return static_cast<int8_t>(id);
        }
        return -1;
    }

    bool valid(const char* api, HardEvent event, int64_t id, Site site) {
        if (id >= 0 && id < static_cast<int64_t>(chip::maxEvents)) return true;
        report(Rule::eventId, api, site, event, id, "is not a legal id");
        return false;
    }

    void report(Rule rule, const char* api, Site site, HardEvent event, int64_t id, const char* what) {
        findings_.add(rule, api, site, core_, text("event %s id %lld %s", eventPair(event).name, (long long)id, what));
    }

    Clocks& clocks_;
    Findings& findings_;
    int core_;
    std::array<std::array<Flag, chip::maxEvents>, eventKinds> flags_{};
    std::array<std::bitset<chip::maxEvents>, eventKinds> held_{};
};

}  // namespace emu
