// Two double-buffered queues of 64 KiB tiles ask for 256 KiB, which no core has.
// GUARANTEE 4
// LAUNCH x=256 y=256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_capacity(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t TILE = 8192;
#else
    constexpr uint32_t TILE = 16384;
#endif
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));  // FINDS ub-capacity
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 256);
    yGm.SetGlobalBuffer((__gm__ float*)y, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, 256);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Relu(b, a, 256);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(yGm, b, 256);
    out.FreeTensor(b);
}
