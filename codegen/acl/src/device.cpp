#include "device.h"

#include <fstream>
#include <sstream>

#include "acl/acl_rt.h"
#include "aclnn/aclnn_base.h"
#include "memory.h"
#include "stream.h"

namespace opwright {

namespace {

constexpr int32_t deviceCount = 1;

struct Process {
    std::mutex mutex;
    uint64_t references = 0;
    bool finalized = false;
    bool configured = false;
    std::string configuration;
    uint64_t deviceReferences = 0;
    std::shared_ptr<Context> defaultContext;
};

Process &process() {
    static Process &state = *new Process;  // never destroyed: streams may outlive main
    return state;
}

std::weak_ptr<Context> &mine() {
    static thread_local std::weak_ptr<Context> context;
    return context;
}

std::string readConfiguration(const char *path) {
    if (path == nullptr || *path == '\0') return "";
    std::ifstream file(path);
    if (!file) refuse(ACL_ERROR_INVALID_FILE, std::string("cannot open the configuration file '") + path + "'");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void initialize(const char *path) {
    Process &state = process();
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.references > 0) {
        state.references++;
        refuse(ACL_ERROR_REPEAT_INITIALIZE, "the process is initialized already");
    }
    const std::string text = readConfiguration(path);
    if (state.configured && text != state.configuration) {
        refuse(ACL_ERROR_INVALID_PARAM, "the configuration differs from that of the first aclInit of this process");
    }
    state.configuration = text;
    state.configured = true;
    state.references = 1;
    state.finalized = false;
}

/// Tells what the program never gave back. That is no error: programs in documents leave lists behind.
void reportLeaks() {
    std::string text;
    for (const auto &entry : Objects::all().census()) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(entry.second) + " " + entry.first;
    }
    for (const Place where : {Place::device, Place::host}) {
        const size_t blocks = Memory::all().blocksIn(where);
        if (blocks == 0) continue;
        text += text.empty() ? "" : ", ";
        text += std::to_string(blocks) + (blocks == 1 ? " piece of " : " pieces of ") + (where == Place::device ? "device" : "host") + " memory (" +
                std::to_string(Memory::all().bytesIn(where)) + " bytes)";
    }
    if (text.empty()) return;
    remember("aclFinalize: never destroyed or freed: " + text, true);
}

void dropContext(const std::shared_ptr<Context> &context) {
    context->destroyed = true;
    for (const auto &stream : context->streams()) stream->finish();
    Objects::all().remove<Context>(context.get(), {"aclrtContext", "context", ACL_ERROR_RT_PARAM_INVALID});
}

void releaseDevice(Process &state) {
    if (state.defaultContext != nullptr) dropContext(state.defaultContext);
    state.defaultContext = nullptr;
    state.deviceReferences = 0;
}

void finalize() {
    Process &state = process();
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.references == 0 && state.finalized) {
        refuse(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize was called before");
    }
    if (state.references == 0) refuse(ACL_ERROR_UNINITIALIZE, "aclInit was not called");
    state.references = 0;
    state.finalized = true;
    releaseDevice(state);
    reportLeaks();
}

void requireDevice(int32_t id) {
    if (id < 0 || id >= deviceCount) {
        refuse(ACL_ERROR_RT_INVALID_DEVICEID, "device " + std::to_string(id) + " does not exist; there is device 0");
    }
}

std::shared_ptr<Context> createContext(int32_t device, bool isDefault) {
    auto context = std::make_shared<Context>(device, isDefault);
    context->defaultStream = std::make_shared<Stream>(context, true);
    context->add(context->defaultStream);
    Objects::all().add(context);
    return context;
}

}  // namespace

Context::Context(int32_t number, bool standard) : device(number), isDefault(standard) {}

void Context::add(const std::shared_ptr<Stream> &stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    streams_.insert(stream);
}

void Context::remove(const std::shared_ptr<Stream> &stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    streams_.erase(stream);
}

std::vector<std::shared_ptr<Stream>> Context::streams() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {streams_.begin(), streams_.end()};
}

void requireInit(int code) {
    Process &state = process();
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.references > 0) return;
    refuse(code, state.finalized ? "the process has called aclFinalize" : "aclInit was not called");
}

std::shared_ptr<Context> currentContext() {
    requireInit();
    auto context = mine().lock();
    if (context == nullptr || context->destroyed) {
        refuse(ACL_ERROR_RT_CONTEXT_NULL, "the thread has no context: call aclrtSetDevice or aclrtSetCurrentContext");
    }
    return context;
}

}  // namespace opwright

using namespace opwright;

aclError aclInit(const char *configPath) {
    return guarded("aclInit", [&] { initialize(configPath); });
}

aclError aclFinalize() { return guarded("aclFinalize", finalize); }

aclError aclFinalizeReference(uint64_t *refCount) {
    return guarded("aclFinalizeReference", [&] {
        uint64_t left = 0;
        {
            const std::lock_guard<std::mutex> lock(process().mutex);
            if (process().references == 0) refuse(ACL_ERROR_REPEAT_FINALIZE, "there is no aclInit left to undo");
            if (process().references > 1) left = --process().references;
        }
        if (left == 0) finalize();
        if (refCount != nullptr) *refCount = left;
    });
}

aclnnStatus aclnnInit(const char *configPath) {
    const aclError status = aclInit(configPath);
    return status == ACL_ERROR_REPEAT_INITIALIZE ? OK : status;
}

aclnnStatus aclnnFinalize() { return OK; }

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion) {
    return guarded("aclrtGetVersion", [&] {
        requirePointer("majorVersion", majorVersion);
        requirePointer("minorVersion", minorVersion);
        requirePointer("patchVersion", patchVersion);
        *majorVersion = 1;
        *minorVersion = 17;
        *patchVersion = 0;
    });
}

aclError aclrtSetDevice(int32_t deviceId) {
    return guarded("aclrtSetDevice", [&] {
        requireInit();
        requireDevice(deviceId);
        Process &state = process();
        const std::lock_guard<std::mutex> lock(state.mutex);
        if (state.defaultContext == nullptr) state.defaultContext = createContext(deviceId, true);
        state.deviceReferences++;
        mine() = state.defaultContext;
    });
}

aclError aclrtResetDevice(int32_t deviceId) {
    return guarded("aclrtResetDevice", [&] {
        requireInit();
        requireDevice(deviceId);
        Process &state = process();
        const std::lock_guard<std::mutex> lock(state.mutex);
        if (state.deviceReferences == 0) {
            refuse(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "device 0 is not set; every reset undoes one aclrtSetDevice");
        }
        if (--state.deviceReferences == 0) releaseDevice(state);
    });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
    return guarded("aclrtResetDeviceForce", [&] {
        requireInit();
        requireDevice(deviceId);
        const std::lock_guard<std::mutex> lock(process().mutex);
        releaseDevice(process());
    });
}

aclError aclrtGetDevice(int32_t *deviceId) {
    return guarded("aclrtGetDevice", [&] {
        requirePointer("deviceId", deviceId);
        *deviceId = currentContext()->device;
    });
}

aclError aclrtGetDeviceCount(uint32_t *count) {
    return guarded("aclrtGetDeviceCount", [&] {
        requirePointer("count", count);
        *count = deviceCount;
    });
}

aclError aclrtGetRunMode(aclrtRunMode *runMode) {
    return guarded("aclrtGetRunMode", [&] {
        requirePointer("runMode", runMode);
        *runMode = ACL_HOST;
    });
}

const char *aclrtGetSocName() { return OPWRIGHT_SOC; }

aclError aclrtSetSysParamOpt(aclSysParamOpt, int64_t) { return ACL_SUCCESS; }

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt, int64_t) {
    return guarded("aclrtCtxSetSysParamOpt", [&] { currentContext(); });
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId) {
    return guarded("aclrtCreateContext", [&] {
        requirePointer("context", context);
        requireInit();
        requireDevice(deviceId);
        auto created = createContext(deviceId, false);
        mine() = created;
        *context = created.get();
    });
}

aclError aclrtDestroyContext(aclrtContext context) {
    return guarded("aclrtDestroyContext", [&] {
        requirePointer("context", context);
        requireInit();
        const Wanted wanted{"aclrtContext", "context", ACL_ERROR_RT_PARAM_INVALID};
        if (Objects::all().find<Context>(context, wanted)->isDefault) {
            refuse(ACL_ERROR_RT_PARAM_INVALID, "the default context of a device is destroyed by aclrtResetDevice only");
        }
        dropContext(Objects::all().find<Context>(context, wanted));
    });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
    return guarded("aclrtSetCurrentContext", [&] {
        requirePointer("context", context);
        requireInit();
        mine() = Objects::all().find<Context>(context, {"aclrtContext", "context", ACL_ERROR_RT_PARAM_INVALID});
    });
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
    return guarded("aclrtGetCurrentContext", [&] {
        requirePointer("context", context);
        *context = currentContext().get();
    });
}
