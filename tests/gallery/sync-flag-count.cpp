// A cross-core flag is set at the end of each round and waited for in all but one.
// GUARANTEE 7
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sync_flag_count(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t WAITS = 3;
#else
    constexpr uint32_t WAITS = 2;
#endif
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < 3; i++) {
        DataCopy(a, xGm[GetBlockIdx() * 64], 64);
        PipeBarrier<PIPE_ALL>();
        CrossCoreSetFlag<0, PIPE_MTE2>(3);  // FINDS sync-flag-count
        if (i < WAITS) CrossCoreWaitFlag(3);
    }
    DataCopy(yGm[GetBlockIdx() * 64], a, 64);
}
