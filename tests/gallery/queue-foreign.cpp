// A tensor of one queue is put into another one.
// GUARANTEE 9
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void queue_foreign(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 64 * sizeof(float));
    pipe.InitBuffer(out, 1, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
#ifdef MENDED
    LocalTensor<float> b = out.AllocTensor<float>();
    Exp(b, a, 64);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(yGm, b, 64);
    out.FreeTensor(b);
#else
    Exp(a, a, 64);
    out.EnQue(a);  // FINDS queue-foreign
    a = out.DeQue<float>();
    DataCopy(yGm, a, 64);
    out.FreeTensor(a);
#endif
}
