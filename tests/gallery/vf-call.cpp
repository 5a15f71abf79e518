// A vector function is given an address in global memory.
// GUARANTEE 18
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void vf_call_run(__ubuf__ float* a) {
    Reg::RegTensor<float> v;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(v, a);
    Reg::Abs(v, v, all);
    Reg::StoreAlign(a, v, all);
}

extern "C" __global__ __aicore__ void vf_call(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
#ifdef MENDED
    asc_vf_call<vf_call_run>((__ubuf__ float*)a.GetPhyAddr());
#else
    asc_vf_call<vf_call_run>((__ubuf__ float*)y);  // FINDS vf-call
#endif
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
