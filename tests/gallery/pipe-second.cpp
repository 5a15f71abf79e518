// A second TPipe is made while the first is alive: both believe to own the whole unified buffer.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

static void pipe_second_copy(TPipe& pipe, GM_ADDR x, GM_ADDR y) {
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}

extern "C" __global__ __aicore__ void pipe_second(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe first;
    pipe_second_copy(first, x, y);
#ifdef MENDED
    first.Destroy();
#endif
    TPipe second;  // FINDS pipe-second
    pipe_second_copy(second, x, y);
}
