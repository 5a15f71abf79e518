// The values lie behind a header of six bytes: their addresses are no multiples of four.
// GUARANTEE 1
// LAUNCH x=64 y=32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_alignment(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t HEADER = 8;
#else
    constexpr uint32_t HEADER = 6;
#endif
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 32 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)(x + HEADER));
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 32);  // FINDS gm-alignment
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 32);
}
