// z = x + y over any number of elements; the cores share them in whole blocks, the last tile may be short.
#include "kernel_operator.h"
using namespace AscendC;

struct AddTiling {
    uint32_t count;
};

class KernelAdd {
public:
    __aicore__ inline void Init(TPipe* pipe, GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count) {
        const uint32_t cores = GetBlockNum();
        const uint32_t share = ((count + cores - 1) / cores + BLOCK - 1) / BLOCK * BLOCK;
        begin_ = share * static_cast<uint32_t>(GetBlockIdx());
        end_ = begin_ + share < count ? begin_ + share : count;
        xGm_.SetGlobalBuffer((__gm__ half*)x, count);
        yGm_.SetGlobalBuffer((__gm__ half*)y, count);
        zGm_.SetGlobalBuffer((__gm__ half*)z, count);
        pipe->InitBuffer(xQueue_, 2, TILE * sizeof(half));
        pipe->InitBuffer(yQueue_, 2, TILE * sizeof(half));
        pipe->InitBuffer(zQueue_, 2, TILE * sizeof(half));
    }

    __aicore__ inline void Process() {
        for (uint32_t at = begin_; at < end_; at += TILE) {
            const uint32_t count = end_ - at < TILE ? end_ - at : TILE;
            CopyIn(at, count);
            Compute(count);
            CopyOut(at, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
        const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        const DataCopyPadExtParams<half> pad{false, 0, 0, 0};
        LocalTensor<half> x = xQueue_.AllocTensor<half>();
        LocalTensor<half> y = yQueue_.AllocTensor<half>();
        DataCopyPad(x, xGm_[at], copy, pad);
        DataCopyPad(y, yGm_[at], copy, pad);
        xQueue_.EnQue(x);
        yQueue_.EnQue(y);
    }

    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<half> x = xQueue_.DeQue<half>();
        LocalTensor<half> y = yQueue_.DeQue<half>();
        LocalTensor<half> z = zQueue_.AllocTensor<half>();
        Add(z, x, y, count);
        zQueue_.EnQue(z);
        xQueue_.FreeTensor(x);
        yQueue_.FreeTensor(y);
    }

    __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
        LocalTensor<half> z = zQueue_.DeQue<half>();
        DataCopyPad(zGm_[at], z, DataCopyExtParams(1, count * sizeof(half), 0, 0, 0));
        zQueue_.FreeTensor(z);
    }

    static constexpr uint32_t TILE = 256, BLOCK = 16;
    uint32_t begin_, end_;
    GlobalTensor<half> xGm_, yGm_, zGm_;
    TQue<TPosition::VECIN, 1> xQueue_, yQueue_;
    TQue<TPosition::VECOUT, 1> zQueue_;
};

extern "C" __global__ __aicore__ void add_tail(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(AddTiling, data, tiling);
    TPipe pipe;
    KernelAdd op;
    op.Init(&pipe, x, y, z, data.count);
    op.Process();
}
