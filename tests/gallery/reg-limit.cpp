// A vector function declares nine registers for unaligned streams; there are eight.
// GUARANTEE 8
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void reg_limit_run(__ubuf__ float* a) {
#ifdef MENDED
    Reg::UnalignReg streams[4];
#else
    Reg::UnalignReg streams[9];  // FINDS reg-limit
#endif
    Reg::RegTensor<float> v;
    __ubuf__ float* from = a + 1;
    Reg::LoadUnAlignPre(streams[0], from);
    Reg::LoadUnAlign(v, streams[0], from);
    Reg::MaskReg some = Reg::CreateMask<float, Reg::MaskPattern::VL32>();
    Reg::StoreAlign(a, v, some);
}

extern "C" __global__ __aicore__ void reg_limit(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    asc_vf_call<reg_limit_run>((__ubuf__ float*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
