// A core without work returns before the barrier that all others wait at.
// GUARANTEE 7 24
// LAUNCH x=128 y=128 cores=3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_mismatch(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    const bool hasWork = GetBlockIdx() < 2;
#ifndef MENDED
    if (!hasWork) return;
#endif
    if (hasWork) DataCopy(a, xGm[GetBlockIdx() * 64], 64);
    SyncAll();  // FINDS sync-mismatch
    if (hasWork) DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
