// TPipe, TQue, TQueBind and TBuf.
#pragma once

#include <exception>

#include "api/tensor.h"

namespace AscendC {

/// A queue of buffers between two pipes.
template <TPosition src, TPosition dst, int32_t queueDepth, auto mask = 0>
class TQueBind {
public:
    static_assert((src == TPosition::GM && dst == TPosition::VECIN) ||
                      (src == TPosition::VECOUT && dst == TPosition::GM) ||
                      (src == TPosition::VECIN && dst == TPosition::VECOUT),
                  "a vector core has the queues GM -> VECIN, VECOUT -> GM and VECIN -> VECOUT");
    static_assert(queueDepth > 0, "the in-place form of a queue (depth 0) is not modelled");

    static constexpr pipe_t producer = src == TPosition::VECOUT ? PIPE_V : PIPE_MTE2;
    static constexpr pipe_t consumer = dst == TPosition::VECIN ? PIPE_V : PIPE_MTE3;

    template <typename T>
    LocalTensor<T> AllocTensor(Site site = Site::here()) {
        return tensor<T>(buffers().allocate(queue_, site));
    }

    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, Site site = Site::here()) {
        buffers().enqueue(queue_, tensor.ref(), site);
        return true;
    }

    template <typename T>
    LocalTensor<T> DeQue(Site site = Site::here()) {
        return tensor<T>(buffers().dequeue(queue_, site));
    }

    template <typename T>
    void FreeTensor(LocalTensor<T>& tensor, Site site = Site::here()) {
        buffers().release(queue_, tensor.ref(), site);
    }

    bool VacantInQue(Site site = Site::here()) const {
        return static_cast<int>(buffers().pendingIn(queue_, site)) < buffers().depthOf(queue_, site);
    }
    bool HasTensorInQue(Site site = Site::here()) const { return buffers().pendingIn(queue_, site) > 0; }
    int32_t GetTensorCountInQue(Site site = Site::here()) const {
        return static_cast<int32_t>(buffers().pendingIn(queue_, site));
    }
    bool HasIdleBuffer(Site site = Site::here()) const { return buffers().hasIdle(queue_, site); }

private:
    friend class TPipe;

    static emu::Buffers& buffers() { return emu::Core::current().buffers; }

    template <typename T>
    static LocalTensor<T> tensor(int index) {
        const emu::Buffer& buffer = buffers().buffer(index);
        return LocalTensor<T>(
            emu::LocalRef{&emu::Core::current(), buffer.begin, buffer.bytes, index, buffer.generation});
    }

    int queue_ = -1;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<pos == TPosition::VECIN ? TPosition::GM : pos,
                             pos == TPosition::VECIN ? pos : TPosition::GM, depth, mask> {};

/// A plain buffer without any synchronisation.
template <TPosition pos = TPosition::VECCALC>
class TBuf {
public:
    static_assert(pos != TPosition::GM, "a buffer lies in the unified buffer");

    template <typename T>
    LocalTensor<T> Get(Site site = Site::here()) {
        return view<T>(0, bytes(site));
    }
    template <typename T>
    LocalTensor<T> Get(uint32_t count, Site site = Site::here()) {
        return GetWithOffset<T>(count, 0, site);
    }
    template <typename T>
    LocalTensor<T> GetWithOffset(uint32_t count, uint32_t offset, Site site = Site::here()) {
        const uint64_t wanted = uint64_t{count} * sizeof(T);
        if (offset + wanted > bytes(site)) {
            emu::Core::current().report(emu::Rule::ubExtent, "Get", site,
                                        emu::text("%llu bytes from byte %u on, of a buffer of %llu bytes",
                                                  (unsigned long long)wanted, offset,
                                                  (unsigned long long)bytes(site)));
        }
        return view<T>(offset, wanted);
    }

private:
    friend class TPipe;

    uint64_t bytes(Site site) const {
        if (buffer_ < 0) {
            emu::Core::current().report(emu::Rule::queueUninitialized, "Get", site, "InitBuffer was not called");
            throw emu::CoreAbort{};
        }
        return emu::Core::current().buffers.buffer(buffer_).bytes;
    }

    template <typename T>
    LocalTensor<T> view(uint64_t offset, uint64_t bytes) const {
        const emu::Buffer& buffer = emu::Core::current().buffers.buffer(buffer_);
        return LocalTensor<T>(
            emu::LocalRef{&emu::Core::current(), buffer.begin + offset, bytes, buffer_, buffer.generation});
    }

    int buffer_ = -1;
};

/// The owner of a core's unified buffer and event ids. One may live at a time.
class TPipe {
public:
    explicit TPipe(Site site = Site::here()) : site_(site) {
        emu::Core& core = emu::Core::current();
        if (core.pipeAlive) {
            core.report(emu::Rule::pipeSecond, "TPipe", site, "another TPipe is alive: the core hangs");
            throw emu::CoreAbort{};
        }
        core.pipeAlive = true;
        alive_ = true;
    }
    ~TPipe() {
        if (std::uncaught_exceptions() > 0) emu::Core::current().buffers.abandon();
        if (alive_) Destroy();
    }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    bool InitBuffer(TQueBind<src, dst, depth, mask>& queue, uint8_t num, uint32_t len, Site site = Site::here()) {
        using Bind = TQueBind<src, dst, depth, mask>;
        checkFresh(queue.queue_, site);
        const int position = static_cast<int>(src == TPosition::GM ? dst : src);
        queue.queue_ = emu::Core::current().buffers.addQueue(
            emu::Queue{Bind::producer, Bind::consumer, position, depth}, num, len, site);
        return true;
    }

    template <TPosition pos>
    bool InitBuffer(TBuf<pos>& buffer, uint32_t len, Site site = Site::here()) {
        checkFresh(buffer.buffer_, site);
        buffer.buffer_ = emu::Core::current().buffers.addBuffer(len, -1, site);
        return true;
    }

    template <HardEvent event>
    event_t AllocEventID(Site site = Site::here()) {
        return emu::Core::current().events.allocate(event, site);
    }
    event_t AllocEventID(HardEvent event, Site site = Site::here()) {
        return emu::Core::current().events.allocate(event, site);
    }
    template <HardEvent event>
    void ReleaseEventID(event_t id, Site site = Site::here()) {
        emu::Core::current().events.release(event, id, site);
    }
    template <HardEvent event>
    event_t FetchEventID(Site site = Site::here()) {
        return emu::Core::current().events.fetch(event, site);
    }
    event_t FetchEventID(HardEvent event, Site site = Site::here()) {
        return emu::Core::current().events.fetch(event, site);
    }

    /// Give back all buffers; InitBuffer may start again.
    void Reset() { emu::Core::current().buffers.clear(); }

    void Destroy() {
        emu::Core& core = emu::Core::current();
        core.clocks.barrier(PIPE_ALL);
        core.buffers.clear();
        core.pipeAlive = false;
        alive_ = false;
    }

private:
    static void checkFresh(int index, Site site) {
        if (index < 0) return;
        emu::Core::current().report(emu::Rule::queueReinitialized, "InitBuffer", site, "InitBuffer was called before");
    }

    Site site_;
    bool alive_ = false;
};

}  // namespace AscendC

