// A shift by one block inside one buffer: the second repeat reads what the first has written.
// GUARANTEE 15
// LAUNCH x=136 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_overlap(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 136 * sizeof(float));
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 136);
    yGm.SetGlobalBuffer((__gm__ float*)y, 128);
    DataCopy(a, xGm, 136);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Adds(b, a, 1.0f, 128);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 128);
#else
    Adds(a[8], a, 1.0f, 128);  // FINDS ub-overlap
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a[8], 128);
#endif
}
