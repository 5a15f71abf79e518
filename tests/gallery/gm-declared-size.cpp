// Each core declares its own share of the tensor, and one of them reads into the share of the next.
// GUARANTEE 2
// LAUNCH x=128 y=128 cores=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_declared_size(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t SHARE = 64;
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 2 * SHARE * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * SHARE, SHARE);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * SHARE, SHARE);
#ifdef MENDED
    DataCopy(a, xGm, SHARE);
#else
    DataCopy(a, xGm, GetBlockIdx() == 0 ? SHARE + 8 : SHARE);  // FINDS gm-declared-size
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, SHARE);
}
