// A comparison under a mask of eight elements: the mask is ignored on one generation of chips and used on the next.
// GUARANTEE 18
// LAUNCH x=64 y=2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void chip_dependent(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf, bitBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bitBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    GlobalTensor<float> xGm;
    GlobalTensor<uint8_t> yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, 64);
    yGm.SetGlobalBuffer((__gm__ uint8_t*)y, 8);
    DataCopy(a, xGm, 64);
    PipeBarrier<PIPE_ALL>();
#ifdef MENDED
    Compare(bits, a, a, CMPMODE::EQ, 64, 1, {1, 1, 1, 8, 8, 8});
#else
    Compare(bits, a, a, CMPMODE::EQ, 8, 1, {1, 1, 1, 8, 8, 8});  // FINDS chip-dependent
#endif
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, bits, {1, 8, 0, 0, 0});
}
