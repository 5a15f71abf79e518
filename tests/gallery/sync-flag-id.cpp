// Cross-core flag 11: kernels may use 0 to 10, the rest belongs to SyncAll and the framework.
// GUARANTEE 8
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_flag_id(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm[GetBlockIdx() * 64], 64);
#ifdef MENDED
    CrossCoreSetFlag<0, PIPE_MTE2>(10);
    CrossCoreWaitFlag(10);
#else
    CrossCoreSetFlag<0, PIPE_MTE2>(11);  // FINDS sync-flag-id
    CrossCoreWaitFlag(11);  // FINDS sync-flag-id
#endif
    DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
