// y = relu(y + a x) in place, with Axpy on the tile that is read and written.
#include "kernel_operator.h"
using namespace AscendC;

struct AxpyTiling {
    uint32_t count;
    float a;
};

extern "C" __global__ __aicore__ void axpy_relu(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    constexpr uint32_t TILE = 512;
    GET_TILING_DATA_WITH_STRUCT(AxpyTiling, data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> both;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(both, 2, TILE * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = in.AllocTensor<float>();
        LocalTensor<float> b = both.AllocTensor<float>();
        DataCopyPad(b, yGm[at], copy, {false, 0, 0, 0.0f});
        DataCopyPad(a, xGm[at], copy, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        Axpy(b, a, data.a, count);
        PipeBarrier<PIPE_V>();
        Relu(b, b, count);
        in.FreeTensor(a);
        both.EnQue<TPosition::VECOUT, TPosition::GM>(b);
        b = both.DeQue<TPosition::VECOUT, TPosition::GM, float>();
        DataCopyPad(yGm[at], b, copy);
        both.FreeTensor(b);
    }
}
