// Code shared with the host throws, which no core can do; the last call before tells the line.
// GUARANTEE 21
// LAUNCH x=64 y=64
#include <array>
#include <stdexcept>
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void kernel_exception(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    const std::array<float, 2> factors{0.5f, 2.0f};
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);  // FINDS kernel-exception
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    const float factor = factors.at(1);
#else
    const float factor = factors.at(2);
#endif
    Muls(a, a, factor, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}
