// A mask made for 32-bit lanes is used on 16-bit lanes: half of its bits mean nothing.
// GUARANTEE 11
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void reg_undefined_run(__ubuf__ float* a) {
    Reg::RegTensor<half> v;
#ifdef MENDED
    Reg::MaskReg all = Reg::CreateMask<half>();
#else
    Reg::MaskReg all = Reg::CreateMask<float>();
#endif
    Reg::Duplicate(v, half(1.0f));
    Reg::StoreAlign((__ubuf__ half*)a, v, all);  // FINDS reg-undefined
}

extern "C" __global__ __aicore__ void reg_undefined(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    asc_vf_call<reg_undefined_run>((__ubuf__ float*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
