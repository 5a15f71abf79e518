// Tensors that lie apart in memory, on both sides; a list, its default; bytes for booleans; memory that is not aligned.
#include "aclnnop/aclnn_segment_bias.h"
#include "support.h"

namespace {

const int64_t T = 6, C = 3;

/// What one call does differently.
struct Layout {
    Shape xStrides;
    int64_t xOffset;
    Shape outStrides;
    int64_t outOffset;
    size_t shift;
    const std::vector<int8_t> *mask;
    const std::vector<int64_t> *list;
};

float value(int64_t t, int64_t c) { return static_cast<float>(t * 10 + c); }

void run(const Layout &layout) {
    const size_t room = 256;
    auto *xData = static_cast<char *>(deviceMemory(room * 4 + layout.shift)) + layout.shift;
    void *outData = deviceMemory(room * 4), *biasData = deviceMemory(C * 4), *maskData = deviceMemory(T);
    std::vector<float> x(room, -1), before(room, -2);
    for (int64_t t = 0; t < T; t++) {
        for (int64_t c = 0; c < C; c++) {
            x[layout.xOffset + t * layout.xStrides[0] + c * layout.xStrides[1]] = value(t, c);
        }
    }
    toDevice(xData, x);
    toDevice(outData, before);
    toDevice(biasData, std::vector<float>{0.5f, 1.5f, 2.5f});
    if (layout.mask != nullptr) toDevice(maskData, *layout.mask);
    aclTensor *input = describe({T, C}, ACL_FLOAT, xData, layout.xStrides, layout.xOffset);
    aclTensor *bias = describe({C}, ACL_FLOAT, biasData);
    aclTensor *mask = layout.mask == nullptr ? nullptr : describe({T}, ACL_INT8, maskData);
    aclTensor *out = describe({T, C}, ACL_FLOAT, outData, layout.outStrides, layout.outOffset);
    aclIntArray *list = layout.list == nullptr ? nullptr : aclCreateIntArray(layout.list->data(), layout.list->size());
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    EXPECT(aclnnSegmentBiasGetWorkspaceSize(input, bias, mask, list, 1, false, nullptr, nullptr, out, &size,
                                            &executor) == OK);
    void *workspace = deviceMemory(size);
    EXPECT(aclnnSegmentBias(workspace, size, executor, nullptr) == OK);
    EXPECT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
    std::vector<float> wanted = before;
    for (int64_t t = 0; t < T; t++) {
        for (int64_t c = 0; c < C; c++) {
            const bool kept = layout.mask == nullptr || (*layout.mask)[t] != 0;
            const float sum = value(t, c) + 0.5f + static_cast<float>(c);
            wanted[layout.outOffset + t * layout.outStrides[0] + c * layout.outStrides[1]] = kept ? sum : 0;
        }
    }
    EXPECT(toHost<float>(outData, room) == wanted);
    for (aclTensor *each : {input, bias, mask, out}) EXPECT(aclDestroyTensor(each) == OK);
    EXPECT(aclDestroyIntArray(list) == OK);
    for (void *each : {static_cast<void *>(xData - layout.shift), outData, biasData, maskData, workspace}) aclrtFree(each);
}

}  // namespace

int main() {
    EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
    const std::vector<int8_t> mask = {1, 0, 2, -1, 0, 1};
    const std::vector<int64_t> list = {0, 4, 4, T};
    const std::vector<int64_t> empty;
    run({{C, 1}, 0, {C, 1}, 0, 0, nullptr, nullptr});
    run({{C, 1}, 0, {C, 1}, 0, 0, &mask, &list});
    run({{1, T}, 5, {1, T}, 3, 0, &mask, &empty});
    run({{2 * C, 2}, 7, {17, 5}, 1, 0, nullptr, &list});
    run({{-C, 1}, (T - 1) * C, {-8, -2}, 60, 0, &mask, nullptr});
    run({{C, 1}, 0, {C, 1}, 0, 1, &mask, &list});
    run({{C, 1}, 2, {C, 1}, 9, 3, nullptr, nullptr});
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS && aclGetRecentErrMsg() == nullptr);
    std::puts("every layout is right");
    return 0;
}
