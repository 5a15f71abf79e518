// Event 8 of a pair of pipes; there are eight, from 0 to 7.
// GUARANTEE 8
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void event_id(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
#ifdef MENDED
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID7);
#else
    SetFlag<HardEvent::MTE2_MTE3>(8);  // FINDS event-id
    PipeBarrier<PIPE_ALL>();
#endif
    DataCopy(yGm, a, 64);
}
