// The scalar unit reads a sum that the vector unit is still about to write.
// GUARANTEE 6
// LAUNCH x=64 y=64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void ub_race_scalar(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bBuf, sumBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>(), sum = sumBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    WholeReduceSum(sum, a, 64, 1, 1, 1, 8);
#ifdef MENDED
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
#endif
    const float total = sum.GetValue(0);  // FINDS ub-race
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    Muls(b, a, total, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, b, 64);
}
