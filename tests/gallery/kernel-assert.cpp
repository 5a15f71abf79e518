// The kernel checks its own precondition, and it does not hold: 100 elements are no whole number of tiles.
// GUARANTEE 11
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void kernel_assert(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t COUNT = 128;
#else
    constexpr uint32_t COUNT = 100;
#endif
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    ascendc_assert(COUNT % 64 == 0, "count %u", COUNT);  // FINDS kernel-assert
    for (uint32_t at = 0; at < COUNT; at += 64) {
        DataCopy(a, xGm[at], 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(yGm[at], a, 64);
        PipeBarrier<PIPE_ALL>();
    }
}
