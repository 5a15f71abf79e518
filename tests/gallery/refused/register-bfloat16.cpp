// The registers of this chip hold bfloat16, but its multiplication by a scalar does not take it.
// GUARANTEE 10
// LAUNCH x=64 y=64 chip=ascend950
#include "kernel_operator.h"
using namespace AscendC;

__simd_vf__ inline void register_bfloat16_run(__ubuf__ bfloat16_t* a) {
#ifdef MENDED
    static constexpr Reg::CastTrait widen{Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING,
                                          RoundMode::UNKNOWN};
    static constexpr Reg::CastTrait round{Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING,
                                          RoundMode::CAST_RINT};
    Reg::RegTensor<bfloat16_t> v;
    Reg::RegTensor<float> wide;
    Reg::MaskReg all = Reg::CreateMask<float>();
    for (uint16_t i = 0; i < 2; i++) {
        Reg::LoadAlign<bfloat16_t, Reg::LoadDist::DIST_UNPACK_B16>(v, a + i * 64);
        Reg::Cast<float, bfloat16_t, widen>(wide, v, all);
        Reg::Muls(wide, wide, 2.0f, all);
        Reg::Cast<bfloat16_t, float, round>(v, wide, all);
        Reg::StoreAlign<bfloat16_t, Reg::StoreDist::DIST_PACK_B32>(a + i * 64, v, all);
    }
#else
    Reg::RegTensor<bfloat16_t> v;
    Reg::MaskReg all = Reg::CreateMask<bfloat16_t>();
    Reg::LoadAlign(v, a);
    Reg::Muls(v, v, 2.0f, all);  // REFUSED Muls
    Reg::StoreAlign(a, v, all);
#endif
}

extern "C" __global__ __aicore__ void register_bfloat16(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
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
    asc_vf_call<register_bfloat16_run>((__ubuf__ bfloat16_t*)a.GetPhyAddr());
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, 64);
}
