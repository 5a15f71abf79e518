// What the test programs share: failing loudly, memory, tensors.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/fp16_t.h"

#define EXPECT(condition) expect((condition), #condition, __LINE__)

inline void expect(bool condition, const char *text, int line) {
    if (condition) return;
    const char *message = aclGetRecentErrMsg();
    std::printf("line %d: not so: %s\n%s\n", line, text, message == nullptr ? "" : message);
    std::fflush(stdout);
    std::abort();
}

/// Whether a call failed with this status, and its message holds the text.
inline bool refused(int status, int wanted, const char *text) {
    const char *found = aclGetRecentErrMsg();
    const std::string message = found == nullptr ? "" : found;
    if (status == wanted && message.find(text) != std::string::npos) return true;
    std::printf("status %d, wanted %d with '%s'; message: %s\n", status, wanted, text, message.c_str());
    return false;
}

using Shape = std::vector<int64_t>;

inline int64_t count(const Shape &shape) {
    int64_t total = 1;
    for (int64_t size : shape) total *= size;
    return total;
}

inline Shape rowMajor(const Shape &shape) {
    Shape strides(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

inline aclTensor *describe(const Shape &shape, aclDataType dtype, void *data, const Shape &strides, int64_t offset = 0,
                           aclFormat format = ACL_FORMAT_ND) {
    return aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), offset, format, shape.data(),
                           shape.size(), data);
}

inline aclTensor *describe(const Shape &shape, aclDataType dtype, void *data) {
    return describe(shape, dtype, data, rowMajor(shape));
}

inline void *deviceMemory(size_t bytes) {
    void *memory = nullptr;
    EXPECT(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    return memory;
}

template <typename T>
void toDevice(void *memory, const std::vector<T> &values) {
    const size_t bytes = values.size() * sizeof(T);
    EXPECT(aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
}

template <typename T>
std::vector<T> toHost(const void *memory, size_t size) {
    std::vector<T> values(size);
    EXPECT(aclrtMemcpy(values.data(), size * sizeof(T), memory, size * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST) ==
           ACL_SUCCESS);
    return values;
}
