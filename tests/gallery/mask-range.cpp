// A mask of 128 elements is right for half; a repeat of floats has 64.
// GUARANTEE 14
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void mask_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 128);
    yGm.SetGlobalBuffer((__gm__ float*)y, 128);
    DataCopy(a, xGm, 128);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Muls(a, a, 3.0f, 64, 2, {1, 1, 8, 8});
#else
    Muls(a, a, 3.0f, 128, 1, {1, 1, 8, 8});  // FINDS mask-range
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 128);
}
