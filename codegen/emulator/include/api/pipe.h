// TPipe, TQue, TQueBind and TBuf.
#pragma once

#include <exception>

#include "api/tensor.h"

namespace emu {

inline Buffers& currentBuffers() { return Core::current().buffers; }

/// A tensor over a whole buffer.
template <typename T>
AscendC::LocalTensor<T> bufferTensor(int index, AscendC::TPosition position) {
    const Buffer& buffer = currentBuffers().buffer(index);
    return AscendC::LocalTensor<T>(LocalRef{&Core::current(), buffer.begin, buffer.bytes, index, buffer.generation,
                                            static_cast<int>(position)});
}

constexpr const char* positionName(AscendC::TPosition position) {
    using AscendC::TPosition;
    return position == TPosition::VECIN ? "VECIN" : position == TPosition::VECOUT ? "VECOUT" : "VECCALC";
}

/// The pipe that fills a place, and the pipe that empties it.
constexpr pipe_t producerOf(AscendC::TPosition src) { return src == AscendC::TPosition::VECOUT ? PIPE_V : PIPE_MTE2; }
constexpr pipe_t consumerOf(AscendC::TPosition dst) { return dst == AscendC::TPosition::VECIN ? PIPE_V : PIPE_MTE3; }

constexpr bool isVectorQueue(AscendC::TPosition src, AscendC::TPosition dst) {
    using AscendC::TPosition;
    const bool out = dst == TPosition::GM || dst == TPosition::VECOUT;
    return (src == TPosition::GM && dst == TPosition::VECIN) || (src == TPosition::VECOUT && dst == TPosition::GM) ||
           (src == TPosition::VECIN && out) || (src == TPosition::VECCALC && dst == TPosition::GM);
}

}  // namespace emu

namespace AscendC {

/// A queue of buffers between two pipes. Depth 0 fills tensors that the caller holds.
template <TPosition src, TPosition dst, int32_t queueDepth, auto mask = 0>
class TQueBind {
public:
    static_assert(emu::isVectorQueue(src, dst),
                  "TQueBind: a vector core has the queues GM -> VECIN, VECOUT -> GM and VECIN -> VECOUT");

    static constexpr pipe_t producer = emu::producerOf(src);
    static constexpr pipe_t consumer = emu::consumerOf(dst);
    static constexpr TPosition position = src == TPosition::GM ? dst : src;

    template <typename T>
    LocalTensor<T> AllocTensor(Site site = Site::here()) {
        static_assert(queueDepth > 0, "AllocTensor: a queue of depth 0 takes the tensor as an argument");
        return emu::bufferTensor<T>(buffers().allocate(queue_, site), position);
    }
    template <typename T>
    void AllocTensor(LocalTensor<T>& tensor, Site site = Site::here()) {
        static_assert(queueDepth == 0, "AllocTensor: only a queue of depth 0 takes the tensor as an argument");
        tensor = emu::bufferTensor<T>(buffers().allocate(queue_, site), position);
    }

    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, Site site = Site::here()) {
        buffers().enqueue(queue_, tensor.ref(), site);
        return true;
    }
    /// Hand over between the pipes of another pair of positions.
    template <TPosition srcUser, TPosition dstUser, typename T>
    bool EnQue(const LocalTensor<T>& tensor, Site site = Site::here()) {
        static_assert(srcUser != TPosition::GM || dstUser != TPosition::GM, "EnQue: GM to GM is no path");
        buffers().enqueue(queue_, tensor.ref(), site, emu::producerOf(srcUser));
        return true;
    }

    template <typename T>
    LocalTensor<T> DeQue(Site site = Site::here()) {
        static_assert(queueDepth > 0, "DeQue: a queue of depth 0 takes the tensor as an argument");
        return emu::bufferTensor<T>(buffers().dequeue(queue_, site), position);
    }
    template <typename T>
    void DeQue(LocalTensor<T>& tensor, Site site = Site::here()) {
        static_assert(queueDepth == 0, "DeQue: only a queue of depth 0 takes the tensor as an argument");
        tensor = emu::bufferTensor<T>(buffers().dequeue(queue_, site), position);
    }
    template <TPosition srcUser, TPosition dstUser, typename T>
    LocalTensor<T> DeQue(Site site = Site::here()) {
        static_assert(srcUser != TPosition::GM || dstUser != TPosition::GM, "DeQue: GM to GM is no path");
        return emu::bufferTensor<T>(buffers().dequeue(queue_, site, emu::consumerOf(dstUser)), position);
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

    /// Wait until nothing uses the freed buffers any more.
    void FreeAllEvent(Site site = Site::here()) { buffers().awaitReleased(queue_, site); }

    /// Take `num` buffers of `len` bytes from a pool, or (pool < 0) from the whole memory.
    void init(int64_t num, int64_t len, Site site, int pool) {
        emu::Core& core = emu::Core::current();
        if (buffers().queueAlive(queue_)) {
            core.report(emu::Rule::queueReinitialized, "InitBuffer", site, "InitBuffer was called before");
        }
        const emu::Queue queue{producer, consumer, static_cast<int>(position), queueDepth,
                               emu::positionName(position)};
        queue_ = buffers().addQueue(queue, num, len, site, pool);
    }

private:
    static emu::Buffers& buffers() { return emu::currentBuffers(); }

    int queue_ = -1;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<pos == TPosition::VECIN ? TPosition::GM : pos,
                             pos == TPosition::VECIN ? pos : TPosition::GM, depth, mask> {
    static_assert(pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC,
                  "TQue: a vector core has queues of the positions VECIN, VECOUT and VECCALC");
};

/// A plain buffer without any synchronisation.
template <TPosition pos = TPosition::LCM>
class TBuf {
public:
    static_assert(pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC,
                  "TBuf: a vector core has buffers of the positions VECIN, VECOUT and VECCALC");

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
        const uint64_t wanted = emu::bytesOf<T>(count);
        if (offset + wanted > bytes(site)) {
            emu::Core::current().report(emu::Rule::ubExtent, "Get", site,
                                        emu::text("%llu bytes from byte %u on, of a buffer of %llu bytes",
                                                  (unsigned long long)wanted, offset,
                                                  (unsigned long long)bytes(site)));
        }
        return view<T>(offset, wanted);
    }

    /// The names of a queue: the whole buffer, without any waiting.
    template <typename T>
    LocalTensor<T> AllocTensor(Site site = Site::here()) {
        return Get<T>(site);
    }
    template <typename T>
    void FreeTensor(const LocalTensor<T>&) {}

    void init(int64_t len, Site site, int pool) {
        emu::Core& core = emu::Core::current();
        if (core.buffers.bufferAlive(buffer_)) {
            core.report(emu::Rule::queueReinitialized, "InitBuffer", site, "InitBuffer was called before");
        }
        buffer_ = core.buffers.addBuffer(len, -1, site, pool);
    }

private:
    uint64_t bytes(Site site) const {
        emu::Core& core = emu::Core::current();
        if (!core.buffers.bufferAlive(buffer_)) {
            core.report(emu::Rule::queueUninitialized, "Get", site, "InitBuffer was not called");
            throw emu::CoreAbort{};
        }
        return core.buffers.buffer(buffer_).bytes;
    }

    template <typename T>
    LocalTensor<T> view(uint64_t offset, uint64_t bytes) const {
        emu::LocalRef ref = emu::bufferTensor<T>(buffer_, pos).ref();
        ref.address += offset;
        ref.bytes = bytes;
        return LocalTensor<T>(ref);
    }

    int buffer_ = -1;
};

/// The owner of a core's unified buffer and event ids. One may live at a time.
class TPipe {
public:
    explicit TPipe(Site site = Site::here()) { Init(site); }
    ~TPipe() {
        if (std::uncaught_exceptions() > 0) emu::currentBuffers().abandon();
        if (alive_) Destroy();
    }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    /// Make this the live pipe object, as the constructor does; needed again after Destroy.
    void Init(Site site = Site::here()) {
        emu::Core& core = emu::Core::current();
        if (core.registers.pipe != nullptr) {
            core.report(emu::Rule::pipeSecond, "TPipe", site, "another TPipe is alive: the core hangs");
            throw emu::CoreAbort{};
        }
        core.registers.pipe = this;
        alive_ = true;
    }

    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    bool InitBuffer(TQueBind<src, dst, depth, mask>& queue, uint8_t num, uint32_t len, Site site = Site::here()) {
        queue.init(num, len, site, -1);
        return true;
    }
    template <TPosition pos>
    bool InitBuffer(TBuf<pos>& buffer, uint32_t len, Site site = Site::here()) {
        buffer.init(len, site, -1);
        return true;
    }

    /// Give a pool memory of its own, or that of another pool.
    template <typename Pool>
    bool InitBufPool(Pool& pool, uint32_t len, Site site = Site::here()) {
        pool.init(len, -1, site);
        return true;
    }
    template <typename Pool, typename Other>
    bool InitBufPool(Pool& pool, uint32_t len, Other& shared, Site site = Site::here()) {
        pool.share(len, shared.handle(site), site);
        return true;
    }

    template <HardEvent event>
    TEventID AllocEventID(Site site = Site::here()) {
        return emu::Core::current().events.allocate(event, site);
    }
    TEventID AllocEventID(HardEvent event, Site site = Site::here()) {
        return emu::Core::current().events.allocate(event, site);
    }
    template <HardEvent event>
    void ReleaseEventID(TEventID id, Site site = Site::here()) {
        emu::Core::current().events.release(event, id, site);
    }
    template <HardEvent event>
    TEventID FetchEventID(Site site = Site::here()) {
        return emu::Core::current().events.fetch(event, site);
    }
    TEventID FetchEventID(HardEvent event, Site site = Site::here()) {
        return emu::Core::current().events.fetch(event, site);
    }

    /// The first address of a position as a number.
    template <TPosition pos>
    uint64_t GetBaseAddr() const { return reinterpret_cast<uint64_t>(emu::Core::current().ub); }
    uint64_t GetBaseAddr(int8_t) const { return reinterpret_cast<uint64_t>(emu::Core::current().ub); }

    /// Give back all buffers; InitBuffer may start again.
    void Reset() { emu::currentBuffers().clear(); }

    void Destroy() {
        emu::Core::current().barrier(PIPE_ALL, "end of TPipe");
        DestroyWithoutPipeAll();
    }

    /// Give up memory and ids without waiting for the pipes.
    void DestroyWithoutPipeAll() {
        emu::currentBuffers().clear();
        emu::Core::current().registers.pipe = nullptr;
        alive_ = false;
    }

private:
    bool alive_ = false;
};

/// The live pipe object of the core.
inline TPipe* GetTPipePtr() { return static_cast<TPipe*>(emu::Core::current().registers.pipe); }

/// All memory that no InitBuffer has taken, as one tensor.
template <typename T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& popLocal, Site site = Site::here()) {
    const uint64_t top = emu::currentBuffers().top();
    popLocal = LocalTensor<T>(emu::placedRef(pos, top, emu::chip::ubBytes - top, site));
    return true;
}

}  // namespace AscendC

// Kernels also name it without the namespace.
using AscendC::GetTPipePtr;
