#include "tensor.h"

#include <limits>

namespace opwright {

namespace {

struct DtypeRow {
    aclDataType dtype;
    size_t bytes;
    const char *name;
};

const DtypeRow dtypeRows[] = {
    {ACL_FLOAT, 4, "ACL_FLOAT"},
    {ACL_FLOAT16, 2, "ACL_FLOAT16"},
    {ACL_INT8, 1, "ACL_INT8"},
    {ACL_INT32, 4, "ACL_INT32"},
    {ACL_UINT8, 1, "ACL_UINT8"},
    {ACL_INT16, 2, "ACL_INT16"},
    {ACL_UINT16, 2, "ACL_UINT16"},
    {ACL_UINT32, 4, "ACL_UINT32"},
    {ACL_INT64, 8, "ACL_INT64"},
    {ACL_UINT64, 8, "ACL_UINT64"},
    {ACL_DOUBLE, 8, "ACL_DOUBLE"},
    {ACL_BOOL, 1, "ACL_BOOL"},
    {ACL_STRING, 0, "ACL_STRING"},
    {ACL_COMPLEX64, 8, "ACL_COMPLEX64"},
    {ACL_COMPLEX128, 16, "ACL_COMPLEX128"},
    {ACL_BF16, 2, "ACL_BF16"},
    {ACL_INT4, 1, "ACL_INT4"},
    {ACL_UINT1, 1, "ACL_UINT1"},
    {ACL_COMPLEX32, 4, "ACL_COMPLEX32"},
    {ACL_HIFLOAT8, 1, "ACL_HIFLOAT8"},
    {ACL_FLOAT8_E5M2, 1, "ACL_FLOAT8_E5M2"},
    {ACL_FLOAT8_E4M3FN, 1, "ACL_FLOAT8_E4M3FN"},
    {ACL_FLOAT8_E8M0, 1, "ACL_FLOAT8_E8M0"},
    {ACL_FLOAT6_E3M2, 1, "ACL_FLOAT6_E3M2"},
    {ACL_FLOAT6_E2M3, 1, "ACL_FLOAT6_E2M3"},
    {ACL_FLOAT4_E2M1, 1, "ACL_FLOAT4_E2M1"},
    {ACL_FLOAT4_E1M2, 1, "ACL_FLOAT4_E1M2"},
};

const DtypeRow *rowOf(aclDataType dtype) {
    for (const DtypeRow &row : dtypeRows) {
        if (row.dtype == dtype) return &row;
    }
    return nullptr;
}

}  // namespace

const char *dtypeName(aclDataType dtype) {
    const DtypeRow *row = rowOf(dtype);
    return row == nullptr ? "an unknown dtype" : row->name;
}

std::string formatName(aclFormat format) {
    return format == ACL_FORMAT_ND ? "ACL_FORMAT_ND" : "format " + std::to_string(static_cast<int>(format));
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

Extent extentOf(const char *parameter, const View &view, int code) {
    if (elementCount(view.shape) == 0) return {0, 0};
    __int128 first = view.offset;
    __int128 last = view.offset;
    for (size_t i = 0; i < view.shape.size(); i++) {
        const __int128 reach = static_cast<__int128>(view.shape[i] - 1) * view.strides[i];
        (reach < 0 ? first : last) += reach;
    }
    const __int128 size = static_cast<__int128>(aclDataTypeSize(view.dtype));
    constexpr __int128 most = std::numeric_limits<int64_t>::max() / 64;
    if (first * size < -most || (last + 1) * size > most) {
        refuse(code, std::string("'") + parameter + "' spans more than memory can hold: shape " +
                         shapeText(view.shape) + ", strides " + shapeText(view.strides));
    }
    return {static_cast<int64_t>(first * size), static_cast<int64_t>((last + 1) * size)};
}

}  // namespace opwright

using namespace opwright;

size_t aclDataTypeSize(aclDataType dataType) {
    const DtypeRow *row = rowOf(dataType);
    return row == nullptr ? 0 : row->bytes;
}
