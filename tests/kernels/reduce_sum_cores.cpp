// The sum over all cores: each leaves a part in the workspace, a barrier, and the last core adds the parts.
#include "kernel_operator.h"
using namespace AscendC;

struct PartsTiling {
    uint32_t count;
};

extern "C" __global__ __aicore__ void reduce_sum_cores(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t TILE = 256, SLOT = 8;
    GET_TILING_DATA_WITH_STRUCT(PartsTiling, data, tiling);
    TPipe pipe;
    TBuf<> tileBuf, lanesBuf, workBuf;
    pipe.InitBuffer(tileBuf, TILE * sizeof(float));
    pipe.InitBuffer(lanesBuf, TILE * sizeof(float));
    pipe.InitBuffer(workBuf, TILE * sizeof(float));
    LocalTensor<float> tile = tileBuf.Get<float>(), lanes = lanesBuf.Get<float>(), work = workBuf.Get<float>();
    GlobalTensor<float> xGm, zGm, parts;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, 1);
    parts.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace));
    Duplicate(lanes, 0.0f, TILE);
    for (uint32_t at = GetBlockIdx() * TILE; at < data.count; at += GetBlockNum() * TILE) {
        const uint32_t count = data.count - at < TILE ? data.count - at : TILE;
        SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
        DataCopyPad(tile, xGm[at], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), {false, 0, 0, 0.0f});
        SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
        PipeBarrier<PIPE_V>();
        Add(lanes, lanes, tile, count);
    }
    PipeBarrier<PIPE_V>();
    ReduceSum(lanes, lanes, work, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(parts[GetBlockIdx() * SLOT], lanes, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
    SyncAll();
    if (GetBlockIdx() + 1 != GetBlockNum()) return;
    Duplicate(tile, 0.0f, TILE);
    PipeBarrier<PIPE_ALL>();
    const DataCopyExtParams each{static_cast<uint16_t>(GetBlockNum()), sizeof(float), 28, 0, 0};
    DataCopyPad(tile, parts, each, {true, 0, 7, 0.0f});
    PipeBarrier<PIPE_ALL>();
    ReduceSum(lanes, tile, work, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(zGm, lanes, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
}
