// What tests call of a library of aclnn functions, beside these functions themselves.
#include <cstring>

#include "aclnn/opdev/make_op_executor.h"
#include "aclnn/opdev/op_log.h"
#include "aclnn_kernels/contiguous.h"

#define STUB_EXPORT extern "C" __attribute__((visibility("default")))

namespace op {

std::string &Message()
{
    static std::string message;
    return message;
}

aclnnStatus &LaunchStatus()
{
    static aclnnStatus status = 0;
    return status;
}

}  // namespace op

namespace {

bool IsDense(const aclTensor &tensor)
{
    int64_t stride = 1;
    for (size_t i = tensor.shape.GetDimNum(); i-- > 0;) {
        if (tensor.shape.GetDim(i) != 1 && tensor.strides[i] != stride) {
            return false;
        }
        stride *= tensor.shape.GetDim(i);
    }
    return true;
}

}  // namespace

const aclTensor *l0op::Contiguous(const aclTensor *tensor, aclOpExecutor *executor)
{
    if (IsDense(*tensor)) {
        return tensor;
    }
    executor->steps += "collect " + tensor->name + "\n";
    return executor->Make(tensor->shape, tensor->dtype, "dense " + tensor->name);
}

const aclTensor *l0op::ViewCopy(const aclTensor *from, const aclTensor *to, aclOpExecutor *executor)
{
    executor->steps += "copy " + from->name + " to " + to->name + "\n";
    return to;
}

aclnnStatus CommonOpExecutorRun(void *, uint64_t, aclOpExecutor *executor, aclrtStream)
{
    return executor == nullptr ? 161001 : 0;
}

size_t aclDataTypeSize(aclDataType dtype)
{
    switch (static_cast<int>(dtype)) {
        case ge::DT_INT64:
        case ge::DT_DOUBLE:
            return 8;
        case ge::DT_FLOAT:
        case ge::DT_INT32:
            return 4;
        case ge::DT_FLOAT16:
        case ge::DT_BF16:
        case ge::DT_INT16:
            return 2;
        default:
            return 1;
    }
}

STUB_EXPORT aclTensor *stub_tensor(const char *name, const int64_t *dims, const int64_t *strides, int64_t rank,
                                   int32_t dtype, int32_t format)
{
    auto *tensor = new aclTensor();
    for (int64_t i = 0; i < rank; ++i) {
        tensor->shape.AppendDim(dims[i]);
        tensor->strides.push_back(strides[i]);
    }
    tensor->dtype = static_cast<ge::DataType>(dtype);
    tensor->format = static_cast<ge::Format>(format);
    tensor->name = name;
    return tensor;
}

STUB_EXPORT aclIntArray *stub_array(const int64_t *values, int64_t count)
{
    return new aclIntArray{std::vector<int64_t>(values, values + count)};
}

STUB_EXPORT void stub_answer(int32_t status) { op::LaunchStatus() = status; }

STUB_EXPORT const char *stub_message() { return op::Message().c_str(); }

STUB_EXPORT const char *stub_steps(const aclOpExecutor *executor) { return executor->steps.c_str(); }
