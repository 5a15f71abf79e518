// A call that takes the mask register follows a call that has changed it: Muls with a count leaves all lanes on.
// GUARANTEE 14
// LAUNCH x=128 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void mask_unset(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 128);
    yGm.SetGlobalBuffer((__gm__ float*)y, 128);
    DataCopy(a, xGm, 128);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Muls(a, a, 0.25f, 128);
    SetVectorMask<float>(32);
#else
    SetVectorMask<float>(32);
    Muls(a, a, 0.25f, 128);
#endif
    PipeBarrier<PIPE_V>();
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});  // FINDS mask-unset
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 128);
}
