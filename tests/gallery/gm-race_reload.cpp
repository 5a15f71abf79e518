// A tile is stored and loaded again; one pipe stores, another one loads, and nothing orders the two.
// GUARANTEE 6
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_race_reload(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    GlobalTensor<float> xGm, yGm, scratch;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    scratch.SetGlobalBuffer((__gm__ float*)workspace);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(scratch, a, 64);
#ifdef MENDED
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
#endif
    DataCopy(b, scratch, 64);  // FINDS gm-race
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
}
