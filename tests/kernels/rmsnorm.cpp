// Root-mean-square normalisation of half rows; the arithmetic is done in float. The factor of a row stays on the
// vector unit: the sum is broadcast by Brcb and multiplied with a block stride of zero.
#include "kernel_operator.h"
using namespace AscendC;

struct RmsNormTiling {
    uint32_t rows;
    uint32_t columns;
    float epsilon;
};

extern "C" __global__ __aicore__ void rmsnorm(GM_ADDR x, GM_ADDR gamma, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(RmsNormTiling, data, tiling);
    const uint32_t padded = (data.columns + 63) / 64 * 64;
    const auto count = static_cast<int32_t>(data.columns);
    const DataCopyExtParams copy{1, static_cast<uint32_t>(data.columns * sizeof(half)), 0, 0, 0};
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> gammaBuf, wideBuf, squareBuf, sumBuf, factorBuf;
    pipe.InitBuffer(in, 2, padded * sizeof(half));
    pipe.InitBuffer(out, 2, padded * sizeof(half));
    pipe.InitBuffer(gammaBuf, padded * sizeof(float));
    pipe.InitBuffer(wideBuf, padded * sizeof(float));
    pipe.InitBuffer(squareBuf, padded * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(factorBuf, 256);
    LocalTensor<float> weights = gammaBuf.Get<float>(), wide = wideBuf.Get<float>(), square = squareBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>(), factor = factorBuf.Get<float>();
    GlobalTensor<half> xGm, gammaGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x);
    gammaGm.SetGlobalBuffer((__gm__ half*)gamma, data.columns);
    zGm.SetGlobalBuffer((__gm__ half*)z);

    LocalTensor<half> row = in.AllocTensor<half>();
    DataCopyPad(row, gammaGm, copy, {false, 0, 0, 0});
    in.EnQue(row);
    row = in.DeQue<half>();
    Duplicate(weights, 0.0f, padded);
    Duplicate(wide, 0.0f, padded);
    Duplicate(sum, 1.0f, 8);
    PipeBarrier<PIPE_V>();
    Cast(weights, row, RoundMode::CAST_NONE, count);
    in.FreeTensor(row);

    for (uint32_t r = GetBlockIdx(); r < data.rows; r += GetBlockNum()) {
        row = in.AllocTensor<half>();
        DataCopyPad(row, xGm[uint64_t{r} * data.columns], copy, {false, 0, 0, 0});
        in.EnQue(row);
        row = in.DeQue<half>();
        PipeBarrier<PIPE_V>();
        Cast(wide, row, RoundMode::CAST_NONE, count);
        in.FreeTensor(row);
        PipeBarrier<PIPE_V>();
        Mul(square, wide, wide, padded);
        PipeBarrier<PIPE_V>();
        for (uint32_t at = 64; at < padded; at += 64) {
            Add(square, square, square[at], 64);
            PipeBarrier<PIPE_V>();
        }
        WholeReduceSum(sum, square, 64, 1, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        Muls(sum, sum, 1.0f / static_cast<float>(data.columns), 1);
        PipeBarrier<PIPE_V>();
        Adds(sum, sum, data.epsilon, 1);
        PipeBarrier<PIPE_V>();
        Sqrt(sum, sum, 1);
        PipeBarrier<PIPE_V>();
        Brcb(factor, sum, 1, {1, 8});
        PipeBarrier<PIPE_V>();
        const auto repeats = static_cast<uint8_t>(padded / 64);
        Div(wide, wide, factor, 64, repeats, {1, 1, 0, 8, 8, 0});
        PipeBarrier<PIPE_V>();
        Mul(wide, wide, weights, padded);
        PipeBarrier<PIPE_V>();
        LocalTensor<half> result = out.AllocTensor<half>();
        Cast(result, wide, RoundMode::CAST_RINT, count);
        out.EnQue(result);
        result = out.DeQue<half>();
        DataCopyPad(zGm[uint64_t{r} * data.columns], result, copy);
        out.FreeTensor(result);
    }
}
