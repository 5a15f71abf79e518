// Rows of five floats lie packed in the unified buffer: the second row starts at byte 20.
// GUARANTEE 3
// LAUNCH x=20 y=20
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_alignment_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t ROWS = 4, COLUMNS = 5;
#ifdef MENDED
    constexpr uint32_t PITCH = 8;
#else
    constexpr uint32_t PITCH = COLUMNS;
#endif
    TPipe pipe;
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, ROWS * PITCH * sizeof(float));
    LocalTensor<float> rows = rowBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, ROWS * COLUMNS);
    yGm.SetGlobalBuffer((__gm__ float*)y, ROWS * COLUMNS);
    for (uint32_t r = 0; r < ROWS; r++) {
        DataCopyExtParams row{1, COLUMNS * sizeof(float), 0, 0, 0};
        DataCopyPad(rows[r * PITCH], xGm[r * COLUMNS], row, {false, 0, 0, 0.0f});  // FINDS ub-alignment
    }
#ifdef MENDED
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, rows, {ROWS, COLUMNS * sizeof(float), 0, 0, 0});
#endif
}
