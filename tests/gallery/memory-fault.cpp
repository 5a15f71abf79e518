// The address of a tensor in global memory is followed by hand, gigabytes past its end; the last call before tells
// the line.
// GUARANTEE 12
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void memory_fault(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    constexpr int64_t AT = 1;
#else
    constexpr int64_t AT = int64_t{1} << 32;
#endif
    DataCopy(a, xGm, 64);  // FINDS memory-fault
    PipeBarrier<PIPE_ALL>();
    const float factor = ((__gm__ float*)x)[AT];
    Muls(a, a, factor, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}
