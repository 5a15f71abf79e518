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

inline constexpr EventPair eventPairs[eventKinds] = {
    {"MTE2_V", PIPE_MTE2, PIPE_V},       {"V_MTE2", PIPE_V, PIPE_MTE2},       {"MTE3_V", PIPE_MTE3, PIPE_V},
    {"V_MTE3", PIPE_V, PIPE_MTE3},       {"V_V", PIPE_V, PIPE_V},             {"MTE2_MTE3", PIPE_MTE2, PIPE_MTE3},
    {"MTE3_MTE2", PIPE_MTE3, PIPE_MTE2}, {"S_V", PIPE_S, PIPE_V},             {"V_S", PIPE_V, PIPE_S},
    {"S_MTE2", PIPE_S, PIPE_MTE2},       {"MTE2_S", PIPE_MTE2, PIPE_S},       {"S_MTE3", PIPE_S, PIPE_MTE3},
    {"MTE3_S", PIPE_MTE3, PIPE_S}};

constexpr const EventPair& eventPair(HardEvent event) { return eventPairs[static_cast<int>(event)]; }

/// The event between two pipes, MAX if a vector core has none.
constexpr HardEvent eventBetween(pipe_t from, pipe_t to) {
    for (int kind = 0; kind < eventKinds; kind++) {
        const auto event = static_cast<HardEvent>(kind);
        if (eventPair(event).from == from && eventPair(event).to == to) return event;
    }
    return HardEvent::MAX;
}

/// Event flags of one core.
class Events {
public:
    Events(Clocks& clocks, Findings& findings, int core) : clocks_(clocks), findings_(findings), core_(core) {}

    void set(HardEvent event, int64_t id, Site site);
    void wait(HardEvent event, int64_t id, Site site);

    /// Take the lowest free id.
    int8_t allocate(HardEvent event, Site site);
    void release(HardEvent event, int64_t id, Site site);

    /// The lowest free id, without taking it.
    int8_t fetch(HardEvent event, Site site);

    /// Report flags still set when the kernel ends.
    void checkDrained();

private:
    struct Flag {
        std::optional<Clock> promise;
        Site site;
    };

    int8_t firstFree(HardEvent event) const;
    bool valid(const char* api, HardEvent event, int64_t id, Site site);
    void report(Rule rule, const char* api, Site site, HardEvent event, int64_t id, const char* what);

    Clocks& clocks_;
    Findings& findings_;
    int core_;
    std::array<std::array<Flag, chip::maxEvents>, eventKinds> flags_{};
    std::array<std::bitset<chip::maxEvents>, eventKinds> held_{};
};

}  // namespace emu
