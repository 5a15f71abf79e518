// The input is freed before its last use.
// GUARANTEE 9
// LAUNCH x=256 y=256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void tensor_state(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256 * sizeof(float));
    pipe.InitBuffer(out, 1, 256 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, 256);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Exp(b, a, 256);
    PipeBarrier<PIPE_V>();
#ifdef MENDED
    Add(b, b, a, 256);
    in.FreeTensor(a);
#else
    in.FreeTensor(a);
    Add(b, b, a, 256);  // FINDS tensor-state
#endif
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(yGm, b, 256);
    out.FreeTensor(b);
}
