// Descriptions of tensors, scalars and lists.
#pragma once

#include <cstdint>
#include <vector>

#include "objects.h"
#include "view.h"

namespace opwright {

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
