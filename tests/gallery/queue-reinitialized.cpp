// InitBuffer stands inside of the loop: the second round takes new memory, until none is left.
// GUARANTEE 9
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_reinitialized(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));
#endif
    for (uint32_t i = 0; i < 2; i++) {
#ifndef MENDED
        pipe.InitBuffer(queue, 1, 64 * sizeof(float));  // FINDS queue-reinitialized
#endif
        LocalTensor<float> a = queue.AllocTensor<float>();
        DataCopy(a, xGm[i * 64], 64);
        queue.EnQue(a);
        a = queue.DeQue<float>();
        DataCopy(yGm[i * 64], a, 64);
        queue.FreeTensor(a);
    }
}
