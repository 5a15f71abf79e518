// The process's state: initialized or not, the device, and the contexts of threads.
#pragma once

#include <atomic>
#include <set>
#include <vector>

#include "objects.h"

namespace opwright {

struct Stream;

/// Where streams and events belong; every thread has one that is current, or none.
struct Context : Object {
    Context(int32_t number, bool isDefault);
    const char *kind() const override { return "aclrtContext"; }

    void add(const std::shared_ptr<Stream> &stream);
    void remove(const std::shared_ptr<Stream> &stream);
    std::vector<std::shared_ptr<Stream>> streams() const;

    const int32_t device;
    const bool isDefault;
    std::atomic<bool> destroyed{false};
    std::shared_ptr<Stream> defaultStream;

private:
    mutable std::mutex mutex_;
    std::set<std::shared_ptr<Stream>> streams_;
};

/// Refuses where the process is not initialized.
void requireInit(int code = ACL_ERROR_UNINITIALIZE);

/// The context of the calling thread; refuses where there is none.
std::shared_ptr<Context> currentContext();

}  // namespace opwright
