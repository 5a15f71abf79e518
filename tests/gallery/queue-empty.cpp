// DeQue waits for a tensor that was put into no queue.
// GUARANTEE 7
// LAUNCH x=64 y=64
// SAYS queue 1 (VECIN, InitBuffer at queue-empty.cpp:11)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_empty(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, xGm, 64);
#ifdef MENDED
    queue.EnQue(a);
#endif
    a = queue.DeQue<float>();  // FINDS queue-empty
    DataCopy(yGm, a, 64);
    queue.FreeTensor(a);
}
