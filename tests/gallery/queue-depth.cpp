// Two tensors are put into a queue of depth 1.
// GUARANTEE 9
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_depth(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr int32_t DEPTH = 2;
#else
    constexpr int32_t DEPTH = 1;
#endif
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, DEPTH> queue;
    pipe.InitBuffer(queue, 2, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = queue.AllocTensor<float>(), b = queue.AllocTensor<float>();
    DataCopy(a, xGm, 64);
    DataCopy(b, xGm[64], 64);
    queue.EnQue(a);
    queue.EnQue(b);  // FINDS queue-depth
    for (uint32_t i = 0; i < 2; i++) {
        LocalTensor<float> next = queue.DeQue<float>();
        DataCopy(yGm[i * 64], next, 64);
        queue.FreeTensor(next);
    }
}
