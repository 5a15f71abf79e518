// TBufPool: buffers from a part of the unified buffer, which several pools may use in turns.
#pragma once

#include "api/pipe.h"

namespace AscendC {

/// A pool of at most `bufIDSize` buffers.
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
public:
    static_assert(pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC,
                  "TBufPool: a vector core has pools of the positions VECIN, VECOUT and VECCALC");
    static_assert(bufIDSize > 0 && bufIDSize <= 16, "TBufPool: a pool has 1 to 16 buffers");

    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    bool InitBuffer(TQueBind<src, dst, depth, mask>& queue, uint8_t num, uint32_t len, Site site = Site::here()) {
        queue.init(num, len, site, handle(site));
        return true;
    }
    template <TPosition bufferPos>
    bool InitBuffer(TBuf<bufferPos>& buffer, uint32_t len, Site site = Site::here()) {
        buffer.init(len, site, handle(site));
        return true;
    }

    template <typename Pool>
    bool InitBufPool(Pool& pool, uint32_t len, Site site = Site::here()) {
        pool.init(len, handle(site), site);
        return true;
    }
    template <typename Pool, typename Other>
    bool InitBufPool(Pool& pool, uint32_t len, Other& shared, Site site = Site::here()) {
        pool.share(len, shared.handle(site), site);
        return true;
    }

    /// Give back all buffers of the pool and wait for their last users.
    void Reset(Site site = Site::here()) { emu::currentBuffers().resetPool(handle(site), site); }

    void init(int64_t len, int parent, Site site) {
        pool_ = emu::currentBuffers().addPool(len, bufIDSize, parent, site);
    }
    void share(int64_t len, int other, Site site) {
        pool_ = emu::currentBuffers().sharePool(len, bufIDSize, other, site);
    }

    /// The pool's number; ends the core if InitBufPool was not called.
    int handle(Site site) const {
        if (!emu::currentBuffers().poolAlive(pool_)) {
            emu::Core::current().report(emu::Rule::queueUninitialized, "TBufPool", site, "InitBufPool was not called");
            throw emu::CoreAbort{};
        }
        return pool_;
    }

private:
    int pool_ = -1;
};

}  // namespace AscendC
