// The life of buffers and queues.
#include "emu/buffers.h"

#include <algorithm>
#include <cstring>

namespace emu {

int Buffers::addBuffer(int64_t bytes, int queue, Site site, int pool) {
    if (bytes <= 0) fail(Rule::bufferSize, "InitBuffer", site, text("a buffer of %lld bytes", (long long)bytes));
    const uint64_t rounded = roundToBlock(static_cast<uint64_t>(bytes));
    const uint64_t begin = place(rounded, pool, site);
    const auto counts = [&](const Buffer& other) { return other.alive && other.pool == pool; };
    const auto taken = static_cast<size_t>(std::count_if(buffers_.begin(), buffers_.end(), counts));
    const size_t limit = pool < 0 ? maxBuffers : pools_[static_cast<size_t>(pool)].maxBuffers;
    if (taken >= limit) fail(Rule::bufferLimit, "InitBuffer", site, text("more than %zu buffers", limit));
    buffers_.push_back(Buffer{begin, rounded, queue, site, pool});
    poison(buffers_.back());
    return static_cast<int>(buffers_.size()) - 1;
}

uint64_t Buffers::place(uint64_t bytes, int pool, Site site) {
    uint64_t& top = pool < 0 ? top_ : pools_[static_cast<size_t>(pool)].top;
    const uint64_t end = pool < 0 ? uint64_t{chip::ubBytes} : pools_[static_cast<size_t>(pool)].end;
    if (top + bytes > end) {
        const uint64_t begin = pool < 0 ? 0 : pools_[static_cast<size_t>(pool)].begin;
        fail(pool < 0 ? Rule::ubCapacity : Rule::bufferPool, "InitBuffer", site,
             text("%llu bytes more than the %llu in use pass the capacity of %llu bytes", (unsigned long long)bytes,
                  (unsigned long long)(top - begin), (unsigned long long)(end - begin)));
    }
    top += bytes;
    peak_ = std::max(peak_, top_);
    return top - bytes;
}

int Buffers::addQueue(Queue queue, int64_t count, int64_t bytes, Site site, int pool) {
    if (count <= 0) fail(Rule::bufferSize, "InitBuffer", site, text("%lld buffers", (long long)count));
    const int index = static_cast<int>(queues_.size());
    for (int64_t i = 0; i < count; i++) queue.buffers.push_back(addBuffer(bytes, index, site, pool));
    if (queue.depth == 0) queue.depth = static_cast<int>(count);
    queue.site = site;
    queue.number = index + 1;
    queues_.push_back(std::move(queue));
    return index;
}

int Buffers::addPool(int64_t bytes, size_t maxBuffers, int parent, Site site) {
    if (bytes <= 0) fail(Rule::bufferSize, "InitBufPool", site, text("a pool of %lld bytes", (long long)bytes));
    const uint64_t rounded = roundToBlock(static_cast<uint64_t>(bytes));
    const uint64_t begin = place(rounded, parent, site);
    pools_.push_back(Pool{begin, begin + rounded, begin, maxBuffers, parent});
    return static_cast<int>(pools_.size()) - 1;
}

int Buffers::sharePool(int64_t bytes, size_t maxBuffers, int with, Site site) {
    const Pool other = pools_[static_cast<size_t>(with)];
    const uint64_t rounded = roundToBlock(static_cast<uint64_t>(std::max<int64_t>(bytes, 0)));
    if (rounded == 0 || rounded > other.end - other.begin) {
        fail(Rule::bufferPool, "InitBufPool", site,
             text("a pool of %lld bytes cannot share one of %llu", (long long)bytes,
                  (unsigned long long)(other.end - other.begin)));
    }
    pools_.push_back(Pool{other.begin, other.begin + rounded, other.begin, maxBuffers, other.parent});
    return static_cast<int>(pools_.size()) - 1;
}

void Buffers::resetPool(int pool, Site site) {
    Pool& range = pools_[static_cast<size_t>(pool)];
    for (Buffer& buffer : buffers_) {
        if (!buffer.alive || buffer.pool != pool) continue;
        if (buffer.queue >= 0 && buffer.state != BufferState::free) {
            report(Rule::bufferPool, "Reset", site, text("a tensor of the pool is %s", stateName(buffer.state)));
        }
        if (buffer.queue >= 0 && buffer.released) {
            clocks_.wait(queues_[static_cast<size_t>(buffer.queue)].producer, *buffer.released);
        }
        retire(buffer);
    }
    range.top = range.begin;
    for (size_t child = 0; child < pools_.size(); child++) {
        if (pools_[child].parent == pool) resetPool(static_cast<int>(child), site);
    }
}

void Buffers::retire(Buffer& buffer) {
    buffer.alive = false;
    // Buffers of a queue that could not be completed have no queue.
    const auto queue = static_cast<size_t>(buffer.queue);
    if (buffer.queue >= 0 && queue < queues_.size()) queues_[queue].alive = false;
}

int Buffers::find(uint64_t address) const {
    for (size_t i = buffers_.size(); i-- > 0;) {
        const Buffer& buffer = buffers_[i];
        const bool holds = address >= buffer.begin && address < buffer.begin + buffer.bytes;
        if (buffer.alive && holds) return static_cast<int>(i);
    }
    return -1;
}

int Buffers::bare() {
    if (bare_ < 0) {
        bare_ = static_cast<int>(buffers_.size());
        constexpr int ownPool = -2;
        buffers_.push_back(Buffer{0, chip::ubBytes, -1, Site{}, ownPool});
    }
    return bare_;
}

int Buffers::allocate(int queueIndex, Site site) {
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
         text("none of the %zu buffers of %s is free, the oldest is %s: the core hangs", queue.buffers.size(),
              nameOf(queue).c_str(), stateOf(buffers_[static_cast<size_t>(queue.buffers[queue.next])]).c_str()));
}

void Buffers::enqueue(int queueIndex, const LocalRef& tensor, Site site, std::optional<pipe_t> producer) {
    Queue& queue = at(queueIndex, "EnQue", site);
    Buffer& buffer = owned(queueIndex, tensor, "EnQue", site);
    if (buffer.state != BufferState::occupied && buffer.state != BufferState::dequeued) {
        report(Rule::queueState, "EnQue", site,
               text("the buffer of %s is %s", nameOf(queue).c_str(), stateOf(buffer).c_str()));
    }
    if (static_cast<int>(queue.pending.size()) >= queue.depth) {
        report(Rule::queueDepth, "EnQue", site,
               text("%zu tensors wait in %s, whose depth is %d", queue.pending.size(), nameOf(queue).c_str(),
                    queue.depth));
    }
    buffer.enter(BufferState::enqueued, "EnQue", site);
    buffer.filled = clocks_.token(producer.value_or(queue.producer));
    queue.pending.push_back(tensor.buffer);
}

int Buffers::dequeue(int queueIndex, Site site, std::optional<pipe_t> consumer) {
    Queue& queue = at(queueIndex, "DeQue", site);
    if (queue.pending.empty()) {
        fail(Rule::queueEmpty, "DeQue", site,
             text("nothing was enqueued in %s: the core hangs", nameOf(queue).c_str()));
    }
    const int index = queue.pending.front();
    queue.pending.pop_front();
    Buffer& buffer = buffers_[static_cast<size_t>(index)];
    buffer.enter(BufferState::dequeued, "DeQue", site);
    if (buffer.filled) clocks_.wait(consumer.value_or(queue.consumer), *buffer.filled);
    return index;
}

void Buffers::release(int queueIndex, const LocalRef& tensor, Site site) {
    Queue& queue = at(queueIndex, "FreeTensor", site);
    Buffer& buffer = owned(queueIndex, tensor, "FreeTensor", site);
    if (buffer.state == BufferState::free || buffer.generation != tensor.generation) {
        report(Rule::queueState, "FreeTensor", site,
               text("the tensor of %s was freed before; its buffer is %s", nameOf(queue).c_str(),
                    stateOf(buffer).c_str()));
        return;
    }
    if (buffer.state == BufferState::enqueued) {
        report(Rule::queueState, "FreeTensor", site,
               text("the tensor of %s is %s", nameOf(queue).c_str(), stateOf(buffer).c_str()));
    }
    buffer.enter(BufferState::free, "FreeTensor", site);
    buffer.released = clocks_.token(queue.consumer);
}

void Buffers::awaitReleased(int queueIndex, Site site) {
    const Queue& queue = at(queueIndex, "FreeAllEvent", site);
    for (int index : queue.buffers) {
        if (buffer(index).released) clocks_.wait(queue.producer, *buffer(index).released);
    }
}

bool Buffers::hasIdle(int queueIndex, Site site) {
    for (int index : at(queueIndex, "HasIdleBuffer", site).buffers) {
        if (buffer(index).state == BufferState::free) return true;
    }
    return false;
}

void Buffers::checkReleased() {
    for (const Buffer& buffer : buffers_) {
        if (!buffer.alive || buffer.queue < 0 || buffer.state == BufferState::free) continue;
        report(Rule::queueLeak, "InitBuffer", buffer.site,
               text("at the end a tensor of %s is still %s",
                    nameOf(queues_[static_cast<size_t>(buffer.queue)]).c_str(), stateOf(buffer).c_str()));
    }
}

void Buffers::clear() {
    checkReleased();
    abandon();
}

void Buffers::abandon() {
    for (Buffer& buffer : buffers_) retire(buffer);
    if (bare_ >= 0) buffers_[static_cast<size_t>(bare_)].alive = true;
    for (Pool& pool : pools_) pool = Pool{0, 0, 0, 0, -1};
    top_ = 0;
}

Queue& Buffers::at(int index, const char* api, Site site) {
    calls_++;
    if (!queueAlive(index)) {
        fail(Rule::queueUninitialized, api, site, "the queue has no buffers: InitBuffer was not called");
    }
    return queues_[static_cast<size_t>(index)];
}

Buffer& Buffers::owned(int queueIndex, const LocalRef& tensor, const char* api, Site site) {
    const bool known = tensor.buffer >= 0 && tensor.buffer < static_cast<int>(buffers_.size());
    if (!known || buffers_[static_cast<size_t>(tensor.buffer)].queue != queueIndex) {
        fail(Rule::queueForeign, api, site,
             text("the tensor does not belong to %s", nameOf(queues_[static_cast<size_t>(queueIndex)]).c_str()));
    }
    return buffers_[static_cast<size_t>(tensor.buffer)];
}

void Buffers::take(const Queue& queue, Buffer& buffer, Site site) {
    if (buffer.released) clocks_.wait(queue.producer, *buffer.released);
    buffer.enter(BufferState::occupied, "AllocTensor", site);
    buffer.generation++;
    poison(buffer);
    int live = 0;
    for (const Buffer& other : buffers_) {
        live += other.alive && other.queue >= 0 && other.state != BufferState::free && positionOf(other) == queue.position;
    }
    if (live > maxLivePerPosition) {
        report(Rule::queueLiveLimit, "AllocTensor", site,
               text("%d tensors of the position %s are allocated; %d is the limit", live, queue.positionName,
                    maxLivePerPosition));
    }
}

/// Which queue of the core it is: number and position, and where it got its buffers.
std::string Buffers::nameOf(const Queue& queue) const {
    return text("queue %d (%s, InitBuffer at %s:%d)", queue.number, queue.positionName, queue.site.file,
                queue.site.line);
}

std::string Buffers::stateOf(const Buffer& buffer) const {
    return text("%s (%s at %s:%d)", stateName(buffer.state), buffer.api, buffer.since.file, buffer.since.line);
}

void Buffers::poison(const Buffer& buffer) {
    if (!keepsContent_) std::memset(memory_ + buffer.begin, 0xff, buffer.bytes);
    shadow_.undefine(Run{buffer.begin, buffer.begin + buffer.bytes});
}

void Buffers::report(Rule rule, const char* api, Site site, std::string message) {
    findings_.add(rule, api, site, core_, std::move(message));
}

void Buffers::fail(Rule rule, const char* api, Site site, std::string message) {
    report(rule, api, site, std::move(message));
    throw CoreAbort{};
}

}  // namespace emu
