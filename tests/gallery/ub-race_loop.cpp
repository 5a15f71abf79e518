// The next tile is loaded over the one that the vector unit may still read: the way back around the loop has no flag.
// GUARANTEE 6
// LAUNCH x=256 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_race_loop(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t TILE = 64, TILES = 4;
    TPipe pipe;
    TBuf<> tileBuf, sumBuf;
    pipe.InitBuffer(tileBuf, TILE * sizeof(float));
    pipe.InitBuffer(sumBuf, TILE * sizeof(float));
    LocalTensor<float> tile = tileBuf.Get<float>(), sum = sumBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, TILE * TILES);
    yGm.SetGlobalBuffer((__gm__ float*)y, TILE);
    Duplicate(sum, 0.0f, TILE);
    for (uint32_t i = 0; i < TILES; i++) {
#ifdef MENDED
        if (i > 0) WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
#endif
        DataCopy(tile, xGm[i * TILE], TILE);  // FINDS ub-race
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        PipeBarrier<PIPE_V>();
        Add(sum, sum, tile, TILE);
#ifdef MENDED
        if (i + 1 < TILES) SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
#endif
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, sum, TILE);
}
