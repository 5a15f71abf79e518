// The transpose of a half matrix whose sides are multiples of 16, block by block.
#include "kernel_operator.h"
using namespace AscendC;

struct TransposeTiling {
    uint32_t rows;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void transpose_blocks(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t SIDE = 16;
    GET_TILING_DATA_WITH_STRUCT(TransposeTiling, data, tiling);
    const uint32_t across = data.columns / SIDE, down = data.rows / SIDE;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, SIDE * SIDE * sizeof(half));
    pipe.InitBuffer(out, 2, SIDE * SIDE * sizeof(half));
    GlobalTensor<half> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x, uint64_t{data.rows} * data.columns);
    zGm.SetGlobalBuffer((__gm__ half*)z, uint64_t{data.rows} * data.columns);
    for (uint32_t i = GetBlockIdx(); i < across * down; i += GetBlockNum()) {
        const uint64_t row = i / across * SIDE, column = i % across * SIDE;
        LocalTensor<half> block = in.AllocTensor<half>();
        DataCopy(block, xGm[row * data.columns + column],
                 DataCopyParams(SIDE, 1, static_cast<uint16_t>(across - 1), 0));
        in.EnQue(block);
        block = in.DeQue<half>();
        LocalTensor<half> turned = out.AllocTensor<half>();
        Transpose(turned.ReinterpretCast<uint16_t>(), block.ReinterpretCast<uint16_t>());
        out.EnQue(turned);
        in.FreeTensor(block);
        turned = out.DeQue<half>();
        DataCopy(zGm[column * data.rows + row], turned, DataCopyParams(SIDE, 1, 0, static_cast<uint16_t>(down - 1)));
        out.FreeTensor(turned);
    }
}
