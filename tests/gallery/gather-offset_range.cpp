// A table of 64 elements is read at 64: one of the indices is one too large.
// GUARANTEE 23
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gather_offset_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf, indexBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    pipe.InitBuffer(indexBuf, 64 * sizeof(int32_t));
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    CreateVecIndex(index, 1, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Mins(index, index, 63, 64);
    PipeBarrier<PIPE_V>();
#endif
    Muls(index, index, static_cast<int32_t>(sizeof(float)), 64);
    PipeBarrier<PIPE_V>();
    Gather(b, a, index.ReinterpretCast<uint32_t>(), 0, 64);  // FINDS gather-offset
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
}
