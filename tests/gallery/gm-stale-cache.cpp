// A counter is read twice by the scalar unit; the second time its cache still holds the old value.
// GUARANTEE 25
// LAUNCH x=16 y=16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_stale_cache(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float*)y, 16);
    Duplicate(a, 1.0f, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 16);
    PipeBarrier<PIPE_ALL>();
    const float before = yGm.GetValue(0);
    Adds(a, a, before, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 16);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
#endif
    const float after = yGm.GetValue(0);  // FINDS gm-stale-cache
    Adds(a, a, after, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 16);
}
