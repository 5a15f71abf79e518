// Layer normalisation of each row, with weights and bias that every core loads once.
#include "kernel_operator.h"
using namespace AscendC;

struct LayerNormTiling {
    uint32_t rows;
    uint32_t columns;
    float epsilon;
};

class KernelLayerNorm {
public:
    __aicore__ inline void Init(TPipe* pipe, GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR z,
                                const LayerNormTiling& tiling) {
        tiling_ = tiling;
        count_ = static_cast<int32_t>(tiling.columns);
        copy_ = DataCopyExtParams(1, tiling.columns * sizeof(float), 0, 0, 0);
        xGm_.SetGlobalBuffer((__gm__ float*)x);
        zGm_.SetGlobalBuffer((__gm__ float*)z);
        const uint32_t bytes = (tiling.columns * sizeof(float) + 31) / 32 * 32;
        pipe->InitBuffer(in_, 2, bytes);
        pipe->InitBuffer(out_, 2, bytes);
        pipe->InitBuffer(gammaBuf_, bytes);
        pipe->InitBuffer(betaBuf_, bytes);
        pipe->InitBuffer(centredBuf_, bytes);
        pipe->InitBuffer(squareBuf_, bytes);
        pipe->InitBuffer(workBuf_, bytes);
        pipe->InitBuffer(scalarBuf_, 32);
        GlobalTensor<float> weights;
        weights.SetGlobalBuffer((__gm__ float*)gamma);
        DataCopyPad(gammaBuf_.Get<float>(), weights, copy_, {false, 0, 0, 0.0f});
        weights.SetGlobalBuffer((__gm__ float*)beta);
        DataCopyPad(betaBuf_.Get<float>(), weights, copy_, {false, 0, 0, 0.0f});
        const TEventID loaded = pipe->FetchEventID<HardEvent::MTE2_V>();
        SetFlag<HardEvent::MTE2_V>(loaded);
        WaitFlag<HardEvent::MTE2_V>(loaded);
    }

    __aicore__ inline void Process() {
        for (uint32_t row = GetBlockIdx(); row < tiling_.rows; row += GetBlockNum()) {
            const uint64_t at = uint64_t{row} * tiling_.columns;
            LocalTensor<float> x = in_.AllocTensor<float>();
            DataCopyPad(x, xGm_[at], copy_, {false, 0, 0, 0.0f});
            in_.EnQue(x);
            Compute();
            LocalTensor<float> z = out_.DeQue<float>();
            DataCopyPad(zGm_[at], z, copy_);
            out_.FreeTensor(z);
        }
    }

private:
    __aicore__ inline void Compute() {
        LocalTensor<float> x = in_.DeQue<float>();
        LocalTensor<float> z = out_.AllocTensor<float>();
        LocalTensor<float> centred = centredBuf_.Get<float>(), square = squareBuf_.Get<float>();
        const float mean = Mean(x);
        Adds(centred, x, -mean, count_);
        PipeBarrier<PIPE_V>();
        Mul(square, centred, centred, count_);
        PipeBarrier<PIPE_V>();
        const float variance = Mean(square);
        Muls(centred, centred, 1.0f / sqrt(variance + tiling_.epsilon), count_);
        PipeBarrier<PIPE_V>();
        Mul(z, centred, gammaBuf_.Get<float>(), count_);
        PipeBarrier<PIPE_V>();
        Add(z, z, betaBuf_.Get<float>(), count_);
        out_.EnQue(z);
        in_.FreeTensor(x);
    }

    __aicore__ inline float Mean(const LocalTensor<float>& values) {
        LocalTensor<float> scalar = scalarBuf_.Get<float>();
        ReduceSum(scalar, values, workBuf_.Get<float>(), count_);
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        const float sum = scalar.GetValue(0);
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
        return sum / static_cast<float>(count_);
    }

    LayerNormTiling tiling_;
    int32_t count_;
    DataCopyExtParams copy_;
    GlobalTensor<float> xGm_, zGm_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<> gammaBuf_, betaBuf_, centredBuf_, squareBuf_, workBuf_, scalarBuf_;
};

extern "C" __global__ __aicore__ void layernorm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(LayerNormTiling, data, tiling);
    TPipe pipe;
    KernelLayerNorm op;
    op.Init(&pipe, x, gamma, beta, z, data);
    op.Process();
}
