// The loop waits for a flag in every round, the first included, when nobody has set it.
// GUARANTEE 7
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void event_wait_without_set(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
#endif
    for (uint32_t i = 0; i < 2; i++) {
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);  // FINDS event-wait-without-set
        DataCopy(a, xGm[i * 64], 64);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm[i * 64], a, 64);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
#ifdef MENDED
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
#endif
}
