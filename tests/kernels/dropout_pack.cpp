// What a dropout mask of bits keeps is scaled and packed; the number of kept elements comes first in a tensor of its
// own. Each tile starts where the one before has ended, so one core does it.
#include "kernel_operator.h"
using namespace AscendC;

struct DropoutTiling {
    uint32_t count;
    float scale;
};

extern "C" __global__ __aicore__ void dropout_pack(GM_ADDR x, GM_ADDR mask, GM_ADDR z, GM_ADDR number, GM_ADDR tiling) {
    constexpr uint32_t TILE = 512;
    GET_TILING_DATA_WITH_STRUCT(DropoutTiling, data, tiling);
    if (GetBlockIdx() != 0) return;
    TPipe pipe;
    TBuf<> xBuf, maskBuf, packedBuf;
    pipe.InitBuffer(xBuf, TILE * sizeof(float));
    pipe.InitBuffer(maskBuf, TILE / 8);
    pipe.InitBuffer(packedBuf, TILE * sizeof(float));
    LocalTensor<float> a = xBuf.Get<float>(), packed = packedBuf.Get<float>();
    LocalTensor<uint32_t> bits = maskBuf.Get<uint32_t>();
    GlobalTensor<float> xGm, zGm;
    GlobalTensor<uint32_t> maskGm;
    GlobalTensor<int32_t> numberGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, data.count);
    maskGm.SetGlobalBuffer((__gm__ uint32_t*)mask, (data.count + 31) / 32);
    numberGm.SetGlobalBuffer((__gm__ int32_t*)number, 1);
    uint64_t total = 0;
    for (uint32_t at = 0; at < data.count; at += TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        const auto words = static_cast<uint32_t>((count + 31) / 32 * sizeof(uint32_t));
        DataCopyPad(a, xGm[at], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), {false, 0, 0, 0.0f});
        DataCopyPad(bits, maskGm[at / 32], DataCopyExtParams(1, words, 0, 0, 0), {false, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        Muls(a, a, data.scale, count);
        PipeBarrier<PIPE_V>();
        uint64_t kept = 0;
        GatherMask(packed, a, bits, true, count, {1, 1, 8, 8}, kept);
        PipeBarrier<PIPE_ALL>();
        const auto bytes = static_cast<uint32_t>(kept * sizeof(float));
        if (kept > 0) DataCopyPad(zGm[total], packed, DataCopyExtParams(1, bytes, 0, 0, 0));
        PipeBarrier<PIPE_ALL>();
        total += kept;
    }
    ResetMask();
    numberGm.SetValue(0, static_cast<int32_t>(total));
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(numberGm);
}
