// A barrier for the scalar pipe, which there is none of: the scalar unit executes in order anyway.
// GUARANTEE 6
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void barrier_scalar(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
#ifdef MENDED
    PipeBarrier<PIPE_ALL>();
#else
    PipeBarrier<PIPE_S>();  // REFUSED PipeBarrier
#endif
    DataCopy(yGm, a, 64);
}
