// Two cores store one element each into the same cache line: whoever cleans last wipes out the other's.
// GUARANTEE 25
// LAUNCH x=2 y=2 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_shared_line(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 2);
    yGm.SetGlobalBuffer((__gm__ float*)y, 2);
#ifdef MENDED
    if (GetBlockIdx() != 0) return;
    yGm.SetValue(0, xGm.GetValue(0));
    yGm.SetValue(1, xGm.GetValue(1));
#else
    yGm.SetValue(GetBlockIdx(), xGm.GetValue(GetBlockIdx()));
    SyncAll();
#endif
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);  // FINDS gm-shared-line
}
