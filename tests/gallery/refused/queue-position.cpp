// A queue in the matrix core's memory, in a vector kernel.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_position(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
#ifdef MENDED
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
#else
    TQueBind<TPosition::A1, TPosition::A2, 1> queue;  // REFUSED TQueBind
#endif
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
}
