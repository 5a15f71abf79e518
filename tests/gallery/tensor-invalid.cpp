// A tensor is used that was declared and never taken from a buffer.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void tensor_invalid(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), b;
#ifdef MENDED
    b = bBuf.Get<float>();
#endif
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, 2.0f, 64);
    PipeBarrier<PIPE_V>();
    Adds(b, a, 1.0f, 64);  // FINDS tensor-invalid
#ifdef MENDED
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
#endif
}
