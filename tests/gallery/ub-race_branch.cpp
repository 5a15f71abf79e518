// Only one of two paths to an instruction holds the barrier that both need.
// GUARANTEE 6
// LAUNCH x=64 y=64 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_race_branch(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 32 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 32, 32);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 32, 32);
    DataCopy(a, xGm, 32);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) {
        Relu(a, a, 32);
        PipeBarrier<PIPE_V>();
    } else {
        Abs(a, a, 32);
#ifdef MENDED
        PipeBarrier<PIPE_V>();
#endif
    }
    Sqrt(a, a, 32);  // FINDS ub-race
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 32);
}
