// FreeTensor is missing in the loop: the third round finds no free buffer and waits for ever.
// GUARANTEE 7
// LAUNCH x=192 y=192
// SAYS queue 1 (VECIN, InitBuffer at queue-no-free-buffer.cpp:12) is free
// SAYS the oldest is dequeued (DeQue at queue-no-free-buffer.cpp:20)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_no_free_buffer(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < 3; i++) {
        LocalTensor<float> a = queue.AllocTensor<float>();  // FINDS queue-no-free-buffer
        DataCopy(a, xGm[i * 64], 64);
        queue.EnQue(a);
        a = queue.DeQue<float>();
        DataCopy(yGm[i * 64], a, 64);
#ifdef MENDED
        queue.FreeTensor(a);
#endif
    }
}
