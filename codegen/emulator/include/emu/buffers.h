// Unified-buffer allocation and the life of queue buffers.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "emu/clock.h"
#include "emu/events.h"
#include "emu/instruction.h"

namespace emu {

/// Where a queue buffer stands between two allocations.
enum class BufferState { free, occupied, enqueued, dequeued };

inline const char* stateName(BufferState state) {
    static constexpr const char* names[] = {"free", "occupied", "enqueued", "dequeued"};
    return names[static_cast<int>(state)];
}

/// One piece of the unified buffer. A plain buffer (`queue` < 0) is always usable.
struct Buffer {
    uint64_t begin;
    uint64_t bytes;
    int queue;
    Site site;
    BufferState state = BufferState::free;
    uint32_t generation = 0;
    std::optional<Clock> filled{};
    std::optional<Clock> released{};
};

/// One queue: the pipes it connects, its buffers, and those handed over and not yet taken.
struct Queue {
    pipe_t producer;
    pipe_t consumer;
    int position;
    int depth;
    std::vector<int> buffers{};
    std::deque<int> pending{};
    size_t next = 0;
};

/// The buffers and queues of one core. A call that would wait for ever ends the core.
class Buffers {
public:
    static constexpr size_t maxBuffers = 64;
    static constexpr int maxLivePerPosition = static_cast<int>(chip::maxEvents);

    Buffers(uint8_t* memory, UbShadow& shadow, Clocks& clocks, Findings& findings, int core)
        : memory_(memory), shadow_(shadow), clocks_(clocks), findings_(findings), core_(core) {}

    const Buffer& buffer(int index) const { return buffers_[static_cast<size_t>(index)]; }

    int addBuffer(int64_t bytes, int queue, Site site) {
        if (bytes <= 0) fail(Rule::bufferSize, "InitBuffer", site, text("a buffer of %lld bytes", (long long)bytes));
        const uint64_t rounded = roundToBlock(static_cast<uint64_t>(bytes));
        if (top_ + rounded > chip::ubBytes) {
            fail(Rule::ubCapacity, "InitBuffer", site,
                 text("%llu bytes more than the %llu in use pass the capacity of %llu bytes",
                      (unsigned long long)rounded, (unsigned long long)top_, (unsigned long long)chip::ubBytes));
        }
        if (buffers_.size() >= maxBuffers) {
            fail(Rule::bufferLimit, "InitBuffer", site, text("more than %zu buffers", maxBuffers));
        }
        buffers_.push_back(Buffer{top_, rounded, queue, site});
        poison(buffers_.back());
        top_ += rounded;
        return static_cast<int>(buffers_.size()) - 1;
    }

    int addQueue(Queue queue, int64_t count, int64_t bytes, Site site) {
        if (count <= 0) fail(Rule::bufferSize, "InitBuffer", site, text("%lld buffers", (long long)count));
        const int index = static_cast<int>(queues_.size());
        for (int64_t i = 0; i < count; i++) queue.buffers.push_back(addBuffer(bytes, index, site));
        queues_.push_back(std::move(queue));
        return index;
    }

    int allocate(int queueIndex, Site site) {
        Queue& queue = at(queueIndex, "AllocTensor", site);
        for (size_t i = 0; i < queue.buffers.size(); i++) {
            const size_t slot = (queue.next + i) % queue.buffers.size();
            const int index = queue.buffers[slot];
            Buffer& buffer = buffers_[static_cast<size_t>(index)];
            if (buffer.state != BufferState::free) continue;
            queue.next = (slot + 1) % queue.buffers.size();
            take(queue, buffer, site);
            return index;
        }
        fail(Rule::queueNoFreeBuffer, "AllocTensor", site,
             text("none of the queue's %zu buffers is free: the core hangs", queue.buffers.size()));
    }

    void enqueue(int queueIndex, const LocalRef& tensor, Site site) {
        Queue& queue = at(queueIndex, "EnQue", site);
        Buffer& buffer = owned(queueIndex, tensor, "EnQue", site);
        if (buffer.state != BufferState::occupied && buffer.state != BufferState::dequeued) {
            report(Rule::queueState, "EnQue", site, text("the buffer is %s", stateName(buffer.state)));
        }
        if (static_cast<int>(queue.pending.size()) >= queue.depth) {
            report(Rule::queueDepth, "EnQue", site,
                   text("%zu tensors wait in a queue of depth %d", queue.pending.size(), queue.depth));
        }
        buffer.state = BufferState::enqueued;
        buffer.filled = clocks_.token(queue.producer);
        queue.pending.push_back(tensor.buffer);
    }

    int dequeue(int queueIndex, Site site) {
        Queue& queue = at(queueIndex, "DeQue", site);
        if (queue.pending.empty()) fail(Rule::queueEmpty, "DeQue", site, "nothing was enqueued: the core hangs");
        const int index = queue.pending.front();
        queue.pending.pop_front();
        Buffer& buffer = buffers_[static_cast<size_t>(index)];
        buffer.state = BufferState::dequeued;
        if (buffer.filled) clocks_.wait(queue.consumer, *buffer.filled);
        return index;
    }

    void release(int queueIndex, const LocalRef& tensor, Site site) {
        Queue& queue = at(queueIndex, "FreeTensor", site);
        Buffer& buffer = owned(queueIndex, tensor, "FreeTensor", site);
        if (buffer.state == BufferState::free || buffer.generation != tensor.generation) {
            report(Rule::queueState, "FreeTensor", site, "the tensor was freed before");
            return;
        }
        if (buffer.state == BufferState::enqueued) {
            report(Rule::queueState, "FreeTensor", site, "the tensor waits in the queue");
        }
        buffer.state = BufferState::free;
        buffer.released = clocks_.token(queue.consumer);
    }

    size_t pendingIn(int queueIndex, Site site) { return at(queueIndex, "GetTensorCountInQue", site).pending.size(); }
    int depthOf(int queueIndex, Site site) { return at(queueIndex, "VacantInQue", site).depth; }

    bool hasIdle(int queueIndex, Site site) {
        for (int index : at(queueIndex, "HasIdleBuffer", site).buffers) {
            if (buffer(index).state == BufferState::free) return true;
        }
        return false;
    }

    void checkReleased() {
        for (const Buffer& buffer : buffers_) {
            if (buffer.queue < 0 || buffer.state == BufferState::free) continue;
            report(Rule::queueLeak, "InitBuffer", buffer.site,
                   text("a tensor of this queue is still %s at the end", stateName(buffer.state)));
        }
    }

    /// Give back everything, as the end of a pipe object does.
    void clear() {
        checkReleased();
        abandon();
    }

    void abandon() {
        buffers_.clear();
        queues_.clear();
        top_ = 0;
    }

private:
    Queue& at(int index, const char* api, Site site) {
        if (index < 0 || index >= static_cast<int>(queues_.size())) {
            fail(Rule::queueUninitialized, api, site, "the queue has no buffers: InitBuffer was not called");
        }
        return queues_[static_cast<size_t>(index)];
    }

    Buffer& owned(int queueIndex, const LocalRef& tensor, const char* api, Site site) {
        const bool known = tensor.buffer >= 0 && tensor.buffer < static_cast<int>(buffers_.size());
        if (!known || buffers_[static_cast<size_t>(tensor.buffer)].queue != queueIndex) {
            fail(Rule::queueForeign, api, site, "the tensor does not belong to this queue");
        }
        return buffers_[static_cast<size_t>(tensor.buffer)];
    }

    void take(const Queue& queue, Buffer& buffer, Site site) {
        if (buffer.released) clocks_.wait(queue.producer, *buffer.released);
        buffer.state = BufferState::occupied;
        buffer.generation++;
        poison(buffer);
        int live = 0;
        for (const Buffer& other : buffers_) {
            live += other.queue >= 0 && other.state != BufferState::free && positionOf(other) == queue.position;
        }
        if (live > maxLivePerPosition) {
            report(Rule::queueLiveLimit, "AllocTensor", site,
                   text("%d tensors of one position are allocated; %d is the limit", live, maxLivePerPosition));
        }
    }

    int positionOf(const Buffer& buffer) const { return queues_[static_cast<size_t>(buffer.queue)].position; }

    void poison(const Buffer& buffer) {
        std::memset(memory_ + buffer.begin, 0xff, buffer.bytes);
        shadow_.undefine(Run{buffer.begin, buffer.begin + buffer.bytes});
    }

    void report(Rule rule, const char* api, Site site, std::string message) {
        findings_.add(rule, api, site, core_, std::move(message));
    }

    [[noreturn]] void fail(Rule rule, const char* api, Site site, std::string message) {
        report(rule, api, site, std::move(message));
        throw CoreAbort{};
    }

    uint8_t* memory_;
    UbShadow& shadow_;
    Clocks& clocks_;
    Findings& findings_;
    int core_;
    uint64_t top_ = 0;
    std::vector<Buffer> buffers_;
    std::vector<Queue> queues_;
};

}  // namespace emu
