// The output is never freed; the finding stands where the queue got its memory.
// GUARANTEE 9
// LAUNCH x=64 y=64
// SAYS queue 1 (VECIN, InitBuffer at queue-leak.cpp:11) is still dequeued (DeQue at queue-leak.cpp:18)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_leak(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));  // FINDS queue-leak
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, xGm, 64);
    queue.EnQue(a);
    a = queue.DeQue<float>();
    DataCopy(yGm, a, 64);
#ifdef MENDED
    queue.FreeTensor(a);
#endif
}
