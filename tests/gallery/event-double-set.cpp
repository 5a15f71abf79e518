// A flag is set for each of two tiles, and waited for once: setting a flag that is set says nothing.
// GUARANTEE 7
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void event_double_set(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
#ifndef MENDED
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
#endif
    DataCopy(a[64], xGm[64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);  // FINDS event-double-set
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 128);
}
