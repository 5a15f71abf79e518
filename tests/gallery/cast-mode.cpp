// CAST_NONE is for conversions that lose nothing; float to bfloat16 has to say how it rounds.
// GUARANTEE 18
// LAUNCH x=64 y=32
// SAYS CAST_NONE is not a mode of float to bfloat16_t, which has CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void cast_mode(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(bfloat16_t));
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<bfloat16_t> b = bBuf.Get<bfloat16_t>();
    GlobalTensor<float> xGm;
    GlobalTensor<bfloat16_t> yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t*)y, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Cast(b, a, RoundMode::CAST_RINT, 64);
#else
    Cast(b, a, RoundMode::CAST_NONE, 64);  // FINDS cast-mode
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
}
