// A sum is kept in a register that nobody has set to zero.
// GUARANTEE 25
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void reg_unwritten_run(__ubuf__ float* a) {
    Reg::RegTensor<float> v, sum;
    Reg::MaskReg all = Reg::CreateMask<float>();
#ifdef MENDED
    Reg::Duplicate(sum, 0.0f, all);
#endif
    Reg::LoadAlign(v, a);
    Reg::Add(sum, sum, v, all);  // FINDS reg-unwritten
    Reg::StoreAlign(a, sum, all);
}

extern "C" __global__ __aicore__ void reg_unwritten(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    asc_vf_call<reg_unwritten_run>((__ubuf__ float*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
