// Streams: tasks that run one after the other, on a thread of their own. Events: marks among them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

#include "device.h"

namespace opwright {

/// What a stream does. `essential` ones run also where the stream is destroyed by force.
struct Task {
    std::function<void()> run;
    const char *api;
    bool essential = false;
};

/// Tasks in order. The thread starts with the first task.
struct Stream : Object {
    Stream(const std::shared_ptr<Context> &context, bool isDefault);
    ~Stream() override;
    const char *kind() const override { return "aclrtStream"; }

    void push(Task task);
    bool idle() const;

    /// Waits until all tasks so far are done, for at most that many milliseconds, -1 without end; returns whether they
    /// are.
    bool wait(int32_t milliseconds);

    /// Waits, and refuses with the first error of a task, which is told once.
    bool synchronize(int32_t milliseconds);

    /// Does what is queued, and ends the thread.
    void finish();

    /// Ends the thread after the running task; the others are dropped.
    void abandon();

    const std::weak_ptr<Context> context;
    const bool isDefault;

private:
    void work();
    void runOne(const Task &task);
    void join();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> queue_;
    uint64_t pushed_ = 0;
    uint64_t done_ = 0;
    bool ending_ = false;
    bool failed_ = false;
    Refusal error_{ACL_SUCCESS, ""};
    std::mutex joining_;
    std::thread thread_;
};

/// A mark that streams set and wait for.
struct Event : Object {
    Event(bool isExtended, bool isTimed) : extended(isExtended), timed(isTimed) {}
    const char *kind() const override { return "aclrtEvent"; }

    const bool extended;
    const bool timed;

    std::mutex mutex;
    std::condition_variable changed;
    uint64_t recorded = 0;
    uint64_t reached = 0;
    std::chrono::steady_clock::time_point time;
};

/// Returns the stream of a handle, the default one of the thread's context for null.
std::shared_ptr<Stream> streamOf(aclrtStream handle, int code = ACL_ERROR_RT_INVALID_HANDLE);

}  // namespace opwright
