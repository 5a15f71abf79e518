// Threads that call one operator many times, each on a stream of its own, and check every result.
// Arguments: threads, calls of each.
#include <thread>

#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "support.h"

namespace {

const int64_t S = 2, B = 1, H = 384, W = 3;

/// The numbers of a call: small enough to be exact in half precision.
float number(int64_t place, int seed) { return static_cast<float>((place * 7 + seed) % 9 - 4) / 4; }

struct Buffers {
    std::vector<void *> memory;

    ~Buffers() {
        for (void *each : memory) aclrtFree(each);
    }
    void *add(size_t bytes) {
        memory.push_back(deviceMemory(bytes));
        return memory.back();
    }
};

/// The first gradient by the definition.
float expected(const std::vector<float> &g, const std::vector<float> &w, int64_t i, int64_t h) {
    float sum = 0;
    for (int64_t k = 0; k < W && i + k < S; k++) sum += g[(i + k) * H + h] * w[(W - 1 - k) * H + h];
    return sum;
}

void worker(int seed, int calls) {
    EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
    aclrtStream stream = nullptr;
    EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
    Buffers buffers;
    const int64_t rows = S * B * H, taps = W * H;
    void *gradYData = buffers.add(rows * 2), *xData = buffers.add(rows * 2), *weightData = buffers.add(taps * 2);
    void *gradXData = buffers.add(rows * 2), *gradWeightData = buffers.add(taps * 2);
    void *workspace = nullptr;
    uint64_t reserved = 0;
    for (int call = 0; call < calls; call++) {
        std::vector<op::fp16_t> half(rows), tap(taps);
        std::vector<float> g(rows), w(taps);
        for (int64_t i = 0; i < rows; i++) half[i] = g[i] = number(i, seed + call);
        for (int64_t i = 0; i < taps; i++) tap[i] = w[i] = number(i, seed - call);
        toDevice(gradYData, half);
        toDevice(xData, half);
        toDevice(weightData, tap);
        aclTensor *tensors[] = {describe({S, B, H}, ACL_FLOAT16, gradYData), describe({S, B, H}, ACL_FLOAT16, xData),
                                describe({W, H}, ACL_FLOAT16, weightData), describe({S, B, H}, ACL_FLOAT16, gradXData),
                                describe({W, H}, ACL_FLOAT16, gradWeightData)};
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        EXPECT(aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(tensors[0], tensors[1], tensors[2], nullptr, tensors[3],
                                                               tensors[4], &size, &executor) == 0);
        if (size > reserved) {
            workspace = buffers.add(size);
            reserved = size;
        }
        EXPECT(aclnnMaskedCausalConv1dBackward(workspace, size, executor, stream) == 0);
        for (aclTensor *tensor : tensors) EXPECT(aclDestroyTensor(tensor) == 0);
        EXPECT(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
        const auto found = toHost<op::fp16_t>(gradXData, rows);
        for (int64_t i = 0; i < rows; i++) {
            EXPECT(static_cast<float>(found[i]) == static_cast<float>(op::fp16_t(expected(g, w, i / H, i % H))));
        }
    }
    EXPECT(aclrtDestroyStream(stream) == ACL_SUCCESS);
}

}  // namespace

int main(int argc, char **argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 8;
    const int calls = argc > 2 ? std::atoi(argv[2]) : 10;
    EXPECT(aclInit(nullptr) == ACL_SUCCESS);
    EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
    std::vector<std::thread> running;
    for (int seed = 0; seed < threads; seed++) running.emplace_back(worker, seed, calls);
    for (std::thread &each : running) each.join();
    for (int i = 0; i < threads + 1; i++) EXPECT(aclrtResetDevice(0) == ACL_SUCCESS);
    EXPECT(aclFinalize() == ACL_SUCCESS);
    EXPECT(aclGetRecentErrMsg() == nullptr);  // nothing leaks
    std::printf("%d calls are right\n", threads * calls);
    return 0;
}
