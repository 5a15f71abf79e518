// A vector instruction uses the result of the one before without a barrier, which chips of this generation need.
// GUARANTEE 6
// LAUNCH x=256 y=256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_race_vector(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 256 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 256);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, xGm, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(a, a, 0.5f, 256);
#ifdef MENDED
    PipeBarrier<PIPE_V>();
#endif
    Adds(a, a, 1.0f, 256);  // FINDS ub-race
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 256);
    queue.EnQue(a);
    a = queue.DeQue<float>();
    queue.FreeTensor(a);
}
