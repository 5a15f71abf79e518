#include <algorithm>
#include <cstring>

#include "call.h"
#include "executor.h"

namespace opwright {

View viewOf(const aclTensor *tensor, const char *parameter) {
    return Objects::all().find<aclTensor>(tensor, {"aclTensor", parameter, ACLNN_ERR_PARAM_INVALID})->view;
}

std::vector<int64_t> valuesOf(const aclIntArray *list, const char *parameter) {
    return Objects::all().find<aclIntArray>(list, {"aclIntArray", parameter, ACLNN_ERR_PARAM_INVALID})->values;
}

void Call::place(aclOpExecutor **executor) const {
    requireInit(ACLNN_ERR_RUNTIME_ERROR);
    if (executor == nullptr) refuse(ACLNN_ERR_PARAM_NULLPTR, "'executor' is null; it is required");
}

namespace {

bool holds(const std::vector<const char *> &names, const char *name) {
    return std::any_of(names.begin(), names.end(), [&](const char *each) { return std::strcmp(each, name) == 0; });
}

}  // namespace

bool Call::serves(const Kernel &kernel) const {
    if (kernel.column != columns_.front()) return false;
    for (const char *name : op_.switches) {
        if ((at(name).value != 0) != holds(kernel.switches, name)) return false;
    }
    for (const Argument &each : arguments_) {
        if (each.parameter->role == Role::output || !each.parameter->optional) continue;
        if (each.given != holds(kernel.given, each.parameter->name)) return false;
    }
    return true;
}

const Kernel &Call::kernel() const {
    for (const Kernel &each : op_.kernels) {
        if (serves(each)) return each;
    }
    refuse(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "there is no kernel for these dtypes and optional tensors");
}

void Call::finish(uint64_t *workspaceSize, aclOpExecutor **executor) {
    settle();
    auto made = std::make_shared<aclOpExecutor>();
    made->op = &op_;
    made->kernel = &kernel();
    made->emulated = wantsEmulation();
    if (made->emulated) requireEmulated(*made->kernel);
    for (const char *name : made->kernel->sizes) made->sizes.push_back(at(name).value);
    made->places = std::move(places_);
    made->arguments = std::move(arguments_);
    finishFirstPhase(std::move(made), workspaceSize, executor);
}

aclnnStatus firstPhase(const Operator &op, const std::function<void(Call &)> &body) {
    const std::string api = std::string(op.name) + "GetWorkspaceSize";
    return guarded(api.c_str(), [&] {
        Call call(op);
        body(call);
    });
}

}  // namespace opwright
