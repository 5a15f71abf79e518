// A queue is used that InitBuffer was never called for.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_uninitialized(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
#ifdef MENDED
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));
#endif
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = queue.AllocTensor<float>();  // FINDS queue-uninitialized
    DataCopy(a, xGm, 64);
    queue.EnQue(a);
    a = queue.DeQue<float>();
    DataCopy(yGm, a, 64);
    queue.FreeTensor(a);
}
