// The kernel ends in Counter mode: what runs next on the core meets it there.
// GUARANTEE 14
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void mask_left(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 128);
    yGm.SetGlobalBuffer((__gm__ float*)y, 128);
    DataCopy(a, xGm, 128);
    PipeBarrier<PIPE_ALL>();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(100);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
#ifdef MENDED
    SetMaskNorm();
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 128);  // FINDS mask-left
}
