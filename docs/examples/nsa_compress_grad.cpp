// Gradients of a compression by windows along ragged segments: one segment is empty, and the first gradient is stored
// head by head. Prints every element of both results, one a line: name[index] value.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/fp16_t.h"
#include "aclnnop/aclnn_nsa_compress_grad.h"

namespace {

using Shape = std::vector<int64_t>;

const int64_t T = 96, N = 2, D = 16, C = 3, K = 32, P = 16;

/// Stops with a message where a call failed.
void check(int status, const char *what) {
    if (status == 0) return;
    const char *text = aclGetRecentErrMsg();
    std::printf("%s failed: %d %s\n", what, status, text == nullptr ? "" : text);
    std::exit(1);
}

/// Memory on the device, filled from the host.
template <typename T>
void *onDevice(const std::vector<T> &values) {
    void *memory = nullptr;
    const size_t bytes = values.size() * sizeof(T);
    check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    return memory;
}

aclTensor *describe(const Shape &shape, const Shape &strides, void *memory) {
    return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                           shape.size(), memory);
}

/// Small numbers that half precision holds exactly.
std::vector<op::fp16_t> numbers(int64_t count, int64_t step) {
    std::vector<op::fp16_t> values;
    for (int64_t i = 0; i < count; i++) values.push_back(op::fp16_t(static_cast<float>((i * step) % 17 - 8) / 8));
    return values;
}

void print(const char *name, void *memory, int64_t count) {
    std::vector<op::fp16_t> values(count);
    const size_t bytes = values.size() * sizeof(op::fp16_t);
    check(aclrtMemcpy(values.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
    for (int64_t i = 0; i < count; i++) {
        std::printf("%s[%ld] %g\n", name, static_cast<long>(i), static_cast<float>(values[i]) + 0.0f);  // no "-0"
    }
}

}  // namespace

int main() {
    aclrtStream stream = nullptr;
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");

    void *outputGradData = onDevice(numbers(C * N * D, 5));
    void *inputData = onDevice(numbers(T * N * D, 7));
    void *weightData = onDevice(numbers(K * N, 3));
    void *inputGradData = onDevice(std::vector<op::fp16_t>(T * N * D));
    void *weightGradData = onDevice(std::vector<op::fp16_t>(K * N));

    const Shape rows = {N * D, D, 1}, byHeads = {D, T * D, 1};
    aclTensor *outputGrad = describe({C, N, D}, rows, outputGradData);
    aclTensor *input = describe({T, N, D}, rows, inputData);
    aclTensor *weight = describe({K, N}, {N, 1}, weightData);
    aclTensor *inputGrad = describe({T, N, D}, byHeads, inputGradData);
    aclTensor *weightGrad = describe({K, N}, {N, 1}, weightGradData);
    const std::vector<int64_t> ends = {40, 40, T};
    aclIntArray *actSeqLen = aclCreateIntArray(ends.data(), ends.size());
    char layout[] = "TND";

    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    void *workspace = nullptr;
    check(aclnnNsaCompressGradGetWorkspaceSize(outputGrad, input, weight, actSeqLen, K, P, 0, layout, inputGrad,
                                               weightGrad, &workspaceSize, &executor),
          "aclnnNsaCompressGradGetWorkspaceSize");
    if (workspaceSize > 0) check(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclnnNsaCompressGrad(workspace, workspaceSize, executor, stream), "aclnnNsaCompressGrad");
    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    print("inputGrad", inputGradData, T * N * D);
    print("weightGrad", weightGradData, K * N);

    for (aclTensor *tensor : {outputGrad, input, weight, inputGrad, weightGrad}) aclDestroyTensor(tensor);
    aclDestroyIntArray(actSeqLen);
    for (void *memory : {outputGradData, inputData, weightData, inputGradData, weightGradData}) aclrtFree(memory);
    if (workspace != nullptr) aclrtFree(workspace);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
