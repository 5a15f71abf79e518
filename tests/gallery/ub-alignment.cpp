// The odd elements are reached by starting one element further: byte 4 is no multiple of 32.
// GUARANTEE 1
// LAUNCH x=256 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_alignment(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> inBuf, outBuf;
    pipe.InitBuffer(inBuf, 256 * sizeof(float));
    pipe.InitBuffer(outBuf, 64 * sizeof(float));
    LocalTensor<float> in = inBuf.Get<float>(), out = outBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(in, xGm, 256);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Muls(out, in[8], 2.0f, 64);
#else
    Muls(out, in[1], 2.0f, 64);  // FINDS ub-alignment
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, out, 64);
}
