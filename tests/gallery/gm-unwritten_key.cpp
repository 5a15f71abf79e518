// The host chose tiling key 3, of which the kernel knows nothing: it does nothing.
// GUARANTEE 17
// LAUNCH x=64 y=64 key=3
// FINDS gm-unwritten
#include "kernel_operator.h"
using namespace AscendC;

static void gm_unwritten_key_run(GM_ADDR x, GM_ADDR y, float factor) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, factor, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 64);
}

extern "C" __global__ __aicore__ void gm_unwritten_key(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    if (TILING_KEY_IS(1)) gm_unwritten_key_run(x, y, 1.0f);
    if (TILING_KEY_IS(2)) gm_unwritten_key_run(x, y, 2.0f);
#ifdef MENDED
    if (TILING_KEY_IS(3)) gm_unwritten_key_run(x, y, 3.0f);
#endif
}
