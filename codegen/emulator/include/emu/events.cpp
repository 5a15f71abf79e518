// Setting, waiting for and handing out event flags.
#include "emu/events.h"

namespace emu {

void Events::set(HardEvent event, int64_t id, Site site) {
    if (!valid("SetFlag", event, id, site)) return;
    Flag& flag = flags_[static_cast<int>(event)][static_cast<size_t>(id)];
    if (flag.promise) {
        report(Rule::eventDoubleSet, "SetFlag", site, event, id, "was set again before a wait");
    }
    flag = Flag{clocks_.token(eventPair(event).from), site};
}

void Events::wait(HardEvent event, int64_t id, Site site) {
    if (!valid("WaitFlag", event, id, site)) return;
    Flag& flag = flags_[static_cast<int>(event)][static_cast<size_t>(id)];
    if (!flag.promise) {
        report(Rule::eventWaitWithoutSet, "WaitFlag", site, event, id, "is waited for but not set: the core hangs");
        throw CoreAbort{};
    }
    clocks_.wait(eventPair(event).to, *flag.promise);
    flag.promise.reset();
}

int8_t Events::allocate(HardEvent event, Site site) {
    const int8_t id = firstFree(event);
    if (id < 0) {
        report(Rule::eventExhausted, "AllocEventID", site, event, chip::maxEvents, "ids are all taken");
        throw CoreAbort{};
    }
    held_[static_cast<int>(event)].set(static_cast<size_t>(id));
    return id;
}

void Events::release(HardEvent event, int64_t id, Site site) {
    if (!valid("ReleaseEventID", event, id, site)) return;
    auto held = held_[static_cast<int>(event)][static_cast<size_t>(id)];
    if (!held) report(Rule::eventNotHeld, "ReleaseEventID", site, event, id, "is released but not held");
    held = false;
}

int8_t Events::fetch(HardEvent event, Site site) {
    const int8_t id = allocate(event, site);
    held_[static_cast<int>(event)].reset(static_cast<size_t>(id));
    return id;
}

void Events::checkDrained() {
    for (int kind = 0; kind < eventKinds; kind++) {
        for (size_t id = 0; id < chip::maxEvents; id++) {
            const Flag& flag = flags_[kind][id];
            if (!flag.promise) continue;
            report(Rule::eventLeftover, "SetFlag", flag.site, static_cast<HardEvent>(kind),
                   static_cast<int64_t>(id), "is still set at the end of the kernel");
        }
    }
}

int8_t Events::firstFree(HardEvent event) const {
    for (size_t id = 0; id < chip::maxEvents; id++) {
        if (!held_[static_cast<int>(event)][id]) return static_cast<int8_t>(id);
    }
    return -1;
}

bool Events::valid(const char* api, HardEvent event, int64_t id, Site site) {
    if (event == HardEvent::MAX) {
        findings_.add(Rule::eventId, api, site, core_, "a vector core has no event for these pipes");
        return false;
    }
    if (id >= 0 && id < static_cast<int64_t>(chip::maxEvents)) return true;
    report(Rule::eventId, api, site, event, id, "is not a legal id");
    return false;
}

void Events::report(Rule rule, const char* api, Site site, HardEvent event, int64_t id, const char* what) {
    findings_.add(rule, api, site, core_, text("event %s id %lld %s", eventPair(event).name, (long long)id, what));
}

}  // namespace emu
