// What a call gives, and how it is found behind the handles.
#pragma once

#include <cstdint>
#include <vector>

#include "operator.h"
#include "view.h"

namespace opwright {

/// What a call gives for a parameter.
struct Argument {
    const Parameter *parameter = nullptr;
    bool given = false;

    /// Of a tensor. One that the call does not give, but the kernel writes, has the shape that it would have.
    View view;

    /// Of a list: its elements as the kernel takes them.
    std::vector<uint8_t> list;
};

/// What the elements of an input must be when the stream comes to it: from 0 to below - 1; if `unused`, also negative.
struct Places {
    size_t argument;
    int64_t below;
    bool unused;
};

/// What stands behind a handle; refuses one that is no good, by the parameter's name.
View viewOf(const aclTensor *tensor, const char *parameter);
std::vector<int64_t> valuesOf(const aclIntArray *list, const char *parameter);

}  // namespace opwright
