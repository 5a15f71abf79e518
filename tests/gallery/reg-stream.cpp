// An unaligned stream of stores is not flushed: its last bytes stay in the register.
// GUARANTEE 11
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void reg_stream_run(__ubuf__ float* a) {
    Reg::RegTensor<float> v;
    Reg::UnalignReg stream;
    __ubuf__ float* to = a;
    Reg::Duplicate(v, 3.0f);
    Reg::StoreUnAlign(to, v, stream, 5);  // FINDS reg-stream
#ifdef MENDED
    Reg::StoreUnAlignPost(to, stream, 0);
#endif
}

extern "C" __global__ __aicore__ void reg_stream(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    TPipe pipe;
    TBuf<> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(a, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    asc_vf_call<reg_stream_run>((__ubuf__ float*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
