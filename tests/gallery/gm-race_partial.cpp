// The last core adds up what all cores have left in the workspace, without waiting for them.
// GUARANTEE 25
// LAUNCH x=256 y=64 cores=4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_race_partial(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t SHARE = 64;
    TPipe pipe;
    TBuf<> aBuf, sumBuf;
    pipe.InitBuffer(aBuf, SHARE * sizeof(float));
    pipe.InitBuffer(sumBuf, SHARE * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), sum = sumBuf.Get<float>();
    GlobalTensor<float> xGm, yGm, partial;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    partial.SetGlobalBuffer((__gm__ float*)workspace);
    Duplicate(sum, 0.0f, SHARE);
    DataCopy(a, xGm[GetBlockIdx() * SHARE], SHARE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(partial[GetBlockIdx() * SHARE], a, SHARE);
#ifdef MENDED
    SyncAll();
#endif
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() + 1 != GetBlockNum()) return;
    for (uint32_t i = 0; i < 4; i++) {
        DataCopy(a, partial[i * SHARE], SHARE);  // FINDS gm-race
        PipeBarrier<PIPE_ALL>();
        Add(sum, sum, a, SHARE);
        PipeBarrier<PIPE_ALL>();
    }
    DataCopy(yGm, sum, SHARE);
}
