// The result overwrites the input, which belongs to the caller.
// GUARANTEE 25
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_write_input(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    Relu(a, a, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    DataCopy(yGm, a, 64);
#else
    DataCopy(xGm, a, 64);  // FINDS gm-write-input
#endif
}
