// A plain copy with two buffers: the next tile is loaded before the one at hand is stored.
#include "kernel_operator.h"
using namespace AscendC;

struct CopyTiling {
    uint32_t count;
};

class KernelCopy {
public:
    __aicore__ inline void Init(TPipe* pipe, GM_ADDR x, GM_ADDR z, uint32_t count) {
        count_ = count;
        xGm_.SetGlobalBuffer((__gm__ int32_t*)x, count);
        zGm_.SetGlobalBuffer((__gm__ int32_t*)z, count);
        pipe->InitBuffer(queue_, 2, TILE * sizeof(int32_t));
    }

    __aicore__ inline void Process() {
        const uint32_t step = GetBlockNum() * TILE;
        uint32_t at = GetBlockIdx() * TILE;
        if (at >= count_) return;
        Load(at);
        for (; at < count_; at += step) {
            if (at + step < count_) Load(at + step);
            Store(at);
        }
    }

private:
    __aicore__ inline DataCopyExtParams Blocks(uint32_t at) const {
        const uint32_t count = count_ - at < TILE ? count_ - at : TILE;
        return DataCopyExtParams(1, count * sizeof(int32_t), 0, 0, 0);
    }

    __aicore__ inline void Load(uint32_t at) {
        LocalTensor<int32_t> tile = queue_.AllocTensor<int32_t>();
        DataCopyPad(tile, xGm_[at], Blocks(at), {false, 0, 0, 0});
        queue_.EnQue(tile);
    }

    __aicore__ inline void Store(uint32_t at) {
        LocalTensor<int32_t> tile = queue_.DeQue<int32_t>();
        DataCopyPad(zGm_[at], tile, Blocks(at));
        queue_.FreeTensor(tile);
    }

    static constexpr uint32_t TILE = 192;
    uint32_t count_;
    GlobalTensor<int32_t> xGm_, zGm_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue_;
};

extern "C" __global__ __aicore__ void copy_two_buffers(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(CopyTiling, data, tiling);
    TPipe pipe;
    KernelCopy op;
    op.Init(&pipe, x, z, data.count);
    op.Process();
}
