// 256 repeats in one instruction: the field has eight bits, and 256 becomes 0 there.
// GUARANTEE 14
// LAUNCH x=16384 y=16384
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void repeat_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t COUNT = 256 * 64;
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, COUNT * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y, COUNT);
    DataCopy(a, xGm, COUNT);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    for (uint32_t at = 0; at < COUNT; at += 128 * 64) Adds(a[at], a[at], 1.0f, 64, 128, {1, 1, 8, 8});
#else
    Adds(a, a, 1.0f, 64, COUNT / 64, {1, 1, 8, 8});  // FINDS repeat-range
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, COUNT);
}
