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

/// One piece of the unified buffer. A plain buffer (`queue` < 0) is usable while it is alive.
struct Buffer {
    uint64_t begin;
    uint64_t bytes;
    int queue;
    Site site;
    int pool = -1;
    bool alive = true;
    BufferState state = BufferState::free;
    uint32_t generation = 0;
    std::optional<Clock> filled{};
    std::optional<Clock> released{};
    /// The queue call that brought the buffer into its state.
    const char* api = "InitBuffer";
    Site since{};

    void enter(BufferState next, const char* call, Site at) {
        state = next;
        api = call;
        since = at;
    }
};

/// One queue: the pipes it connects, its buffers, and those handed over and not yet taken.
struct Queue {
    pipe_t producer;
    pipe_t consumer;
    int position;
    int depth;
    const char* positionName;
    Site site{};
    int number = 0;
    bool alive = true;
    std::vector<int> buffers{};
    std::deque<int> pending{};
    size_t next = 0;
};

/// A range of the unified buffer that hands out buffers of its own. Pools that share a range are used in turns.
struct Pool {
    uint64_t begin;
    uint64_t end;
    uint64_t top;
    size_t maxBuffers;
    int parent;
};

/// The buffers and queues of one core. A call that would wait for ever ends the core. Indices stay unique: what was
/// given back is kept as dead.
class Buffers {
public:
    static constexpr size_t maxBuffers = 64;
    static constexpr int maxLivePerPosition = static_cast<int>(chip::maxEvents);

    Buffers(uint8_t* memory, UbShadow& shadow, Clocks& clocks, Findings& findings, int core, bool keepsContent)
        : memory_(memory), shadow_(shadow), clocks_(clocks), findings_(findings), core_(core),
          keepsContent_(keepsContent) {}

    const Buffer& buffer(int index) const { return buffers_[static_cast<size_t>(index)]; }

    /// Whether a buffer or a queue has been initialised and not given back since.
    bool bufferAlive(int index) const { return index >= 0 && buffer(index).alive; }
    bool queueAlive(int index) const { return index >= 0 && queues_[static_cast<size_t>(index)].alive; }

    bool poolAlive(int index) const { return index >= 0 && pools_[static_cast<size_t>(index)].end > 0; }

    /// The first byte that no buffer of the pipe takes.
    uint64_t top() const { return top_; }

    /// The largest number of bytes taken at one time, and of calls about queues so far.
    uint64_t peak() const { return peak_; }
    uint64_t calls() const { return calls_; }

    /// Take a buffer or the buffers of a queue from a pool, or (pool < 0) from the whole memory.
    int addBuffer(int64_t bytes, int queue, Site site, int pool = -1);
    int addQueue(Queue queue, int64_t count, int64_t bytes, Site site, int pool = -1);

    /// Take a pool of at most `maxBuffers` buffers from a parent, or the memory of another pool.
    int addPool(int64_t bytes, size_t maxBuffers, int parent, Site site);
    int sharePool(int64_t bytes, size_t maxBuffers, int with, Site site);

    /// Give back the buffers of a pool after they have been freed, and wait for their last users.
    void resetPool(int pool, Site site);

    /// The living buffer that holds a byte, -1 if there is none.
    int find(uint64_t address) const;

    /// All memory as one buffer, for tensors that a kernel places itself.
    int bare();

    int allocate(int queueIndex, Site site);
    /// Hand over and take a tensor, between the pipes of the queue or of a pair that the call names.
    void enqueue(int queueIndex, const LocalRef& tensor, Site site, std::optional<pipe_t> producer = std::nullopt);
    int dequeue(int queueIndex, Site site, std::optional<pipe_t> consumer = std::nullopt);
    void release(int queueIndex, const LocalRef& tensor, Site site);

    /// Wait until the last users of all free buffers of a queue have finished.
    void awaitReleased(int queueIndex, Site site);

    size_t pendingIn(int queueIndex, Site site) { return at(queueIndex, "GetTensorCountInQue", site).pending.size(); }
    int depthOf(int queueIndex, Site site) { return at(queueIndex, "VacantInQue", site).depth; }

    bool hasIdle(int queueIndex, Site site);
    void checkReleased();

    /// Give back everything, as the end of a pipe object does.
    void clear();
    void abandon();

private:
    Queue& at(int index, const char* api, Site site);
    Buffer& owned(int queueIndex, const LocalRef& tensor, const char* api, Site site);
    void take(const Queue& queue, Buffer& buffer, Site site);
    uint64_t place(uint64_t bytes, int pool, Site site);
    void retire(Buffer& buffer);

    std::string nameOf(const Queue& queue) const;
    std::string stateOf(const Buffer& buffer) const;
    int positionOf(const Buffer& buffer) const { return queues_[static_cast<size_t>(buffer.queue)].position; }

    void poison(const Buffer& buffer);
    void report(Rule rule, const char* api, Site site, std::string message);
    [[noreturn]] void fail(Rule rule, const char* api, Site site, std::string message);

    uint8_t* memory_;
    UbShadow& shadow_;
    Clocks& clocks_;
    Findings& findings_;
    int core_;
    /// Whether memory that is handed out anew holds what it held: pending instructions may still use it.
    bool keepsContent_;
    uint64_t top_ = 0;
    uint64_t peak_ = 0;
    uint64_t calls_ = 0;
    int bare_ = -1;
    std::vector<Buffer> buffers_;
    std::vector<Queue> queues_;
    std::vector<Pool> pools_;
};

}  // namespace emu
