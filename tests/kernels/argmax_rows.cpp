// The index of the largest element of each row; the results of a core's rows are stored together.
#include "kernel_operator.h"
using namespace AscendC;

struct ArgMaxTiling {
    uint32_t rows;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void argmax_rows(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(ArgMaxTiling, data, tiling);
    const uint32_t share = (data.rows + GetBlockNum() - 1) / GetBlockNum();
    const uint32_t begin = GetBlockIdx() * share;
    const uint32_t end = begin + share < data.rows ? begin + share : data.rows;
    if (begin >= end) return;
    const uint32_t bytes = (data.columns * sizeof(float) + 31) / 32 * 32;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TBuf<> workBuf, bestBuf, indexBuf;
    pipe.InitBuffer(in, 2, bytes);
    pipe.InitBuffer(workBuf, bytes < 256 ? 256 : bytes);
    pipe.InitBuffer(bestBuf, 32);
    pipe.InitBuffer(indexBuf, share * sizeof(int32_t));
    LocalTensor<float> best = bestBuf.Get<float>(), work = workBuf.Get<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    GlobalTensor<float> xGm;
    GlobalTensor<int32_t> zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ int32_t*)z, data.rows);
    for (uint32_t r = begin; r < end; r++) {
        LocalTensor<float> row = in.AllocTensor<float>();
        const DataCopyExtParams copy{1, static_cast<uint32_t>(data.columns * sizeof(float)), 0, 0, 0};
        DataCopyPad(row, xGm[uint64_t{r} * data.columns], copy, {false, 0, 0, 0.0f});
        in.EnQue(row);
        row = in.DeQue<float>();
        ReduceMax(best, row, work, static_cast<int32_t>(data.columns), true);
        in.FreeTensor(row);
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        index.SetValue(r - begin, best.ReinterpretCast<int32_t>().GetValue(1));
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
    }
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    DataCopyPad(zGm[begin], index, DataCopyExtParams(1, (end - begin) * sizeof(int32_t), 0, 0, 0));
}
