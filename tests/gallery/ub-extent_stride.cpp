// A repeat stride of 9 blocks walks out of a tensor of 8 blocks a repeat.
// GUARANTEE 15
// LAUNCH x=256 y=256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_extent_stride(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 256 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 256);
    DataCopy(a, xGm, 256);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Add(a, a, a, 64, 4, {1, 1, 1, 8, 8, 8});
#else
    Add(a, a, a, 64, 4, {1, 1, 1, 8, 8, 9});  // FINDS ub-extent
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 256);
}
