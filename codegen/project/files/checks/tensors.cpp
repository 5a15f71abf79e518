#include "tensors.h"

#include "aclnn_kernels/contiguous.h"
#include "opdev/op_log.h"

namespace opwright {

namespace {

template <typename T>
T *required(T *pointer, const char *what, const char *parameter) {
    if (pointer == nullptr) refuse(ACLNN_ERR_INNER_NULLPTR, std::string(what) + " '" + parameter + "' failed");
    return pointer;
}

}  // namespace

int failed(const char *api, const Refusal &refusal) noexcept {
    OP_LOGE(refusal.code, "%s: %s", api, refusal.text.c_str());
    return refusal.code;
}

View viewOf(const aclTensor *tensor, const char *) {
    View view;
    const op::Shape &shape = tensor->GetViewShape();
    for (size_t i = 0; i < shape.GetDimNum(); i++) view.shape.push_back(shape.GetDim(i));
    for (const int64_t stride : tensor->GetViewStrides()) view.strides.push_back(stride);
    view.offset = tensor->GetViewOffset();
    view.dtype = static_cast<aclDataType>(tensor->GetDataType());
    view.format = static_cast<aclFormat>(tensor->GetStorageFormat());
    return view;
}

std::vector<int64_t> valuesOf(const aclIntArray *list, const char *) {
    return std::vector<int64_t>(list->GetData(), list->GetData() + list->Size());
}

void Call::place(aclOpExecutor **executor) const {
    if (executor == nullptr) refuse(ACLNN_ERR_PARAM_NULLPTR, "'executor' is null; it is required");
}

const aclTensor *dense(const aclTensor *input, const char *parameter, aclOpExecutor *executor) {
    if (input == nullptr) return nullptr;
    return required(l0op::Contiguous(input, executor), "collecting the elements of", parameter);
}

const aclTensor *listTensor(const Call &call, const char *parameter, op::DataType dtype, aclOpExecutor *executor) {
    const std::vector<int64_t> &elements = call.elements(parameter);
    if (!call.given(parameter)) return nullptr;
    const aclIntArray *array = executor->AllocIntArray(elements.data(), elements.size());
    return required(executor->ConvertToTensor(array, dtype), "making a tensor of", parameter);
}

const aclTensor *target(const Call &call, const aclTensor *output, const char *parameter, aclOpExecutor *executor) {
    const View &view = call.argument(parameter).view;
    if (output != nullptr && view.isContiguous()) return output;
    op::Shape shape;
    for (const int64_t size : view.shape) shape.AppendDim(size);
    const auto dtype = static_cast<op::DataType>(view.dtype);
    return required(executor->AllocTensor(shape, dtype), "making memory for", parameter);
}

void copyBack(const aclTensor *written, const aclTensor *output, const char *parameter, aclOpExecutor *executor) {
    if (output == nullptr || written == output) return;
    required(l0op::ViewCopy(written, output, executor), "spreading the elements of", parameter);
}

const aclIntArray *integersOr(const aclIntArray *given, std::initializer_list<int64_t> otherwise,
                              aclOpExecutor *executor) {
    return given != nullptr ? given : executor->AllocIntArray(otherwise.begin(), otherwise.size());
}

void requireSuccess(aclnnStatus status, const char *what) {
    if (status != ACLNN_SUCCESS) refuse(status, std::string(what) + " failed");
}

}  // namespace opwright
