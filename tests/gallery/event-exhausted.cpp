// An event id is taken in each of nine rounds, and never given back.
// GUARANTEE 8
// LAUNCH x=576 y=576
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void event_exhausted(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < 9; i++) {
        DataCopy(a, xGm[i * 64], 64);
        const TEventID id = pipe.AllocEventID<HardEvent::MTE2_MTE3>();  // FINDS event-exhausted
        SetFlag<HardEvent::MTE2_MTE3>(id);
        WaitFlag<HardEvent::MTE2_MTE3>(id);
#ifdef MENDED
        pipe.ReleaseEventID<HardEvent::MTE2_MTE3>(id);
#endif
        DataCopy(yGm[i * 64], a, 64);
        PipeBarrier<PIPE_ALL>();
    }
}
