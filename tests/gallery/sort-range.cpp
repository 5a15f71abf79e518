// Two lists are merged, but the valid bits name the second list alone.
// GUARANTEE 15
// LAUNCH x=64 y=128
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sort_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, indexBuf, halfBuf, outBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(indexBuf, 64 * sizeof(int32_t));
    pipe.InitBuffer(halfBuf, 128 * sizeof(float));
    pipe.InitBuffer(outBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), sorted = halfBuf.Get<float>(), merged = outBuf.Get<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    CreateVecIndex(index, 0, 64);
    Duplicate(merged, 0.0f, 128);
    PipeBarrier<PIPE_ALL>();
    Sort32(sorted, a, index.ReinterpretCast<uint32_t>(), 2);
    PipeBarrier<PIPE_V>();
#ifdef MENDED
    constexpr uint16_t VALID = 0b0011;
#else
    constexpr uint16_t VALID = 0b0010;
#endif
    const uint16_t lengths[4] = {32, 32, 0, 0};
    const MrgSortSrcList<float> lists(sorted, sorted[64], sorted, sorted);
    MrgSort(merged, lists, MrgSort4Info(lengths, false, VALID, 1));  // FINDS sort-range
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, merged, 128);
}
