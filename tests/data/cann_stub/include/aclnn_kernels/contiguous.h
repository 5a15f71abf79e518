// A stand-in for copies between tensors whose elements lie apart and dense ones.
#pragma once

#include "aclnn/opdev/op_executor.h"

namespace l0op {

const aclTensor *Contiguous(const aclTensor *tensor, aclOpExecutor *executor);
const aclTensor *ViewCopy(const aclTensor *from, const aclTensor *to, aclOpExecutor *executor);

}  // namespace l0op
