// What an operator's generated source tells the runtime: its parameters and its kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"

namespace opwright {

enum class Role { input, list, output };

using Dtypes = std::vector<aclDataType>;

/// A tensor, or a list of integers on the host.
struct Parameter {
    const char *name;
    Role role;
    bool optional;

    /// Whether the elements may lie apart in memory.
    bool strided;

    /// The name of each dim, or its size as a text.
    std::vector<const char *> dims;

    /// The dtypes that it may have in each dtype column.
    std::vector<Dtypes> dtypes;

    /// The status for each dim whose size disagrees; empty where all have the usual one.
    std::vector<int> codes;
};

/// One compiled kernel.
struct Kernel {
    const char *name;

    /// The number of its dtype column.
    size_t column;

    /// The names of the optional inputs that are given where it serves, and of the boolean attributes that are true.
    std::vector<const char *> given;
    std::vector<const char *> switches;

    /// The parameters that it takes as arrays, in order; "" for a workspace of its own.
    std::vector<const char *> tensors;

    /// The dims and attributes that it takes, in order.
    std::vector<const char *> sizes;

    /// Runs it natively; not null.
    int (*run)(void *const *tensors, const int64_t *sizes, int64_t cores);

    /// The number of cores of its emulated form, and the name of its file; "" where the library has none.
    int64_t cores;
    const char *emulated;
};

/// One constraint on the elements of lists, place by place.
struct ListCheck {
    int code;
    const char *constraint;

    /// Which test: <=, <, >=, > or ==; and the names of the arrays that hold its sides.
    const char *comparison;
    const char *lhs;
    const char *rhs;

    std::vector<const char *> dims;
    aclDataType dtype;
};

/// The constraints on lists, and the kernel that computes their sides.
struct ListSides {
    Kernel kernel;
    std::vector<ListCheck> checks;
};

struct Operator {
    /// The name of its second phase.
    const char *name;

    /// The names of its boolean attributes.
    std::vector<const char *> switches;
    std::vector<Parameter> parameters;
    std::vector<Kernel> kernels;
};

}  // namespace opwright
