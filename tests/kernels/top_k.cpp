// The k largest of each row of up to 128 half elements, with their columns, by Sort and Extract.
#include "kernel_operator.h"
using namespace AscendC;

struct TopKTiling {
    uint32_t rows;
    uint32_t columns;
    uint32_t k;
};

extern "C" __global__ __aicore__ void top_k(GM_ADDR x, GM_ADDR values, GM_ADDR places, GM_ADDR tiling) {
    constexpr uint32_t MOST = 128;
    GET_TILING_DATA_WITH_STRUCT(TopKTiling, data, tiling);
    TPipe pipe;
    TBuf<> rowBuf, indexBuf, sortedBuf, tmpBuf, bestBuf, placeBuf;
    pipe.InitBuffer(rowBuf, MOST * sizeof(half));
    pipe.InitBuffer(indexBuf, MOST * sizeof(uint32_t));
    pipe.InitBuffer(sortedBuf, GetSortLen<half>(MOST) * sizeof(half));
    pipe.InitBuffer(tmpBuf, GetSortLen<half>(MOST) * sizeof(half));
    pipe.InitBuffer(bestBuf, MOST * sizeof(half));
    pipe.InitBuffer(placeBuf, MOST * sizeof(uint32_t));
    LocalTensor<half> row = rowBuf.Get<half>(), sorted = sortedBuf.Get<half>(), tmp = tmpBuf.Get<half>();
    LocalTensor<half> best = bestBuf.Get<half>(), scores;
    LocalTensor<uint32_t> index = indexBuf.Get<uint32_t>(), place = placeBuf.Get<uint32_t>();
    GlobalTensor<half> xGm, valuesGm;
    GlobalTensor<uint32_t> placesGm;
    xGm.SetGlobalBuffer((__gm__ half*)x);
    valuesGm.SetGlobalBuffer((__gm__ half*)values);
    placesGm.SetGlobalBuffer((__gm__ uint32_t*)places);
    CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, MOST);
    for (uint32_t r = GetBlockIdx(); r < data.rows; r += GetBlockNum()) {
        Duplicate(row.ReinterpretCast<uint16_t>(), uint16_t{0xfc00}, MOST);
        PipeBarrier<PIPE_ALL>();
        const uint32_t odd = data.columns % 16;
        DataCopyPadExtParams<half> pad{odd != 0, 0, static_cast<uint8_t>(odd == 0 ? 0 : 16 - odd), half(0.0f)};
        *reinterpret_cast<uint16_t*>(&pad.paddingValue) = 0xfc00;
        DataCopyPad(row, xGm[uint64_t{r} * data.columns],
                    DataCopyExtParams(1, data.columns * sizeof(half), 0, 0, 0), pad);
        PipeBarrier<PIPE_ALL>();
        Concat(scores, row, tmp, MOST / 16);
        PipeBarrier<PIPE_V>();
        Sort<half, true>(sorted, scores, index, tmp, MOST / 32);
        PipeBarrier<PIPE_V>();
        Extract(best, place, sorted, MOST / 32);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(valuesGm[uint64_t{r} * data.k], best, DataCopyExtParams(1, data.k * sizeof(half), 0, 0, 0));
        DataCopyPad(placesGm[uint64_t{r} * data.k], place, DataCopyExtParams(1, data.k * sizeof(uint32_t), 0, 0, 0));
        PipeBarrier<PIPE_ALL>();
    }
}
