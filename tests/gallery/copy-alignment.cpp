// DataCopy moves whole blocks of 32 bytes: two of these ten floats are not copied.
// GUARANTEE 2
// LAUNCH x=10 y=10
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy_alignment(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 10);
    yGm.SetGlobalBuffer((__gm__ float*)y, 10);
    DataCopyPad(a, xGm, {1, 10 * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
    PipeBarrier<PIPE_ALL>();
    Adds(a, a, 1.0f, 10);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    DataCopyPad(yGm, a, {1, 10 * sizeof(float), 0, 0, 0});
#else
    DataCopy(yGm, a, 10);  // FINDS copy-alignment
#endif
}
