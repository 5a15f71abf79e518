// The sum of a long vector on one core: tiles are added lane by lane, and the lanes at the end.
#include "kernel_operator.h"
using namespace AscendC;

struct ReduceTiling {
    uint32_t count;
};

extern "C" __global__ __aicore__ void reduce_sum_long(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 1024;
    GET_TILING_DATA_WITH_STRUCT(ReduceTiling, data, tiling);
    if (GetBlockIdx() != 0) return;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TBuf<> lanesBuf, workBuf;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(lanesBuf, TILE * sizeof(float));
    pipe.InitBuffer(workBuf, TILE * sizeof(float));
    LocalTensor<float> lanes = lanesBuf.Get<float>(), work = workBuf.Get<float>();
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, 1);
    Duplicate(lanes, 0.0f, TILE);
    for (uint32_t at = 0; at < data.count; at += TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        LocalTensor<float> tile = in.AllocTensor<float>();
        DataCopyPad(tile, xGm[at], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), {false, 0, 0, 0.0f});
        in.EnQue(tile);
        tile = in.DeQue<float>();
        PipeBarrier<PIPE_V>();
        Add(lanes, lanes, tile, count);
        in.FreeTensor(tile);
    }
    PipeBarrier<PIPE_V>();
    ReduceSum(lanes, lanes, work, TILE);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(zGm, lanes, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
}
