// A bias row is added to every row of a matrix of up to 128 half columns: one repeat a row, with a stride of zero for
// the bias.
#include "kernel_operator.h"
using namespace AscendC;

struct BiasTiling {
    uint32_t rows;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void add_bias(GM_ADDR x, GM_ADDR bias, GM_ADDR z, GM_ADDR tiling) {
    constexpr uint32_t TILE = 16;
    GET_TILING_DATA_WITH_STRUCT(BiasTiling, data, tiling);
    const uint32_t bytes = data.columns * sizeof(half);
    const uint32_t pitch = (bytes + 31) / 32;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> biasBuf;
    pipe.InitBuffer(in, 2, TILE * pitch * 32);
    pipe.InitBuffer(out, 2, TILE * pitch * 32);
    pipe.InitBuffer(biasBuf, pitch * 32);
    LocalTensor<half> line = biasBuf.Get<half>();
    GlobalTensor<half> xGm, biasGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x, uint64_t{data.rows} * data.columns);
    biasGm.SetGlobalBuffer((__gm__ half*)bias, data.columns);
    zGm.SetGlobalBuffer((__gm__ half*)z, uint64_t{data.rows} * data.columns);
    DataCopyPad(line, biasGm, DataCopyExtParams(1, bytes, 0, 0, 0), {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
    for (uint32_t r = GetBlockIdx() * TILE; r < data.rows; r += GetBlockNum() * TILE) {
        const uint32_t rows = data.rows - r < TILE ? data.rows - r : TILE;
        const DataCopyExtParams copy{static_cast<uint16_t>(rows), bytes, 0, 0, 0};
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopyPad(a, xGm[uint64_t{r} * data.columns], copy, {false, 0, 0, 0});
        in.EnQue(a);
        a = in.DeQue<half>();
        LocalTensor<half> b = out.AllocTensor<half>();
        const auto step = static_cast<uint8_t>(pitch);
        Add(b, a, line, data.columns, static_cast<uint8_t>(rows), {1, 1, 1, step, step, 0});
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<half>();
        DataCopyPad(zGm[uint64_t{r} * data.columns], b, copy);
        out.FreeTensor(b);
    }
}
