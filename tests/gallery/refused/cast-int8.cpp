// A conversion that this chip makes in two steps, int8 to half to float, is asked for in one.
// GUARANTEE 10
// LAUNCH x=16 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void cast_int8(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> narrowBuf, halfBuf, wideBuf;
    pipe.InitBuffer(narrowBuf, 64 * sizeof(int8_t));
    pipe.InitBuffer(halfBuf, 64 * sizeof(half));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    LocalTensor<int8_t> narrow = narrowBuf.Get<int8_t>();
    LocalTensor<half> middle = halfBuf.Get<half>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    GlobalTensor<int8_t> xGm;
    GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer((__gm__ int8_t*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(narrow, xGm, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Cast(middle, narrow, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_V>();
    Cast(wide, middle, RoundMode::CAST_NONE, 64);
#else
    Cast(wide, narrow, RoundMode::CAST_NONE, 64);  // REFUSED Cast
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, wide, 64);
}
