// Each row is quantised to int8 with a scale of its own, 127 over the largest absolute value; the scales are stored too.
#include "kernel_operator.h"
using namespace AscendC;

struct QuantizeTiling {
    uint32_t rows;
    uint32_t columns;
};

extern "C" __global__ __aicore__ void quantize_rows(GM_ADDR x, GM_ADDR z, GM_ADDR scales, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(QuantizeTiling, data, tiling);
    const uint32_t padded = (data.columns + 63) / 64 * 64;
    const auto count = static_cast<int32_t>(data.columns);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out, scaleOut;
    TBuf<> absBuf, workBuf, halfBuf;
    pipe.InitBuffer(in, 1, padded * sizeof(float));
    pipe.InitBuffer(out, 1, padded * sizeof(int8_t));
    pipe.InitBuffer(scaleOut, 1, 32);
    pipe.InitBuffer(absBuf, padded * sizeof(float));
    pipe.InitBuffer(workBuf, padded * sizeof(float));
    pipe.InitBuffer(halfBuf, padded * sizeof(half));
    LocalTensor<float> absolute = absBuf.Get<float>(), work = workBuf.Get<float>();
    LocalTensor<half> narrow = halfBuf.Get<half>();
    GlobalTensor<float> xGm, scaleGm;
    GlobalTensor<int8_t> zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    scaleGm.SetGlobalBuffer((__gm__ float*)scales, data.rows);
    zGm.SetGlobalBuffer((__gm__ int8_t*)z);
    for (uint32_t r = GetBlockIdx(); r < data.rows; r += GetBlockNum()) {
        const uint64_t at = uint64_t{r} * data.columns;
        LocalTensor<float> row = in.AllocTensor<float>();
        DataCopyPad(row, xGm[at], DataCopyExtParams(1, data.columns * sizeof(float), 0, 0, 0), {false, 0, 0, 0.0f});
        in.EnQue(row);
        row = in.DeQue<float>();
        PipeBarrier<PIPE_V>();
        Abs(absolute, row, count);
        PipeBarrier<PIPE_V>();
        LocalTensor<float> scale = scaleOut.AllocTensor<float>();
        ReduceMax(scale, absolute, work, count);
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        const float factor = 127.0f / scale.GetValue(0);
        scale.SetValue(0, factor);
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
        Muls(absolute, row, factor, count);
        in.FreeTensor(row);
        PipeBarrier<PIPE_V>();
        Cast(narrow, absolute, RoundMode::CAST_RINT, count);
        PipeBarrier<PIPE_V>();
        LocalTensor<int8_t> result = out.AllocTensor<int8_t>();
        Cast(result, narrow, RoundMode::CAST_RINT, count);
        out.EnQue(result);
        scaleOut.EnQue(scale);
        result = out.DeQue<int8_t>();
        scale = scaleOut.DeQue<float>();
        DataCopyPad(zGm[at], result, DataCopyExtParams(1, data.columns, 0, 0, 0));
        DataCopyPad(scaleGm[r], scale, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
        out.FreeTensor(result);
        scaleOut.FreeTensor(scale);
    }
}
