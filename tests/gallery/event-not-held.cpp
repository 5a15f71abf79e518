// An id from FetchEventID is not held, so it must not be released.
// GUARANTEE 8
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void event_not_held(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
#ifdef MENDED
    const TEventID id = pipe.AllocEventID<HardEvent::MTE2_MTE3>();
#else
    const TEventID id = pipe.FetchEventID<HardEvent::MTE2_MTE3>();
#endif
    SetFlag<HardEvent::MTE2_MTE3>(id);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    pipe.ReleaseEventID<HardEvent::MTE2_MTE3>(id);  // FINDS event-not-held
    DataCopy(yGm, a, 64);
}
