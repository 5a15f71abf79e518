// Up to 512 floats in descending order, with their places: groups of 32, then two rounds of merging four lists.
#include "kernel_operator.h"
using namespace AscendC;

struct SortTiling {
    uint32_t count;
};

extern "C" __global__ __aicore__ void sort_512(GM_ADDR x, GM_ADDR values, GM_ADDR places, GM_ADDR tiling) {
    constexpr uint32_t MOST = 512, PAIR = 2;
    GET_TILING_DATA_WITH_STRUCT(SortTiling, data, tiling);
    if (GetBlockIdx() != 0) return;
    TPipe pipe;
    TBuf<> scoreBuf, indexBuf, oneBuf, twoBuf;
    pipe.InitBuffer(scoreBuf, MOST * sizeof(float));
    pipe.InitBuffer(indexBuf, MOST * sizeof(int32_t));
    pipe.InitBuffer(oneBuf, MOST * PAIR * sizeof(float));
    pipe.InitBuffer(twoBuf, MOST * PAIR * sizeof(float));
    LocalTensor<float> score = scoreBuf.Get<float>(), one = oneBuf.Get<float>(), two = twoBuf.Get<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    GlobalTensor<float> xGm, valuesGm;
    GlobalTensor<int32_t> placesGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    valuesGm.SetGlobalBuffer((__gm__ float*)values, data.count);
    placesGm.SetGlobalBuffer((__gm__ int32_t*)places, data.count);
    const DataCopyExtParams copy{1, static_cast<uint32_t>(data.count * sizeof(float)), 0, 0, 0};
    Duplicate(score.ReinterpretCast<uint32_t>(), 0xff800000u, MOST);
    CreateVecIndex(index, 0, MOST);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    const uint32_t odd = data.count % 8;
    DataCopyPadExtParams<float> pad{odd != 0, 0, static_cast<uint8_t>(odd == 0 ? 0 : 8 - odd), 0.0f};
    *reinterpret_cast<uint32_t*>(&pad.paddingValue) = 0xff800000u;
    DataCopyPad(score, xGm, copy, pad);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    PipeBarrier<PIPE_V>();
    Sort32(one, score, index.ReinterpretCast<uint32_t>(), MOST / 32);
    PipeBarrier<PIPE_V>();
    uint16_t lengths[4] = {32, 32, 32, 32};
    const MrgSortSrcList<float> quarters(one, one[32 * PAIR], one[64 * PAIR], one[96 * PAIR]);
    MrgSort(two, quarters, MrgSort4Info(lengths, false, 0b1111, 4));
    PipeBarrier<PIPE_V>();
    for (uint16_t& length : lengths) length = 128;
    const MrgSortSrcList<float> halves(two, two[128 * PAIR], two[256 * PAIR], two[384 * PAIR]);
    MrgSort(one, halves, MrgSort4Info(lengths, false, 0b1111, 1));
    PipeBarrier<PIPE_V>();
    uint64_t kept = 0;
    const GatherMaskParams all{1, MOST * PAIR / 64, 8, 0};
    GatherMask(two, one, 1, false, 0, all, kept);
    GatherMask(index, one.ReinterpretCast<int32_t>(), 2, false, 0, all, kept);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(valuesGm, two, copy);
    DataCopyPad(placesGm, index, copy);
}
