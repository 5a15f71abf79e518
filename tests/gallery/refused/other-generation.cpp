// Registers are used on a chip whose vector unit shows none to the programmer.
// GUARANTEE 18
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void other_generation(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    Abs(a, a, 64);
#else
    Reg::RegTensor<float> v;  // REFUSED register level
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}
