// Two bfloat16 tensors are added; the vector unit of this chip has no such addition.
// GUARANTEE 10
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add_bfloat16(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t COUNT = 128;
    TPipe pipe;
    TBuf<> aBuf, wideBuf;
    pipe.InitBuffer(aBuf, COUNT * sizeof(bfloat16_t));
    pipe.InitBuffer(wideBuf, COUNT * sizeof(float));
    LocalTensor<bfloat16_t> a = aBuf.Get<bfloat16_t>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    GlobalTensor<bfloat16_t> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ bfloat16_t*)x);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t*)y);
    DataCopy(a, xGm, COUNT);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Cast(wide, a, RoundMode::CAST_NONE, COUNT);
    PipeBarrier<PIPE_V>();
    Add(wide, wide, wide, COUNT);
    PipeBarrier<PIPE_V>();
    Cast(a, wide, RoundMode::CAST_RINT, COUNT);
#else
    Add(a, a, a, COUNT);  // REFUSED Add
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, COUNT);
}
