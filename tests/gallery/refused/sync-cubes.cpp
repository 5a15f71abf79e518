// A vector kernel waits for matrix cores that do not run.
// GUARANTEE 7
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_cubes(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm[GetBlockIdx() * 64], 64);
#ifdef MENDED
    SyncAll<true>();
#else
    SyncAll<false>();  // REFUSED SyncAll
#endif
    DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
