// The result is stored while the vector unit may still work on it: nothing orders the vector pipe and MTE3.
// GUARANTEE 6
// LAUNCH x=256 y=256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_race(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> inBuf, outBuf;
    pipe.InitBuffer(inBuf, 256 * sizeof(float));
    pipe.InitBuffer(outBuf, 256 * sizeof(float));
    LocalTensor<float> in = inBuf.Get<float>(), out = outBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 256);
    DataCopy(in, xGm, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Exp(out, in, 256);
#ifdef MENDED
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
#endif
    DataCopy(yGm, out, 256);  // FINDS ub-race
}
