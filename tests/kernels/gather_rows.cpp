// z[i] = table[index[i]]; an index outside of the table gives a row of zeros.
#include "kernel_operator.h"
using namespace AscendC;

struct GatherTiling {
    int32_t tableRows;
    uint32_t count;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR table, GM_ADDR index, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(GatherTiling, data, tiling);
    const uint32_t padded = (data.columns + 15) / 16 * 16;
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    TBuf<> zeroBuf;
    pipe.InitBuffer(rows, 4, padded * sizeof(half));
    pipe.InitBuffer(zeroBuf, padded * sizeof(half));
    LocalTensor<half> zeros = zeroBuf.Get<half>();
    GlobalTensor<half> tableGm, zGm;
    GlobalTensor<int32_t> indexGm;
    tableGm.SetGlobalBuffer((__gm__ half*)table, uint64_t(data.tableRows) * data.columns);
    zGm.SetGlobalBuffer((__gm__ half*)z, uint64_t{data.count} * data.columns);
    indexGm.SetGlobalBuffer((__gm__ int32_t*)index, data.count);
    Duplicate(zeros, half(0.0f), padded);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    const DataCopyExtParams copy{1, static_cast<uint32_t>(data.columns * sizeof(half)), 0, 0, 0};
    for (uint32_t i = GetBlockIdx(); i < data.count; i += GetBlockNum()) {
        const int32_t from = indexGm.GetValue(i);
        const uint64_t to = uint64_t{i} * data.columns;
        if (from < 0 || from >= data.tableRows) {
            DataCopyPad(zGm[to], zeros, copy);
            continue;
        }
        LocalTensor<half> row = rows.AllocTensor<half>();
        DataCopyPad(row, tableGm[static_cast<uint64_t>(from) * data.columns], copy, {false, 0, 0, 0});
        rows.EnQue(row);
        row = rows.DeQue<half>();
        DataCopyPad(zGm[to], row, copy);
        rows.FreeTensor(row);
    }
}
