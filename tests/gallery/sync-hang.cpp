// A core waits for the flag of its neighbour, and the last one has none: nobody sets its flag.
// GUARANTEE 7
// LAUNCH x=192 y=192 cores=3 workspace=zeros
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_hang(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, flagBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(flagBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<int32_t> scratch = flagBuf.Get<int32_t>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    GlobalTensor<int32_t> flags;
    flags.SetGlobalBuffer((__gm__ int32_t*)workspace);
    const int32_t me = static_cast<int32_t>(GetBlockIdx());
    DataCopy(a, xGm[me * 64], 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    const bool waits = me + 1 < GetBlockNum();
#else
    const bool waits = true;
#endif
    if (waits) IBWait(flags, scratch, me, 0);  // FINDS sync-hang
    DataCopy(yGm[me * 64], a, 64);
    if (me > 0) IBSet(flags, scratch, me - 1, 0);
}
