// The maximum of a tail of 250 elements is taken over 256: the last six are what the copy left there.
// GUARANTEE 11
// LAUNCH x=250 y=1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_uninitialized_tail(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t COUNT = 250, PADDED = 256;
    TPipe pipe;
    TBuf<> inBuf, workBuf, outBuf;
    pipe.InitBuffer(inBuf, PADDED * sizeof(float));
    pipe.InitBuffer(workBuf, PADDED * sizeof(float));
    pipe.InitBuffer(outBuf, 32);
    LocalTensor<float> in = inBuf.Get<float>(), work = workBuf.Get<float>(), out = outBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, COUNT);
    yGm.SetGlobalBuffer((__gm__ float*)y, 1);
#ifdef MENDED
    DataCopyPad(in, xGm, {1, COUNT * sizeof(float), 0, 0, 0}, {true, 0, PADDED - COUNT, -3.0e38f});
#else
    DataCopyPad(in, xGm, {1, COUNT * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
#endif
    PipeBarrier<PIPE_ALL>();
    ReduceMax(out, in, work, PADDED);  // FINDS ub-uninitialized
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, out, {1, sizeof(float), 0, 0, 0});
}
