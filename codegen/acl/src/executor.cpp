#include "executor.h"

#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "places.h"
#include "strided.h"

namespace opwright {

namespace {

constexpr uint64_t systemWorkspace = UINT64_C(16) << 20;
constexpr uint64_t partAlignment = 512;

uint64_t denseBytes(const View &view) {
    return static_cast<uint64_t>(elementCount(view.shape)) * aclDataTypeSize(view.dtype);
}

uint64_t rounded(uint64_t bytes) { return (bytes + partAlignment - 1) / partAlignment * partAlignment; }

uint8_t *firstElement(const View &view) {
    return static_cast<uint8_t *>(view.data) + view.offset * static_cast<int64_t>(aclDataTypeSize(view.dtype));
}

/// Whether the kernel cannot use the tensor where it lies.
bool needsCopy(const Argument &argument) {
    if (argument.parameter->role == Role::list) return false;
    if (!argument.given) return argument.parameter->role == Role::output;
    if (!argument.view.isContiguous()) return true;
    const auto place = reinterpret_cast<uintptr_t>(argument.view.data);
    return place % aclDataTypeSize(argument.view.dtype) != 0;
}

uint64_t workspaceOf(const aclOpExecutor &executor) {
    uint64_t total = systemWorkspace;
    for (const Argument &argument : executor.arguments) {
        if (needsCopy(argument)) total += rounded(denseBytes(argument.view));
    }
    return total;
}

/// One run: everything that it needs, so that descriptions and executor may go.
struct Launch {
    const Operator *op;
    const Kernel *kernel;
    bool emulated;
    std::vector<Argument> arguments;
    std::vector<int64_t> sizes;
    std::vector<Places> declared;
    std::vector<std::shared_ptr<Block>> blocks;
    std::vector<const char *> blockNames;
    uint8_t *workspace;
    std::vector<uint8_t *> places;

    void run();

private:
    void requireAlive() const;
    void place();
    void checkPlaces() const;
    void callKernel();
};

void Launch::requireAlive() const {
    for (size_t i = 0; i < blocks.size(); i++) {
        if (Memory::all().lives(*blocks[i])) continue;
        refuse(ACL_ERROR_RT_AICORE_EXCEPTION, std::string("the memory of '") + blockNames[i] +
                                                  "' was freed before the stream came to it");
    }
}

/// Finds memory for each argument, and collects the elements of inputs that lie apart.
void Launch::place() {
    static uint64_t nothing = 0;
    uint8_t *next = workspace + systemWorkspace;
    for (Argument &argument : arguments) {
        uint8_t *where = nullptr;
        if (argument.parameter->role == Role::list) {
            where = argument.list.data();
        } else if (needsCopy(argument)) {
            where = next;
            next += rounded(denseBytes(argument.view));
            if (argument.given && argument.parameter->role == Role::input) gather(where, argument.view);
        } else if (argument.given) {
            where = firstElement(argument.view);
        }
        const bool empty = argument.parameter->role != Role::list && denseBytes(argument.view) == 0;
        places.push_back(where == nullptr || empty ? reinterpret_cast<uint8_t *>(&nothing) : where);
    }
}

void Launch::checkPlaces() const {
    for (const Places &each : declared) {
        const std::string fault = faultOfPlaces(each, arguments[each.argument], places[each.argument]);
        if (!fault.empty()) refuse(ACLNN_ERR_PARAM_INVALID, fault + "; nothing was written");
    }
}

size_t indexOf(const std::vector<Argument> &arguments, const char *name) {
    size_t index = 0;
    while (std::strcmp(arguments[index].parameter->name, name) != 0) index++;
    return index;
}

uint64_t bytesOf(const Argument &argument) {
    return argument.parameter->role == Role::list ? argument.list.size() : denseBytes(argument.view);
}

void Launch::callKernel() {
    std::vector<void *> tensors;
    std::vector<uint64_t> bytes;
    for (const char *name : kernel->tensors) {
        const size_t index = *name == '\0' ? arguments.size() : indexOf(arguments, name);
        if (index == arguments.size() && emulated) continue;
        tensors.push_back(index == arguments.size() ? nullptr : places[index]);
        bytes.push_back(index == arguments.size() ? 0 : bytesOf(arguments[index]));
    }
    if (emulated) {
        runEmulated(*kernel, tensors, bytes, sizes);
    } else if (kernel->run(tensors.data(), sizes.data(), 1) != 0) {
        refuse(ACL_ERROR_RT_DEVICE_OOM, "there is no memory for the kernel's own arrays");
    }
}

void Launch::run() {
    requireAlive();
    place();
    checkPlaces();
    callKernel();
    for (size_t i = 0; i < arguments.size(); i++) {
        const Argument &argument = arguments[i];
        if (argument.parameter->role != Role::output || !argument.given) continue;
        if (needsCopy(argument)) scatter(argument.view, places[i]);
    }
}

std::shared_ptr<aclOpExecutor> executorOf(const Operator &op, const aclOpExecutor *handle) {
    if (handle == nullptr) refuse(ACLNN_ERR_PARAM_NULLPTR, "'executor' is null; the first phase returns it");
    auto executor =
        Objects::all().find<aclOpExecutor>(handle, {"aclOpExecutor", "executor", ACLNN_ERR_PARAM_INVALID});
    if (executor->op != &op) {
        refuse(ACLNN_ERR_PARAM_INVALID, std::string("'executor' is of ") + executor->op->name + "GetWorkspaceSize");
    }
    return executor;
}

void checkWorkspace(Launch &launch, void *workspace, uint64_t size, uint64_t needed) {
    if (size > 0 && workspace == nullptr) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, "'workspace' is null, 'workspaceSize' is " + std::to_string(size));
    }
    if (size < needed) {
        refuse(ACLNN_ERR_PARAM_INVALID, "'workspaceSize' is " + std::to_string(size) + "; the first phase asked for " +
                                            std::to_string(needed) + " bytes");
    }
    launch.blocks.push_back(deviceRange("workspace", workspace, size, ACLNN_ERR_PARAM_INVALID).block);
    launch.blockNames.push_back("workspace");
    launch.workspace = static_cast<uint8_t *>(workspace);
}

/// Refuses a tensor whose elements do not all lie in one piece of device memory.
void checkMemory(Launch &launch) {
    for (const Argument &argument : launch.arguments) {
        const View &view = argument.view;
        if (!argument.given || argument.parameter->role == Role::list || denseBytes(view) == 0) continue;
        const Extent extent = extentOf(argument.parameter->name, view, ACLNN_ERR_RUNTIME_ERROR);
        const auto *first = static_cast<const uint8_t *>(view.data) + extent.first;
        const auto size = static_cast<size_t>(extent.end - extent.first);
        const Found found = deviceRange(argument.parameter->name, first, size, ACLNN_ERR_RUNTIME_ERROR);
        launch.blocks.push_back(found.block);
        launch.blockNames.push_back(argument.parameter->name);
    }
}

std::shared_ptr<Stream> streamFor(aclrtStream handle) {
    try {
        return streamOf(handle);
    } catch (const Refusal &refusal) {
        refuse(ACLNN_ERR_RUNTIME_ERROR, refusal.text + " (" + std::to_string(refusal.code) + ")");
    }
}

void launchOn(const Operator &op, void *workspace, uint64_t workspaceSize, aclOpExecutor *handle, aclrtStream stream) {
    const auto executor = executorOf(op, handle);
    auto launch = std::make_shared<Launch>();
    {
        const std::lock_guard<std::mutex> lock(executor->mutex);
        *launch = Launch{executor->op, executor->kernel, executor->emulated, executor->arguments, executor->sizes,
                         executor->places, {}, {}, nullptr, {}};
    }
    checkWorkspace(*launch, workspace, workspaceSize, workspaceOf(*executor));
    const auto on = streamFor(stream);
    checkMemory(*launch);
    if (!executor->repeatable) {
        Objects::all().remove<aclOpExecutor>(handle, {"aclOpExecutor", "executor", ACLNN_ERR_PARAM_INVALID});
    }
    on->push({[launch] { launch->run(); }, op.name});
}

}  // namespace

void finishFirstPhase(std::shared_ptr<aclOpExecutor> executor, uint64_t *workspaceSize, aclOpExecutor **out) {
    if (workspaceSize == nullptr) refuse(ACLNN_ERR_PARAM_NULLPTR, "'workspaceSize' is null; it is required");
    *workspaceSize = workspaceOf(*executor);
    *out = Objects::all().add(std::move(executor));
}

aclnnStatus secondPhase(const Operator &op, void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
    return guarded(op.name, [&] { launchOn(op, workspace, workspaceSize, executor, stream); });
}

namespace {

std::shared_ptr<aclOpExecutor> living(const aclOpExecutor *executor, int unknownCode) {
    if (executor == nullptr) refuse(ACLNN_ERR_INNER_NULLPTR, "'executor' must not be null");
    return Objects::all().find<aclOpExecutor>(executor, {"aclOpExecutor", "executor", unknownCode});
}

/// Gives the tensor number `index` among those of some roles another address.
void setAddress(aclOpExecutor *handle, size_t index, aclTensor *tensor, void *addr, bool inputs, bool outputs) {
    if (tensor == nullptr) refuse(ACLNN_ERR_INNER_NULLPTR, "'tensor' must not be null");
    const auto executor = living(handle, ACLNN_ERR_PARAM_INVALID);
    const std::lock_guard<std::mutex> lock(executor->mutex);
    size_t left = index;
    for (Argument &argument : executor->arguments) {
        const Role role = argument.parameter->role;
        if (role == Role::list || !(role == Role::input ? inputs : outputs)) continue;
        if (left-- > 0) continue;
        if (reinterpret_cast<uintptr_t>(addr) % aclDataTypeSize(argument.view.dtype) != 0) {
            refuse(ACLNN_ERR_PARAM_INVALID, "'addr' is " + address(addr) + "; it must be aligned to whole elements");
        }
        argument.view.data = addr;
        return;
    }
    refuse(ACLNN_ERR_PARAM_INVALID, "'index' is " + std::to_string(index) + ", there is no such tensor");
}

}  // namespace

}  // namespace opwright

using namespace opwright;

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor) {
    return guarded("aclSetAclOpExecutorRepeatable",
                   [&] { living(executor, ACLNN_ERR_PARAM_INVALID)->repeatable = true; });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor) {
    return guarded("aclDestroyAclOpExecutor", [&] {
        living(executor, ACLNN_ERR_INNER);
        Objects::all().remove<aclOpExecutor>(executor, {"aclOpExecutor", "executor", ACLNN_ERR_INNER});
    });
}

aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr) {
    return guarded("aclSetTensorAddr", [&] { setAddress(executor, index, tensor, addr, true, true); });
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr) {
    return guarded("aclSetInputTensorAddr", [&] { setAddress(executor, index, tensor, addr, true, false); });
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr) {
    return guarded("aclSetOutputTensorAddr", [&] { setAddress(executor, index, tensor, addr, false, true); });
}
