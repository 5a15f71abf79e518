// A vector function stores 64 lanes and loads them again without a barrier between the store and the load.
// GUARANTEE 6
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void vf_order_run(__ubuf__ float* a) {
    Reg::RegTensor<float> v, w;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(v, a);
    Reg::Adds(v, v, 1.0f, all);
    Reg::StoreAlign(a, v, all);
#ifdef MENDED
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
#endif
    Reg::LoadAlign(w, a);  // FINDS vf-order
    Reg::Muls(w, w, 2.0f, all);
    Reg::StoreAlign(a, w, all);
}

extern "C" __global__ __aicore__ void vf_order(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    asc_vf_call<vf_order_run>((__ubuf__ float*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
