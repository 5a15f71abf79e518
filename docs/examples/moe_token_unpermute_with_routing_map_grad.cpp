// Gradients of bringing rows of experts back to their tokens: two experts a token, one slot unused, a routing map of
// bytes. Prints every element of both results, one a line: name[index] value.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"

namespace {

using Shape = std::vector<int64_t>;

const int64_t T = 3, H = 5, E = 4, M = 6;

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

/// A tensor whose elements follow one another.
aclTensor *describe(const Shape &shape, aclDataType dtype, void *memory) {
    return aclCreateTensor(shape.data(), shape.size(), dtype, nullptr, 0, ACL_FORMAT_ND, shape.data(), shape.size(),
                           memory);
}

std::vector<float> numbers(int64_t count, int64_t step) {
    std::vector<float> values;
    for (int64_t i = 0; i < count; i++) values.push_back(static_cast<float>((i * step) % 17 - 8) / 8);
    return values;
}

void print(const char *name, void *memory, int64_t count) {
    std::vector<float> values(count);
    const size_t bytes = values.size() * sizeof(float);
    check(aclrtMemcpy(values.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
    for (int64_t i = 0; i < count; i++) {
        std::printf("%s[%ld] %g\n", name, static_cast<long>(i), values[i] + 0.0f);  // no "-0"
    }
}

}  // namespace

int main() {
    aclrtStream stream = nullptr;
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");

    void *gradData = onDevice(numbers(T * H, 5));
    void *outIndexData = onDevice(std::vector<int32_t>{4, 0, 2, -1, 5, 1});
    void *tokenIdData = onDevice(std::vector<int32_t>{0, 0, 1, 1, 2, 2});
    void *routingData = onDevice(std::vector<int8_t>{1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1});
    void *tokensData = onDevice(numbers(M * H, 7));
    void *probsData = onDevice(numbers(T * E, 3));
    void *tokensGradData = onDevice(std::vector<float>(M * H));
    void *probsGradData = onDevice(std::vector<float>(T * E));

    aclTensor *grad = describe({T, H}, ACL_FLOAT, gradData);
    aclTensor *outIndex = describe({M}, ACL_INT32, outIndexData);
    aclTensor *tokenId = describe({M}, ACL_INT32, tokenIdData);
    aclTensor *routing = describe({T, E}, ACL_INT8, routingData);
    aclTensor *tokens = describe({M, H}, ACL_FLOAT, tokensData);
    aclTensor *probs = describe({T, E}, ACL_FLOAT, probsData);
    aclTensor *tokensGrad = describe({M, H}, ACL_FLOAT, tokensGradData);
    aclTensor *probsGrad = describe({T, E}, ACL_FLOAT, probsGradData);

    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    void *workspace = nullptr;
    check(aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(grad, outIndex, tokenId, routing, tokens, probs,
                                                                   false, nullptr, tokensGrad, probsGrad,
                                                                   &workspaceSize, &executor),
          "aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize");
    if (workspaceSize > 0) check(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclnnMoeTokenUnpermuteWithRoutingMapGrad(workspace, workspaceSize, executor, stream),
          "aclnnMoeTokenUnpermuteWithRoutingMapGrad");
    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    print("permutedTokensGrad", tokensGradData, M * H);
    print("probsGrad", probsGradData, T * E);

    for (aclTensor *tensor : {grad, outIndex, tokenId, routing, tokens, probs, tokensGrad, probsGrad}) {
        aclDestroyTensor(tensor);
    }
    for (void *memory : {gradData, outIndexData, tokenIdData, routingData, tokensData, probsData, tokensGradData,
                         probsGradData, workspace}) {
        if (memory != nullptr) aclrtFree(memory);
    }
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
