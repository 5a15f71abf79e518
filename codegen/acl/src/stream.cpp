#include "stream.h"

#include "acl/acl_rt.h"

namespace opwright {

Stream::Stream(const std::shared_ptr<Context> &owner, bool standard) : context(owner), isDefault(standard) {}

Stream::~Stream() { finish(); }

void Stream::push(Task task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ending_) refuse(ACL_ERROR_RT_INVALID_HANDLE, "the stream's context was destroyed");
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    queue_.push_back(std::move(task));
    pushed_++;
    changed_.notify_all();
}

void Stream::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
        if (queue_.empty()) return;
        Task task = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        runOne(task);
        task = Task{};
        lock.lock();
        done_++;
        changed_.notify_all();
    }
}

void Stream::runOne(const Task &task) {
    Refusal error{ACL_SUCCESS, ""};
    try {
        task.run();
        return;
    } catch (const Refusal &refusal) {
        error = refusal;
    } catch (const std::bad_alloc &) {
        error = {ACL_ERROR_RT_DEVICE_OOM, "there is not enough memory"};
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failed_) return;
    failed_ = true;
    error_ = {error.code, std::string(task.api) + " failed on the stream: " + error.text};
}

bool Stream::idle() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return done_ == pushed_;
}

bool Stream::wait(int32_t milliseconds) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t target = pushed_;
    const auto reached = [&] { return done_ >= target; };
    if (milliseconds >= 0) return changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), reached);
    changed_.wait(lock, reached);
    return true;
}

bool Stream::synchronize(int32_t milliseconds) {
    if (!wait(milliseconds)) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failed_) return true;
    failed_ = false;
    const Refusal error = error_;
    throw error;
}

void Stream::finish() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
        changed_.notify_all();
    }
    join();
}

void Stream::abandon() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
        std::deque<Task> kept;
        for (Task &task : queue_) {
            if (task.essential) kept.push_back(std::move(task));
        }
        done_ += queue_.size() - kept.size();
        queue_.swap(kept);
        changed_.notify_all();
    }
    join();
}

void Stream::join() {
    const std::lock_guard<std::mutex> lock(joining_);
    if (thread_.joinable()) thread_.join();
}

std::shared_ptr<Stream> streamOf(aclrtStream handle, int code) {
    const auto context = currentContext();
    if (handle == nullptr) return context->defaultStream;
    auto stream = Objects::all().find<Stream>(handle, {"aclrtStream", "stream", code});
    const auto owner = stream->context.lock();
    if (owner == nullptr || owner->destroyed) refuse(code, "the context of 'stream' was destroyed");
    if (owner != context) {
        refuse(ACL_ERROR_RT_STREAM_CONTEXT, "'stream' belongs to another context than the thread's current one");
    }
    return stream;
}

namespace {

void requireTimeout(int32_t timeout) {
    if (timeout != -1 && timeout <= 0) {
        refuse(ACL_ERROR_RT_PARAM_INVALID,
               "'timeout' is " + std::to_string(timeout) + "; it must be -1 (none) or a positive number of ms");
    }
}

void createStream(aclrtStream *stream) {
    requirePointer("stream", stream);
    const auto context = currentContext();
    auto created = std::make_shared<Stream>(context, false);
    context->add(created);
    *stream = Objects::all().add(created);
}

std::shared_ptr<Stream> removeStream(aclrtStream stream) {
    requirePointer("stream", stream);
    requireInit();
    auto found = Objects::all().remove<Stream>(stream, {"aclrtStream", "stream", ACL_ERROR_RT_INVALID_HANDLE});
    if (const auto context = found->context.lock()) context->remove(found);
    return found;
}

void synchronizeStream(aclrtStream stream, int32_t timeout) {
    requireInit();
    if (!streamOf(stream)->synchronize(timeout)) {
        refuse(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "tasks are still running after " + std::to_string(timeout) + " ms");
    }
}

}  // namespace

}  // namespace opwright

using namespace opwright;

aclError aclrtCreateStream(aclrtStream *stream) {
    return guarded("aclrtCreateStream", [&] { createStream(stream); });
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t) {
    return guarded("aclrtCreateStreamWithConfig", [&] { createStream(stream); });
}

aclError aclrtDestroyStream(aclrtStream stream) {
    return guarded("aclrtDestroyStream", [&] { removeStream(stream)->finish(); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return guarded("aclrtDestroyStreamForce", [&] { removeStream(stream)->abandon(); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status) {
    return guarded("aclrtStreamQuery", [&] {
        requirePointer("status", status);
        requireInit();
        *status = streamOf(stream)->idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
    return guarded("aclrtSynchronizeStream", [&] { synchronizeStream(stream, -1); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
    return guarded("aclrtSynchronizeStreamWithTimeout", [&] {
        requireTimeout(timeout);
        synchronizeStream(stream, timeout);
    });
}

aclError aclrtSynchronizeDevice() {
    return guarded("aclrtSynchronizeDevice", [&] {
        for (const auto &stream : currentContext()->streams()) stream->synchronize(-1);
    });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    return guarded("aclrtSynchronizeDeviceWithTimeout", [&] {
        requireTimeout(timeout);
        for (const auto &stream : currentContext()->streams()) {
            if (!stream->synchronize(timeout)) {
                refuse(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "tasks are running after " + std::to_string(timeout) + " ms");
            }
        }
    });
}
