// Descriptions of tensors, scalars and lists.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "objects.h"

namespace opwright {

using Shape = std::vector<int64_t>;

/// Row-major strides, in elements.
Shape rowMajor(const Shape &shape);

/// The number of elements, at most `most` where it is larger; 0 for an empty tensor.
int64_t elementCount(const Shape &shape);

/// A shape as text: `[3, 384]`.
std::string shapeText(const Shape &shape);

const char *dtypeName(aclDataType dtype);
std::string formatName(aclFormat format);

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

/// The first and the last byte that a view touches, relative to its data; refuses one that no memory can hold.
struct Extent {
    int64_t first;
    int64_t end;
};
Extent extentOf(const char *parameter, const View &view, int code);

}  // namespace opwright

struct aclTensor : opwright::Object {
    const char *kind() const override { return "aclTensor"; }

    opwright::View view;
};

struct aclScalar : opwright::Object {
    const char *kind() const override { return "aclScalar"; }

    aclDataType dtype = ACL_DT_UNDEFINED;
    std::vector<uint8_t> bytes;
};

struct aclIntArray : opwright::Object {
    const char *kind() const override { return "aclIntArray"; }

    std::vector<int64_t> values;
};

struct aclFloatArray : opwright::Object {
    const char *kind() const override { return "aclFloatArray"; }

    std::vector<float> values;
};

struct aclBoolArray : opwright::Object {
    const char *kind() const override { return "aclBoolArray"; }

    std::vector<bool> values;
};

struct aclTensorList : opwright::Object {
    const char *kind() const override { return "aclTensorList"; }

    std::vector<const aclTensor *> values;
};

struct aclScalarList : opwright::Object {
    const char *kind() const override { return "aclScalarList"; }

    std::vector<const aclScalar *> values;
};
