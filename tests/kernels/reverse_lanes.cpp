// The elements in reverse order, within tiles by Gather with descending byte offsets.
#include "kernel_operator.h"
using namespace AscendC;

struct ReverseTiling {
    uint32_t count;
};

extern "C" __global__ __aicore__ void reverse_lanes(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 128;
    GET_TILING_DATA_WITH_STRUCT(ReverseTiling, data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> placeBuf, offsetBuf;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    pipe.InitBuffer(placeBuf, TILE * sizeof(int32_t));
    pipe.InitBuffer(offsetBuf, TILE * sizeof(int32_t));
    LocalTensor<int32_t> place = placeBuf.Get<int32_t>(), offset = offsetBuf.Get<int32_t>();
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, data.count);
    constexpr auto size = static_cast<int32_t>(sizeof(float));
    CreateVecIndex(place, 0, TILE);
    PipeBarrier<PIPE_V>();
    Muls(place, place, -size, TILE);
    PipeBarrier<PIPE_V>();
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopyPad(a, xGm[data.count - at - count], copy, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        PipeBarrier<PIPE_V>();
        Adds(offset, place, static_cast<int32_t>(count - 1) * size, count);
        PipeBarrier<PIPE_V>();
        Gather(b, a, offset.ReinterpretCast<uint32_t>(), 0, count);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopyPad(zGm[at], b, copy);
        out.FreeTensor(b);
    }
}
