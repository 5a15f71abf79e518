// There are more cores than work: what is left for the last core is a negative number of elements.
// GUARANTEE 24
// LAUNCH x=64 y=64 cores=4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void count_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr int32_t COUNT = 64, SHARE = 32;
    const int32_t start = static_cast<int32_t>(GetBlockIdx()) * SHARE;
    int32_t count = COUNT - start < SHARE ? COUNT - start : SHARE;
#ifdef MENDED
    if (count <= 0) return;
#endif
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, SHARE * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y, COUNT);
    Duplicate(a, 0.5f, SHARE);
    PipeBarrier<PIPE_V>();
    Adds(a, a, 1.0f, count);  // FINDS count-range
    PipeBarrier<PIPE_ALL>();
    if (count > 0) DataCopy(yGm[start], a, count);
}
