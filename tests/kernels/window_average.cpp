// The average of each element and its neighbours; beyond the ends are zeros. Shifted operands would not be aligned, so
// the tile is loaded three times, and padded at the ends.
#include "kernel_operator.h"
using namespace AscendC;

namespace window {

constexpr uint32_t TILE = 128;

/// Load the tile shifted by -1, 0 or 1.
__aicore__ inline void Load(const LocalTensor<float>& to, const GlobalTensor<float>& from, uint32_t at, uint32_t count,
                            uint32_t total, int32_t shift) {
    const bool left = shift < 0 && at == 0;
    const bool right = shift > 0 && at + count == total;
    const uint32_t loaded = count - left - right;
    if (loaded == 0) {
        Duplicate(to, 0.0f, 8);
        return;
    }
    const int64_t start = int64_t{at} + shift + left;
    DataCopyPad(to, from[start], DataCopyExtParams(1, loaded * sizeof(float), 0, 0, 0),
                {left || right, left, right, 0.0f});
}

}  // namespace window

extern "C" __global__ __aicore__ void window_average(GM_ADDR x, GM_ADDR z, uint32_t total) {
    using window::TILE;
    TPipe pipe;
    TBuf<> bufs[3];
    TQue<TPosition::VECOUT, 1> out;
    for (TBuf<>& buf : bufs) pipe.InitBuffer(buf, (TILE + 8) * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, total);
    zGm.SetGlobalBuffer((__gm__ float*)z, total);
    for (uint32_t at = GetBlockIdx() * TILE; at < total; at += GetBlockNum() * TILE) {
        const uint32_t count = total - at < TILE ? total - at : TILE;
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
        PipeBarrier<PIPE_V>();
        for (int32_t i = 0; i < 3; i++) window::Load(bufs[i].Get<float>(), xGm, at, count, total, i - 1);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        LocalTensor<float> sum = out.AllocTensor<float>();
        PipeBarrier<PIPE_V>();
        Add(sum, bufs[0].Get<float>(), bufs[1].Get<float>(), count);
        PipeBarrier<PIPE_V>();
        Add(sum, sum, bufs[2].Get<float>(), count);
        PipeBarrier<PIPE_V>();
        Muls(sum, sum, 1.0f / 3.0f, count);
        out.EnQue(sum);
        sum = out.DeQue<float>();
        DataCopyPad(zGm[at], sum, DataCopyExtParams(1, count * sizeof(float), 0, 0, 0));
        out.FreeTensor(sum);
    }
}
