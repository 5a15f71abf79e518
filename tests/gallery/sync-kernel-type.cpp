// A barrier over all cores in a kernel that is declared to have vector cores only, which start one after another.
// GUARANTEE 7
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_kernel_type(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
#endif
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm[GetBlockIdx() * 64], 64);
    SyncAll();  // FINDS sync-kernel-type
    DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
