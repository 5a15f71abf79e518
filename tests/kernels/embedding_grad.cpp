// grad[index[i]] += x[i]: the table is cleared by all cores, and then added to with atomic copies.
#include "kernel_operator.h"
using namespace AscendC;

struct EmbeddingTiling {
    uint32_t tableRows;
    uint32_t count;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void embedding_grad(GM_ADDR x, GM_ADDR index, GM_ADDR grad, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA_WITH_STRUCT(EmbeddingTiling, data, tiling);
    const uint32_t padded = (data.columns + 7) / 8 * 8;
    const DataCopyExtParams copy{1, static_cast<uint32_t>(data.columns * sizeof(float)), 0, 0, 0};
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    TBuf<> zeroBuf;
    pipe.InitBuffer(rows, 2, padded * sizeof(float));
    pipe.InitBuffer(zeroBuf, padded * sizeof(float));
    LocalTensor<float> zeros = zeroBuf.Get<float>();
    GlobalTensor<float> xGm, gradGm;
    GlobalTensor<int32_t> indexGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    gradGm.SetGlobalBuffer((__gm__ float*)grad, uint64_t{data.tableRows} * data.columns);
    indexGm.SetGlobalBuffer((__gm__ int32_t*)index, data.count);
    Duplicate(zeros, 0.0f, padded);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    for (uint32_t r = GetBlockIdx(); r < data.tableRows; r += GetBlockNum()) {
        DataCopyPad(gradGm[uint64_t{r} * data.columns], zeros, copy);
    }
    SyncAll();
    SetAtomicAdd<float>();
    for (uint32_t i = GetBlockIdx(); i < data.count; i += GetBlockNum()) {
        LocalTensor<float> row = rows.AllocTensor<float>();
        DataCopyPad(row, xGm[uint64_t{i} * data.columns], copy, {false, 0, 0, 0.0f});
        rows.EnQue(row);
        row = rows.DeQue<float>();
        DataCopyPad(gradGm[uint64_t(indexGm.GetValue(i)) * data.columns], row, copy);
        rows.FreeTensor(row);
    }
    SetAtomicNone();
}
