// int8 to half to float, times a scale, and to int32 with rounding to even.
#include "kernel_operator.h"
using namespace AscendC;

struct CastTiling {
    uint32_t count;
    float scale;
};

extern "C" __global__ __aicore__ void cast_chain(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 320;
    GET_TILING_DATA_WITH_STRUCT(CastTiling, data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> middleBuf, wideBuf;
    pipe.InitBuffer(in, 2, TILE * sizeof(int8_t));
    pipe.InitBuffer(out, 2, TILE * sizeof(int32_t));
    pipe.InitBuffer(middleBuf, TILE * sizeof(half));
    pipe.InitBuffer(wideBuf, TILE * sizeof(float));
    LocalTensor<half> middle = middleBuf.Get<half>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    GlobalTensor<int8_t> xGm;
    GlobalTensor<int32_t> zGm;
    xGm.SetGlobalBuffer((__gm__ int8_t*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ int32_t*)z, data.count);
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        LocalTensor<int8_t> a = in.AllocTensor<int8_t>();
        DataCopyPad(a, xGm[at], DataCopyExtParams(1, count, 0, 0, 0), {false, 0, 0, 0});
        in.EnQue(a);
        a = in.DeQue<int8_t>();
        LocalTensor<int32_t> b = out.AllocTensor<int32_t>();
        PipeBarrier<PIPE_V>();
        Cast(middle, a, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
        Cast(wide, middle, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
        Muls(wide, wide, data.scale, count);
        PipeBarrier<PIPE_V>();
        Cast(b, wide, RoundMode::CAST_RINT, count);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<int32_t>();
        DataCopyPad(zGm[at], b, DataCopyExtParams(1, count * sizeof(int32_t), 0, 0, 0));
        out.FreeTensor(b);
    }
}
