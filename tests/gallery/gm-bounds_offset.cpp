// The window of the first core would start eight elements before the tensor; in 32 bits -8 is four billion.
// GUARANTEE 12
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_bounds_offset(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t SHARE = 64, HALO = 8;
    const uint32_t start = GetBlockIdx() * SHARE;
    TPipe pipe;
    TBuf<> windowBuf;
    pipe.InitBuffer(windowBuf, (HALO + SHARE) * sizeof(float));
    LocalTensor<float> window = windowBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    Duplicate(window, 0.0f, HALO + SHARE);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    const uint32_t missing = start == 0 ? HALO : 0;
    DataCopy(window[missing], xGm[start + missing - HALO], HALO + SHARE - missing);
#else
    DataCopy(window, xGm[start - HALO], HALO + SHARE);  // FINDS gm-bounds
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm[start], window[HALO], SHARE);
}
