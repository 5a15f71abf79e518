// Many calls of MaskedCausalConv1dBackward from several threads: threads.h.
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "threads.h"

namespace {

const int64_t S = 2, B = 1, H = 384, W = 3;

/// The first gradient by the definition.
float expected(const std::vector<float> &g, const std::vector<float> &w, int64_t i, int64_t h) {
    float sum = 0;
    for (int64_t k = 0; k < W && i + k < S; k++) sum += g[(i + k) * H + h] * w[(W - 1 - k) * H + h];
    return sum;
}

void work(Worker &worker, int seed, int calls) {
    const int64_t rows = S * B * H, taps = W * H;
    void *gradYData = worker.reserve(rows * 2), *xData = worker.reserve(rows * 2), *weightData = worker.reserve(taps * 2);
    void *gradXData = worker.reserve(rows * 2), *gradWeightData = worker.reserve(taps * 2);
    for (int call = 0; call < calls; call++) {
        std::vector<op::fp16_t> half(rows), tap(taps);
        std::vector<float> g(rows), w(taps);
        for (int64_t i = 0; i < rows; i++) half[i] = g[i] = smallNumber(i, seed + call);
        for (int64_t i = 0; i < taps; i++) tap[i] = w[i] = smallNumber(i, seed - call);
        toDevice(gradYData, half);
        toDevice(xData, half);
        toDevice(weightData, tap);
        const std::vector<aclTensor *> t = {
            describe({S, B, H}, ACL_FLOAT16, gradYData), describe({S, B, H}, ACL_FLOAT16, xData),
            describe({W, H}, ACL_FLOAT16, weightData), describe({S, B, H}, ACL_FLOAT16, gradXData),
            describe({W, H}, ACL_FLOAT16, gradWeightData)};
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        EXPECT(aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(t[0], t[1], t[2], nullptr, t[3], t[4], &size, &executor) == 0);
        worker.run(aclnnMaskedCausalConv1dBackward, size, executor, t);
        const auto found = toHost<op::fp16_t>(gradXData, rows);
        for (int64_t i = 0; i < rows; i++) {
            EXPECT(static_cast<float>(found[i]) == static_cast<float>(op::fp16_t(expected(g, w, i / H, i % H))));
        }
    }
}

}  // namespace

int main(int argc, char **argv) { return threaded(argc, argv, work); }
