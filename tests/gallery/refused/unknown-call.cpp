// A call that the emulator does not model is no guess but an error.
// GUARANTEE 21
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void unknown_call(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Exp(a, a, 64);
#else
    FastSigmoid(a, a, 64);  // REFUSED FastSigmoid
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}
