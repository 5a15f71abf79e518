// Many calls of NsaCompressGrad from several threads: threads.h.
#include "aclnnop/aclnn_nsa_compress_grad.h"
#include "threads.h"

namespace {

const int64_t T = 80, N = 1, D = 16, K = 32, P = 16;

void work(Worker &worker, int seed, int calls) {
    void *inputData = worker.reserve(T * D * 2), *weightData = worker.reserve(K * 2);
    void *inputGradData = worker.reserve(T * D * 2), *weightGradData = worker.reserve(K * 2);
    void *outputGradData = worker.reserve(4 * D * 2);
    for (int call = 0; call < calls; call++) {
        // The segments differ from call to call: two of T rows in all.
        const std::vector<int64_t> ends = {(seed * 7 + call) % T, T};
        std::vector<int64_t> starts;
        for (int64_t row = 0; row + K <= ends[0]; row += P) starts.push_back(row);
        for (int64_t row = ends[0]; row + K <= T; row += P) starts.push_back(row);
        const auto C = static_cast<int64_t>(starts.size());
        std::vector<op::fp16_t> x(T * D), w(K), dy(C * D);
        for (int64_t i = 0; i < T * D; i++) x[i] = smallNumber(i, seed + call);
        for (int64_t i = 0; i < K; i++) w[i] = smallNumber(i, seed);
        for (int64_t i = 0; i < C * D; i++) dy[i] = smallNumber(i, call);
        toDevice(inputData, x);
        toDevice(weightData, w);
        if (C > 0) toDevice(outputGradData, dy);
        const std::vector<aclTensor *> t = {
            describe({C, N, D}, ACL_FLOAT16, outputGradData), describe({T, N, D}, ACL_FLOAT16, inputData),
            describe({K, N}, ACL_FLOAT16, weightData), describe({T, N, D}, ACL_FLOAT16, inputGradData),
            describe({K, N}, ACL_FLOAT16, weightGradData)};
        aclIntArray *list = aclCreateIntArray(ends.data(), ends.size());
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        EXPECT(aclnnNsaCompressGradGetWorkspaceSize(t[0], t[1], t[2], list, K, P, 0, nullptr, t[3], t[4], &size, &executor) == 0);
        EXPECT(aclDestroyIntArray(list) == 0);
        worker.run(aclnnNsaCompressGrad, size, executor, t);
        const auto found = toHost<op::fp16_t>(inputGradData, T * D);
        for (int64_t i = 0; i < T * D; i++) {
            float sum = 0;
            for (int64_t c = 0; c < C; c++) {
                const int64_t r = i / D - starts[c];
                if (r >= 0 && r < K) sum += static_cast<float>(w[r]) * static_cast<float>(dy[c * D + i % D]);
            }
            EXPECT(static_cast<float>(found[i]) == static_cast<float>(op::fp16_t(sum)));
        }
    }
}

}  // namespace

int main(int argc, char **argv) { return threaded(argc, argv, work); }
