// A tensor is freed twice.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_state(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, xGm, 64);
    queue.EnQue(a);
    a = queue.DeQue<float>();
    DataCopy(yGm, a, 64);
    queue.FreeTensor(a);
#ifndef MENDED
    queue.FreeTensor(a);  // FINDS queue-state
#endif
}
