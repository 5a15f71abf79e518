// A pool of 512 bytes is to hold two buffers of 320.
// GUARANTEE 4
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void buffer_pool(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
#ifdef MENDED
    constexpr uint32_t BYTES = 256;
#else
    constexpr uint32_t BYTES = 320;
#endif
    TPipe pipe;
    TBufPool<TPosition::VECCALC> pool;
    TBuf<> aBuf, bBuf;
    pipe.InitBufPool(pool, 512);
    pool.InitBuffer(aBuf, BYTES);
    pool.InitBuffer(bBuf, BYTES);  // FINDS buffer-pool
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    Sqrt(b, a, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
}
