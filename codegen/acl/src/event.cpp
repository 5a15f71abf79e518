#include "acl/acl_rt.h"
#include "stream.h"

namespace opwright {

namespace {

std::shared_ptr<Event> eventOf(const char *parameter, aclrtEvent event) {
    requirePointer(parameter, event);
    requireInit();
    return Objects::all().find<Event>(event, {"aclrtEvent", parameter, ACL_ERROR_RT_PARAM_INVALID});
}

void createEvent(aclrtEvent *event, bool extended, bool timed) {
    requirePointer("event", event);
    currentContext();
    *event = Objects::all().add(std::make_shared<Event>(extended, timed));
}

/// Whether the last recording, if any, is reached.
bool isReached(Event &event) {
    const std::lock_guard<std::mutex> lock(event.mutex);
    return event.recorded == event.reached && (event.recorded > 0 || event.extended);
}

void reach(Event &event, uint64_t recording) {
    const std::lock_guard<std::mutex> lock(event.mutex);
    if (event.reached < recording) event.reached = recording;
    event.time = std::chrono::steady_clock::now();
    event.changed.notify_all();
}

void waitFor(Event &event, uint64_t recording) {
    std::unique_lock<std::mutex> lock(event.mutex);
    event.changed.wait(lock, [&] { return event.reached >= recording; });
}

void synchronize(Event &event, int32_t timeout) {
    std::unique_lock<std::mutex> lock(event.mutex);
    if (event.recorded == 0) {
        if (event.extended) return;
        refuse(ACL_ERROR_RT_PARAM_INVALID, "'event' was never recorded");
    }
    const auto done = [&] { return event.reached >= event.recorded; };
    if (timeout < 0) {
        event.changed.wait(lock, done);
    } else if (!event.changed.wait_for(lock, std::chrono::milliseconds(timeout), done)) {
        refuse(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "'event' is not reached after " + std::to_string(timeout) + " ms");
    }
}

std::chrono::steady_clock::time_point timeOf(const char *parameter, aclrtEvent handle) {
    const auto event = eventOf(parameter, handle);
    if (!event->timed) {
        refuse(ACL_ERROR_RT_PARAM_INVALID, std::string("'") + parameter + "' was created without ACL_EVENT_TIME_LINE");
    }
    if (!isReached(*event)) {
        refuse(ACL_ERROR_RT_EVENT_NOT_COMPLETE, std::string("'") + parameter + "' is not recorded, or not reached");
    }
    const std::lock_guard<std::mutex> lock(event->mutex);
    return event->time;
}

}  // namespace

}  // namespace opwright

using namespace opwright;

aclError aclrtCreateEvent(aclrtEvent *event) {
    return guarded("aclrtCreateEvent", [&] { createEvent(event, false, true); });
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag) {
    return guarded("aclrtCreateEventWithFlag", [&] { createEvent(event, false, (flag & ACL_EVENT_TIME_LINE) != 0); });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag) {
    return guarded("aclrtCreateEventExWithFlag", [&] { createEvent(event, true, (flag & ACL_EVENT_TIME_LINE) != 0); });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
    return guarded("aclrtDestroyEvent", [&] {
        requirePointer("event", event);
        requireInit();
        Objects::all().remove<Event>(event, {"aclrtEvent", "event", ACL_ERROR_RT_PARAM_INVALID});
    });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    return guarded("aclrtRecordEvent", [&] {
        const auto mark = eventOf("event", event);
        const auto on = streamOf(stream);
        uint64_t recording = 0;
        {
            const std::lock_guard<std::mutex> lock(mark->mutex);
            recording = ++mark->recorded;
        }
        on->push({[mark, recording] { reach(*mark, recording); }, "aclrtRecordEvent", true});
    });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    return guarded("aclrtResetEvent", [&] {
        const auto mark = eventOf("event", event);
        streamOf(stream)->push({[mark] {
                                    const std::lock_guard<std::mutex> lock(mark->mutex);
                                    if (mark->recorded == mark->reached) mark->recorded = mark->reached = 0;
                                },
                                "aclrtResetEvent", true});
    });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return guarded("aclrtStreamWaitEvent", [&] {
        const auto mark = eventOf("event", event);
        uint64_t recording = 0;
        {
            const std::lock_guard<std::mutex> lock(mark->mutex);
            recording = mark->recorded;
        }
        streamOf(stream)->push({[mark, recording] { waitFor(*mark, recording); }, "aclrtStreamWaitEvent"});
    });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status) {
    return guarded("aclrtQueryEvent", [&] {
        requirePointer("status", status);
        *status = isReached(*eventOf("event", event)) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status) {
    return guarded("aclrtQueryEventStatus", [&] {
        requirePointer("status", status);
        const bool reached = isReached(*eventOf("event", event));
        *status = reached ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status) {
    return guarded("aclrtQueryEventWaitStatus", [&] {
        requirePointer("status", status);
        const bool reached = isReached(*eventOf("event", event));
        *status = reached ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
    return guarded("aclrtSynchronizeEvent", [&] { synchronize(*eventOf("event", event), -1); });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    return guarded("aclrtSynchronizeEventWithTimeout", [&] {
        if (timeout != -1 && timeout <= 0) {
            refuse(ACL_ERROR_RT_PARAM_INVALID,
                   "'timeout' is " + std::to_string(timeout) + "; it must be -1 (none) or a positive number of ms");
        }
        synchronize(*eventOf("event", event), timeout);
    });
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent) {
    return guarded("aclrtEventElapsedTime", [&] {
        requirePointer("ms", ms);
        const auto from = timeOf("startEvent", startEvent);
        const auto to = timeOf("endEvent", endEvent);
        *ms = std::chrono::duration<float, std::milli>(to - from).count();
    });
}
