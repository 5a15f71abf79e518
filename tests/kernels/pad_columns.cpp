// A range of columns of an int16 matrix, padded on the right to whole blocks with a number.
#include "kernel_operator.h"
using namespace AscendC;

struct PadTiling {
    uint32_t rows;
    uint32_t pitch;
    uint32_t first;
    uint32_t width;
    int32_t value;
};

extern "C" __global__ __aicore__ void pad_columns(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 12, BLOCK = 16;
    GET_TILING_DATA_WITH_STRUCT(PadTiling, data, tiling);
    const uint32_t padded = (data.width + BLOCK - 1) / BLOCK * BLOCK;
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, TILE * padded * sizeof(int16_t));
    GlobalTensor<int16_t> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ int16_t*)x, uint64_t{data.rows} * data.pitch);
    zGm.SetGlobalBuffer((__gm__ int16_t*)z, uint64_t{data.rows} * padded);
    for (uint32_t r = GetBlockIdx() * TILE; r < data.rows; r += GetBlockNum() * TILE) {
        const uint32_t rows = data.rows - r < TILE ? data.rows - r : TILE;
        const DataCopyExtParams copy{static_cast<uint16_t>(rows), static_cast<uint32_t>(data.width * sizeof(int16_t)),
                                     static_cast<int64_t>((data.pitch - data.width) * sizeof(int16_t)), 0, 0};
        const DataCopyPadExtParams<int16_t> pad{true, 0, static_cast<uint8_t>(padded - data.width),
                                                static_cast<int16_t>(data.value)};
        LocalTensor<int16_t> block = queue.AllocTensor<int16_t>();
        DataCopyPad(block, xGm[uint64_t{r} * data.pitch + data.first], copy, pad);
        queue.EnQue(block);
        block = queue.DeQue<int16_t>();
        DataCopy(zGm[uint64_t{r} * padded], block, rows * padded);
        queue.FreeTensor(block);
    }
}
