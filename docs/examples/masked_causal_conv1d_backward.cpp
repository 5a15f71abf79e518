// Gradients of a masked causal convolution, with a weight that is stored column by column and a mask.
// Prints every element of both results, one a line: name[index] value.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/fp16_t.h"
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"

namespace {

using Shape = std::vector<int64_t>;

const int64_t S = 5, B = 2, H = 384, W = 3;

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

aclTensor *describe(const Shape &shape, const Shape &strides, aclDataType dtype, void *memory) {
    return aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
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

    void *gradYData = onDevice(numbers(S * B * H, 5));
    void *xData = onDevice(numbers(S * B * H, 7));
    void *weightData = onDevice(numbers(W * H, 3));
    void *maskData = onDevice(std::vector<uint8_t>{1, 0, 1, 1, 1, 0, 1, 1, 2, 0});
    void *gradXData = onDevice(std::vector<op::fp16_t>(S * B * H));
    void *gradWeightData = onDevice(std::vector<op::fp16_t>(W * H));

    const Shape rows = {B * H, H, 1};
    aclTensor *gradY = describe({S, B, H}, rows, ACL_FLOAT16, gradYData);
    aclTensor *x = describe({S, B, H}, rows, ACL_FLOAT16, xData);
    aclTensor *weight = describe({W, H}, {1, W}, ACL_FLOAT16, weightData);
    aclTensor *mask = describe({B, S}, {S, 1}, ACL_BOOL, maskData);
    aclTensor *gradX = describe({S, B, H}, rows, ACL_FLOAT16, gradXData);
    aclTensor *gradWeight = describe({W, H}, {H, 1}, ACL_FLOAT16, gradWeightData);

    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    void *workspace = nullptr;
    check(aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(gradY, x, weight, mask, gradX, gradWeight, &workspaceSize,
                                                          &executor),
          "aclnnMaskedCausalConv1dBackwardGetWorkspaceSize");
    if (workspaceSize > 0) check(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclnnMaskedCausalConv1dBackward(workspace, workspaceSize, executor, stream),
          "aclnnMaskedCausalConv1dBackward");
    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    print("gradX", gradXData, S * B * H);
    print("gradWeight", gradWeightData, W * H);

    for (aclTensor *tensor : {gradY, x, weight, mask, gradX, gradWeight}) aclDestroyTensor(tensor);
    for (void *memory : {gradYData, xData, weightData, maskData, gradXData, gradWeightData}) aclrtFree(memory);
    if (workspace != nullptr) aclrtFree(workspace);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
