// A sum is added to a buffer that was never set to zero.
// GUARANTEE 25
// LAUNCH x=256 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_uninitialized(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> inBuf, sumBuf;
    pipe.InitBuffer(inBuf, 256 * sizeof(float));
    pipe.InitBuffer(sumBuf, 64 * sizeof(float));
    LocalTensor<float> in = inBuf.Get<float>(), sum = sumBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(in, xGm, 256);
#ifdef MENDED
    Duplicate(sum, 0.0f, 64);
#endif
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < 4; i++) {
        Add(sum, sum, in[i * 64], 64);  // FINDS ub-uninitialized
        PipeBarrier<PIPE_V>();
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, sum, 64);
}
