// What a tensor is: shape, strides, dtype and place in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

namespace opwright {

using Shape = std::vector<int64_t>;

/// Row-major strides, in elements.
Shape rowMajor(const Shape &shape);

/// The number of elements, at most `most` where it is larger; 0 for an empty tensor.
int64_t elementCount(const Shape &shape);

/// The signed integer of `width` bytes that stands at an index.
int64_t integerAt(const uint8_t *integers, size_t index, size_t width);

/// A shape as text: `[3, 384]`.
std::string shapeText(const Shape &shape);

const char *dtypeName(aclDataType dtype);
std::string formatName(aclFormat format);

/// Whether a tensor of a format is laid out as one of ND: frameworks name those of rank 3, 4 and 5 by their dimensions.
bool isPlain(aclFormat format);

/// What a tensor is: a view of memory. Strides and offset count elements.
struct View {
    Shape shape;
    Shape strides;
    int64_t offset = 0;
    aclDataType dtype = ACL_DT_UNDEFINED;
    aclFormat format = ACL_FORMAT_UNDEFINED;
    Shape storage;
    void *data = nullptr;

    /// Whether the elements lie in memory as a row-major tensor's do, one after the other.
    bool isContiguous() const;
};

}  // namespace opwright
