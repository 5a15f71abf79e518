// What the first phase decides and the second phase runs.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "argument.h"
#include "memory.h"
#include "stream.h"
#include "tensor.h"

namespace opwright {

/// Runs a kernel in its emulated form.
void runEmulated(const Kernel &kernel, const std::vector<void *> &tensors, const std::vector<uint64_t> &bytes,
                 const std::vector<int64_t> &sizes);

/// Whether calls run the emulated kernels: $OPWRIGHT_BACKEND is ascendc, not c.
bool wantsEmulation();

/// Refuses where the library holds no emulated form of a kernel.
void requireEmulated(const Kernel &kernel);

/// Finishes a first phase.
void finishFirstPhase(std::shared_ptr<aclOpExecutor> executor, uint64_t *workspaceSize, aclOpExecutor **out);

aclnnStatus secondPhase(const Operator &op, void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream);

}  // namespace opwright

struct aclOpExecutor : opwright::Object {
    const char *kind() const override { return "aclOpExecutor"; }
    const char *fate() const override { return "has run, or was destroyed; one that is not repeatable runs once"; }

    const opwright::Operator *op = nullptr;
    const opwright::Kernel *kernel = nullptr;
    bool emulated = false;
    std::vector<opwright::Argument> arguments;
    std::vector<int64_t> sizes;
    std::vector<opwright::Places> places;
    std::atomic<bool> repeatable{false};
    std::mutex mutex;
};
