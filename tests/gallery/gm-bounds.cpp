// The last of three tiles is loaded whole, though only 44 of its 128 elements exist.
// GUARANTEE 2 11
// LAUNCH x=300 y=300 cores=3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_bounds(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t COUNT = 300, TILE = 128;
    const uint32_t start = GetBlockIdx() * TILE;
    const uint32_t count = COUNT - start < TILE ? COUNT - start : TILE;
    TPipe pipe;
    TBuf<> tileBuf;
    pipe.InitBuffer(tileBuf, TILE * sizeof(float));
    LocalTensor<float> tile = tileBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    DataCopyPad(tile, xGm[start], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), {false, 0, 0, 0.0f});
#else
    Duplicate(tile, 0.0f, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(tile, xGm[start], TILE);  // FINDS gm-bounds
#endif
    PipeBarrier<PIPE_ALL>();
    Abs(tile, tile, count);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm[start], tile, DataCopyExtParams(1, count * sizeof(float), 0, 0, 0));
}
