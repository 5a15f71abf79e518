// Tensors of a call as the kernel takes them: dense, in an executor's care.
#pragma once

#include <initializer_list>

#include "call.h"
#include "opdev/op_executor.h"

namespace opwright {

/// An input as a dense tensor: itself, or a copy that the executor makes. Null for null.
const aclTensor *dense(const aclTensor *input, const char *parameter, aclOpExecutor *executor);

/// The elements of a list as a tensor; those of its default where the call gives none.
const aclTensor *listTensor(const Call &call, const char *parameter, op::DataType dtype, aclOpExecutor *executor);

/// Where the kernel writes an output: itself, or a tensor of the executor where it lies apart or is not asked for.
const aclTensor *target(const Call &call, const aclTensor *output, const char *parameter, aclOpExecutor *executor);

/// Copies what the kernel wrote to where the caller wants it, if that is elsewhere.
void copyBack(const aclTensor *written, const aclTensor *output, const char *parameter, aclOpExecutor *executor);

/// An attribute that is a list of integers; its default for null.
const aclIntArray *integersOr(const aclIntArray *given, std::initializer_list<int64_t> otherwise,
                              aclOpExecutor *executor);

/// Refuses a status of the layer below that is no success.
void requireSuccess(aclnnStatus status, const char *what);

}  // namespace opwright
