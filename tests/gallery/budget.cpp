// The loop never ends: its counter is taken back in every round.
// GUARANTEE 7
// LAUNCH x=128 y=128 budget=1000
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void budget(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t at = 0; at < 128; at += 64) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(a, xGm[at], 64);  // FINDS budget
        PipeBarrier<PIPE_ALL>();
#ifdef MENDED
        DataCopy(yGm[at], a, 64);
#else
        at = a.GetValue(at) < 0.0f ? at : at - 64;
#endif
    }
}
