// Integers are divided on the vector unit, which divides floats only.
// GUARANTEE 10
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void div_int32(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<int32_t> whole = a.ReinterpretCast<int32_t>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    ShiftRight(whole, whole, 1, 64);
#else
    LocalTensor<int32_t> two = whole;
    Div(whole, whole, two, 64);  // REFUSED Div
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}
