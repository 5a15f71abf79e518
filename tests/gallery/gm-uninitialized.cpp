// The workspace is taken for zero; nobody has written it.
// GUARANTEE 25
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_uninitialized(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, sumBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(sumBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), sum = sumBuf.Get<float>();
    GlobalTensor<float> xGm, yGm, partial;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    partial.SetGlobalBuffer((__gm__ float*)workspace, 64);
#ifdef MENDED
    Duplicate(sum, 0.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(partial, sum, 64);
    PipeBarrier<PIPE_ALL>();
#endif
    DataCopy(a, xGm, 64);
    DataCopy(sum, partial, 64);  // FINDS gm-uninitialized
    PipeBarrier<PIPE_ALL>();
    Add(sum, sum, a, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, sum, 64);
}
