// Five floats are to be padded to 16: a copy adds 32 bytes at most on each side, eight floats.
// GUARANTEE 2
// LAUNCH x=5 y=16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy_padding(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 5);
    yGm.SetGlobalBuffer((__gm__ float*)y, 16);
#ifdef MENDED
    Duplicate(a[8], 0.0f, 8);
    DataCopyPad(a, xGm, {1, 5 * sizeof(float), 0, 0, 0}, {true, 0, 3, 0.0f});
#else
    Duplicate(a, 0.0f, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(a, xGm, {1, 5 * sizeof(float), 0, 0, 0}, {true, 0, 11, 0.0f});  // FINDS copy-padding
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 16);
}
