// z = x where x > y, else a number: a comparison into bits, and a selection by them. The tail is filled up to the
// whole repeats that the comparison takes.
#include "kernel_operator.h"
using namespace AscendC;

struct SelectTiling {
    uint32_t count;
    float other;
};

extern "C" __global__ __aicore__ void masked_select(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 256;
    GET_TILING_DATA_WITH_STRUCT(SelectTiling, data, tiling);
    TPipe pipe;
    TBuf<> xBuf, yBuf, bitBuf;
    pipe.InitBuffer(xBuf, TILE * sizeof(float));
    pipe.InitBuffer(yBuf, TILE * sizeof(float));
    pipe.InitBuffer(bitBuf, TILE / 8);
    LocalTensor<float> a = xBuf.Get<float>(), b = yBuf.Get<float>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, data.count);
    Duplicate(a, 0.0f, TILE);
    Duplicate(b, 0.0f, TILE);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        const DataCopyPadExtParams<float> pad{true, 0, static_cast<uint8_t>((8 - count % 8) % 8), 0.0f};
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        DataCopyPad(a, xGm[at], copy, pad);
        DataCopyPad(b, yGm[at], copy, pad);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        PipeBarrier<PIPE_V>();
        Compare(bits, a, b, CMPMODE::GT, (count + 63) / 64 * 64);
        PipeBarrier<PIPE_V>();
        Select(a, bits, a, data.other, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopyPad(zGm[at], a, copy);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
}
