// Softmax of each row: maximum, exponentials, sum, division; one row at a time on each core.
#include "kernel_operator.h"
using namespace AscendC;

struct SoftmaxTiling {
    uint32_t rows;
    uint32_t columns;
};

class KernelSoftmax {
public:
    __aicore__ inline void Init(TPipe* pipe, GM_ADDR x, GM_ADDR z, const SoftmaxTiling& tiling) {
        rows_ = tiling.rows;
        columns_ = tiling.columns;
        xGm_.SetGlobalBuffer((__gm__ float*)x, uint64_t{rows_} * columns_);
        zGm_.SetGlobalBuffer((__gm__ float*)z, uint64_t{rows_} * columns_);
        const uint32_t bytes = (columns_ * sizeof(float) + 31) / 32 * 32;
        pipe->InitBuffer(in_, 2, bytes);
        pipe->InitBuffer(out_, 2, bytes);
        pipe->InitBuffer(workBuf_, bytes);
        pipe->InitBuffer(scalarBuf_, 32);
    }

    __aicore__ inline void Process() {
        for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
            const DataCopyExtParams copy{1, static_cast<uint32_t>(columns_ * sizeof(float)), 0, 0, 0};
            LocalTensor<float> x = in_.AllocTensor<float>();
            DataCopyPad(x, xGm_[uint64_t{row} * columns_], copy, {false, 0, 0, 0.0f});
            in_.EnQue(x);
            Compute();
            LocalTensor<float> z = out_.DeQue<float>();
            DataCopyPad(zGm_[uint64_t{row} * columns_], z, copy);
            out_.FreeTensor(z);
        }
    }

private:
    __aicore__ inline void Compute() {
        const auto count = static_cast<int32_t>(columns_);
        LocalTensor<float> x = in_.DeQue<float>();
        LocalTensor<float> z = out_.AllocTensor<float>();
        LocalTensor<float> work = workBuf_.Get<float>(), scalar = scalarBuf_.Get<float>();
        ReduceMax(scalar, x, work, count);
        const float top = Fetch(scalar);
        Adds(z, x, -top, count);
        PipeBarrier<PIPE_V>();
        Exp(z, z, count);
        PipeBarrier<PIPE_V>();
        ReduceSum(scalar, z, work, count);
        const float sum = Fetch(scalar);
        Muls(z, z, 1.0f / sum, count);
        out_.EnQue(z);
        in_.FreeTensor(x);
    }

    /// The first element; both ways between the vector and the scalar unit have a flag.
    __aicore__ inline float Fetch(const LocalTensor<float>& from) {
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        const float value = from.GetValue(0);
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
        return value;
    }

    uint32_t rows_, columns_;
    GlobalTensor<float> xGm_, zGm_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<> workBuf_, scalarBuf_;
};

extern "C" __global__ __aicore__ void softmax_rows(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(SoftmaxTiling, data, tiling);
    TPipe pipe;
    KernelSoftmax op;
    op.Init(&pipe, x, z, data);
    op.Process();
}
