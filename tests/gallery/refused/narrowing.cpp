// A number of rows in 32 bits goes into a field of 16 bits.
// GUARANTEE 13
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void narrowing(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    uint32_t rows = 8;
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    ascendc_assert(rows <= 4095);
    const DataCopyExtParams copy{static_cast<uint16_t>(rows), 32, 0, 0, 0};
#else
    const DataCopyExtParams copy{rows, 32, 0, 0, 0};  // REFUSED narrowing
#endif
    DataCopyPad(a, xGm, copy, {false, 0, 0, 0.0f});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, a, copy);
}
