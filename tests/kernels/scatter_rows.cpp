// z[index[i]] = x[i], every index once; rows that no index names keep what they hold.
#include "kernel_operator.h"
using namespace AscendC;

struct ScatterTiling {
    uint32_t count;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void scatter_rows(GM_ADDR x, GM_ADDR index, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(ScatterTiling, data, tiling);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 2, (data.columns * sizeof(float) + 31) / 32 * 32);
    GlobalTensor<float> xGm, zGm;
    GlobalTensor<int64_t> indexGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ float*)z);
    indexGm.SetGlobalBuffer((__gm__ int64_t*)index, data.count);
    const DataCopyExtParams copy{1, static_cast<uint32_t>(data.columns * sizeof(float)), 0, 0, 0};
    for (uint32_t i = GetBlockIdx(); i < data.count; i += GetBlockNum()) {
        LocalTensor<float> row = rows.AllocTensor<float>();
        DataCopyPad(row, xGm[uint64_t{i} * data.columns], copy, {false, 0, 0, 0.0f});
        rows.EnQue(row);
        row = rows.DeQue<float>();
        DataCopyPad(zGm[static_cast<uint64_t>(indexGm.GetValue(i)) * data.columns], row, copy);
        rows.FreeTensor(row);
    }
}
