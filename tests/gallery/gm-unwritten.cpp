// Whole tiles are stored, the tail of 44 elements is forgotten. A byte that nobody writes has no line but the kernel's.
// GUARANTEE 11 25
// LAUNCH x=300 y=300
// FINDS gm-unwritten
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gm_unwritten(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t COUNT = 300, TILE = 128;
#ifdef MENDED
    constexpr uint32_t TILES = (COUNT + TILE - 1) / TILE;
#else
    constexpr uint32_t TILES = COUNT / TILE;
#endif
    TPipe pipe;
    TBuf<> tileBuf;
    pipe.InitBuffer(tileBuf, TILE * sizeof(float));
    LocalTensor<float> tile = tileBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < TILES; i++) {
        const uint32_t start = i * TILE;
        const uint32_t bytes = (COUNT - start < TILE ? COUNT - start : TILE) * sizeof(float);
        DataCopyPad(tile, xGm[start], DataCopyExtParams(1, bytes, 0, 0, 0), {false, 0, 0, 0.0f});
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(yGm[start], tile, DataCopyExtParams(1, bytes, 0, 0, 0));
        PipeBarrier<PIPE_ALL>();
    }
}
