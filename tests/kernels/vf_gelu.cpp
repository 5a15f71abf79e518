// x * sigmoid(1.702 x), the quick form of GELU, at the register level.
#include "kernel_operator.h"
using namespace AscendC;

struct GeluTiling {
    uint32_t count;
};

__simd_vf__ inline void GeluVF(__ubuf__ float* z, __ubuf__ float* x, uint32_t count, uint16_t loops) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(float);
    Reg::RegTensor<float> a, b;
    for (uint16_t i = 0; i < loops; i++) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(count);
        Reg::LoadAlign(a, x + i * lanes);
        Reg::Muls(b, a, -1.702f, mask);
        Reg::Exp(b, b, mask);
        Reg::Adds(b, b, 1.0f, mask);
        Reg::Div(a, a, b, mask);
        Reg::StoreAlign(z + i * lanes, a, mask);
    }
}

extern "C" __global__ __aicore__ void vf_gelu(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 256, LANES = GetVecLen() / sizeof(float);
    GET_TILING_DATA_WITH_STRUCT(GeluTiling, data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, data.count);
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopyPad(a, xGm[at], copy, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        asc_vf_call<GeluVF>((__ubuf__ float*)b.GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr(), count,
                            static_cast<uint16_t>((count + LANES - 1) / LANES));
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopyPad(zGm[at], b, copy);
        out.FreeTensor(b);
    }
}
