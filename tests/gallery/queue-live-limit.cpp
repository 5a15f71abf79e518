// Nine tensors of one position are held at once; each needs an event, and there are eight.
// GUARANTEE 8
// LAUNCH x=72 y=72
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_live_limit(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t HELD = 3;
#else
    constexpr uint32_t HELD = 9;
#endif
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, HELD> queue;
    pipe.InitBuffer(queue, HELD, 8 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t at = 0; at < 9; at += HELD) {
        for (uint32_t i = 0; i < HELD; i++) {
            LocalTensor<float> a = queue.AllocTensor<float>();  // FINDS queue-live-limit
            DataCopy(a, xGm[(at + i) * 8], 8);
            queue.EnQue(a);
        }
        for (uint32_t i = 0; i < HELD; i++) {
            LocalTensor<float> a = queue.DeQue<float>();
            DataCopy(yGm[(at + i) * 8], a, 8);
            queue.FreeTensor(a);
        }
    }
}
