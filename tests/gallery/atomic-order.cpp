// All cores add floats to one place in any order: the last bits of the sum change from run to run.
// GUARANTEE 25
// LAUNCH x=192 y=64 cores=3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void atomic_order(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, zeroBuf, syncBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(zeroBuf, 64 * sizeof(float));
    pipe.InitBuffer(syncBuf, 4 * 32);
    LocalTensor<float> a = aBuf.Get<float>(), zero = zeroBuf.Get<float>();
    LocalTensor<int32_t> sync = syncBuf.Get<int32_t>();
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> turns;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    turns.SetGlobalBuffer((__gm__ int32_t*)workspace);
    InitDetermineComputeWorkspace(turns, sync);
    Duplicate(zero, 0.0f, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) DataCopy(yGm, zero, 64);
    SyncAll();
#ifdef MENDED
    WaitPreBlock(turns, sync);
#endif
    SetAtomicAdd<float>();
    DataCopy(yGm, a, 64);  // FINDS atomic-order
    SetAtomicNone();
#ifdef MENDED
    NotifyNextBlock(turns, sync);
#endif
}
