// Each core stores its 20 elements as 24: the last four belong to the next core.
// GUARANTEE 2 11
// LAUNCH x=64 y=64 cores=3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_race(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t SHARE = 20, ROUNDED = 24;
    const uint32_t start = GetBlockIdx() * SHARE;
    const bool last = GetBlockIdx() + 1 == GetBlockNum();
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, ROUNDED * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, xGm[start], ROUNDED);
    PipeBarrier<PIPE_ALL>();
    Exp(a, a, ROUNDED);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    const auto bytes = static_cast<uint32_t>((last ? ROUNDED : SHARE) * sizeof(float));
    DataCopyPad(yGm[start], a, DataCopyExtParams(1, bytes, 0, 0, 0));
#else
    DataCopy(yGm[start], a, ROUNDED);  // FINDS gm-race
#endif
}
