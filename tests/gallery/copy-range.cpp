// 70000 rows are counted in 16 bits, and a copy takes 4095 at most: 70000 has become 4464.
// GUARANTEE 13
// LAUNCH x=70000 y=70000
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    constexpr uint32_t ROWS = 70000, MOST = 4000;
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, MOST * 32);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, ROWS);
    yGm.SetGlobalBuffer((__gm__ float*)y, ROWS);
    const DataCopyPadExtParams<float> pad{false, 0, 0, 0.0f};
#ifdef MENDED
    for (uint32_t r = 0; r < ROWS; r += MOST) {
        const auto rows = static_cast<uint16_t>(ROWS - r < MOST ? ROWS - r : MOST);
        DataCopyPad(a, xGm[r], DataCopyExtParams(rows, sizeof(float), 0, 0, 0), pad);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(yGm[r], a, DataCopyExtParams(rows, sizeof(float), 0, 0, 0));
        PipeBarrier<PIPE_ALL>();
    }
#else
    const auto rows = static_cast<uint16_t>(ROWS);
    DataCopyPad(a, xGm, DataCopyExtParams(rows, sizeof(float), 0, 0, 0), pad);  // FINDS copy-range
#endif
}
