// Scalar stores stay in the core's cache: without a clean nobody else ever sees them.
// GUARANTEE 25
// LAUNCH x=16 y=16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_dirty_cache(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 16);
    yGm.SetGlobalBuffer((__gm__ float*)y, 16);
    for (uint32_t i = 0; i < 16; i++) {
        yGm.SetValue(i, xGm.GetValue(15 - i));  // FINDS gm-dirty-cache
    }
#ifdef MENDED
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
#endif
}
