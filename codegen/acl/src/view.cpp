#include "view.h"

#include <cstring>
#include <limits>

namespace opwright {

namespace {

struct DtypeName {
    int dtype;
    const char *name;
};

/// Dtypes that older headers do not have stand here by their numbers.
const DtypeName dtypeNames[] = {
    {ACL_FLOAT, "ACL_FLOAT"},
    {ACL_FLOAT16, "ACL_FLOAT16"},
    {ACL_INT8, "ACL_INT8"},
    {ACL_INT32, "ACL_INT32"},
    {ACL_UINT8, "ACL_UINT8"},
    {ACL_INT16, "ACL_INT16"},
    {ACL_UINT16, "ACL_UINT16"},
    {ACL_UINT32, "ACL_UINT32"},
    {ACL_INT64, "ACL_INT64"},
    {ACL_UINT64, "ACL_UINT64"},
    {ACL_DOUBLE, "ACL_DOUBLE"},
    {ACL_BOOL, "ACL_BOOL"},
    {ACL_STRING, "ACL_STRING"},
    {ACL_COMPLEX64, "ACL_COMPLEX64"},
    {ACL_COMPLEX128, "ACL_COMPLEX128"},
    {ACL_BF16, "ACL_BF16"},
    {ACL_INT4, "ACL_INT4"},
    {ACL_UINT1, "ACL_UINT1"},
    {ACL_COMPLEX32, "ACL_COMPLEX32"},
    {34, "ACL_HIFLOAT8"},
    {35, "ACL_FLOAT8_E5M2"},
    {36, "ACL_FLOAT8_E4M3FN"},
    {37, "ACL_FLOAT8_E8M0"},
    {38, "ACL_FLOAT6_E3M2"},
    {39, "ACL_FLOAT6_E2M3"},
    {40, "ACL_FLOAT4_E2M1"},
    {41, "ACL_FLOAT4_E1M2"},
};

}  // namespace

const char *dtypeName(aclDataType dtype) {
    for (const DtypeName &row : dtypeNames) {
        if (row.dtype == dtype) return row.name;
    }
    return "an unknown dtype";
}

std::string formatName(aclFormat format) {
    return format == ACL_FORMAT_ND ? "ACL_FORMAT_ND" : "format " + std::to_string(static_cast<int>(format));
}

bool isPlain(aclFormat format) {
    switch (format) {
        case ACL_FORMAT_ND: case ACL_FORMAT_NCL: case ACL_FORMAT_NCHW: case ACL_FORMAT_NHWC: case ACL_FORMAT_NCDHW:
            return true;
        default: return false;
    }
}

Shape rowMajor(const Shape &shape) {
    Shape strides(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) {
        const int64_t size = shape[i] > 0 ? shape[i] : 1;
        if (__builtin_mul_overflow(strides[i], size, &strides[i - 1])) {
            strides[i - 1] = std::numeric_limits<int64_t>::max();
        }
    }
    return strides;
}

int64_t elementCount(const Shape &shape) {
    int64_t count = 1;
    for (const int64_t size : shape) {
        if (size <= 0) return 0;
    }
    for (const int64_t size : shape) {
        if (__builtin_mul_overflow(count, size, &count)) return std::numeric_limits<int64_t>::max();
    }
    return count;
}

int64_t integerAt(const uint8_t *integers, size_t index, size_t width) {
    uint64_t value = 0;
    std::memcpy(&value, integers + index * width, width);
    const auto spare = static_cast<unsigned>(64 - width * 8);
    return static_cast<int64_t>(value << spare) >> spare;
}

std::string shapeText(const Shape &shape) {
    std::string text = "[";
    for (const int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

bool View::isContiguous() const {
    const Shape dense = rowMajor(shape);
    if (elementCount(shape) == 0) return true;
    for (size_t i = 0; i < shape.size(); i++) {
        if (shape[i] != 1 && strides[i] != dense[i]) return false;
    }
    return true;
}

}  // namespace opwright
