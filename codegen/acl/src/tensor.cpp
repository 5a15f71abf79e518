#include "tensor.h"

#include <limits>

namespace opwright {

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

namespace {

struct DtypeSize {
    aclDataType dtype;
    size_t bytes;
};

const DtypeSize dtypeSizes[] = {
    {ACL_FLOAT, 4},
    {ACL_FLOAT16, 2},
    {ACL_INT8, 1},
    {ACL_INT32, 4},
    {ACL_UINT8, 1},
    {ACL_INT16, 2},
    {ACL_UINT16, 2},
    {ACL_UINT32, 4},
    {ACL_INT64, 8},
    {ACL_UINT64, 8},
    {ACL_DOUBLE, 8},
    {ACL_BOOL, 1},
    {ACL_STRING, 0},
    {ACL_COMPLEX64, 8},
    {ACL_COMPLEX128, 16},
    {ACL_BF16, 2},
    {ACL_INT4, 1},
    {ACL_UINT1, 1},
    {ACL_COMPLEX32, 4},
    {ACL_HIFLOAT8, 1},
    {ACL_FLOAT8_E5M2, 1},
    {ACL_FLOAT8_E4M3FN, 1},
    {ACL_FLOAT8_E8M0, 1},
    {ACL_FLOAT6_E3M2, 1},
    {ACL_FLOAT6_E2M3, 1},
    {ACL_FLOAT4_E2M1, 1},
    {ACL_FLOAT4_E1M2, 1},
};

}  // namespace

size_t aclDataTypeSize(aclDataType dataType) {
    for (const DtypeSize &row : dtypeSizes) {
        if (row.dtype == dataType) return row.bytes;
    }
    return 0;
}
