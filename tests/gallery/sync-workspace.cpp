// The barrier through memory counts in a workspace that nobody has set to zero.
// GUARANTEE 25
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_workspace(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, syncBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(syncBuf, 2 * 32);
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<int32_t> scratch = syncBuf.Get<int32_t>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    GlobalTensor<int32_t> counters;
    counters.SetGlobalBuffer((__gm__ int32_t*)workspace);
    DataCopy(a, xGm[GetBlockIdx() * 64], 64);
#ifdef MENDED
    if (GetBlockIdx() == 0) InitOutput<int32_t>(counters, 16, 0);
    SyncAll();
#endif
    SyncAll(counters, scratch);  // FINDS sync-workspace
    DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
