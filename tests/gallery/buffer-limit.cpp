// One buffer a row, 65 of them; a pipe has 64.
// GUARANTEE 4
// LAUNCH x=520 y=520
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void buffer_limit(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t ROWS = 65, COLUMNS = 8;
    TPipe pipe;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
#ifdef MENDED
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, ROWS * COLUMNS * sizeof(float));
    LocalTensor<float> rows = rowBuf.Get<float>();
    DataCopy(rows, xGm, ROWS * COLUMNS);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, rows, ROWS * COLUMNS);
#else
    TBuf<> rowBufs[ROWS];
    for (uint32_t r = 0; r < ROWS; r++) {
        pipe.InitBuffer(rowBufs[r], COLUMNS * sizeof(float));  // FINDS buffer-limit
        LocalTensor<float> row = rowBufs[r].Get<float>();
        DataCopy(row, xGm[r * COLUMNS], COLUMNS);
        PipeBarrier<PIPE_ALL>();
        DataCopy(yGm[r * COLUMNS], row, COLUMNS);
    }
#endif
}
