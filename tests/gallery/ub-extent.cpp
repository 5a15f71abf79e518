// A row of 100 elements is rounded up to two repeats, but its buffer holds 104: the second repeat passes the end.
// GUARANTEE 2
// LAUNCH x=104 y=104
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_extent(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, 104 * sizeof(float));
    LocalTensor<float> row = rowBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 104);
    yGm.SetGlobalBuffer((__gm__ float*)y, 104);
    DataCopy(row, xGm, 104);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Adds(row, row, 1.0f, 104);
#else
    Adds(row, row, 1.0f, 64, 2, {1, 1, 8, 8});  // FINDS ub-extent
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, row, 104);
}
