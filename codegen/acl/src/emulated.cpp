#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "aclnn/opdev/op_errno.h"
#include "executor.h"

namespace opwright {

namespace {

/// What the shared object of an emulated kernel exports; it writes what is wrong to `message`, nothing if all is well.
using EmulatedRun = void (*)(void *const *tensors, const uint64_t *bytes, const int64_t *sizes, int64_t cores,
                             char *message, size_t room);

/// One emulated kernel runs at a time: the emulator is built for one.
std::mutex &turn() {
    static std::mutex mutex;
    return mutex;
}

std::string folder() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void *>(&aclDataTypeSize), &info) == 0 || info.dli_fname == nullptr) return ".";
    const std::string path = info.dli_fname;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

EmulatedRun load(const Kernel &kernel) {
    static std::map<std::string, EmulatedRun> loaded;
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    EmulatedRun &run = loaded[kernel.name];
    if (run != nullptr) return run;
    const std::string path = folder() + "/emulated/" + kernel.emulated + ".so";
    void *library = *kernel.emulated == '\0' ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        refuse(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
               std::string("OPWRIGHT_BACKEND is ascendc, but there is no emulated kernel ") +
                   (*kernel.emulated == '\0' ? kernel.name : path.c_str()) +
                   "; build the library with `opwright acl OP... --backend ascendc -o DIR`, where OP are the operators "
                   "and DIR is the folder as before, or run the program with `opwright run-example FILE.cpp --backend "
                   "ascendc`");
    }
    run = reinterpret_cast<EmulatedRun>(dlsym(library, "opwright_emulated_run"));
    return run;
}

}  // namespace

bool wantsEmulation() {
    const char *backend = std::getenv("OPWRIGHT_BACKEND");
    const std::string name = backend == nullptr || *backend == '\0' ? "c" : backend;
    if (name != "c" && name != "ascendc") {
        refuse(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "OPWRIGHT_BACKEND is '" + name + "'; it must be c or ascendc");
    }
    return name == "ascendc";
}

void requireEmulated(const Kernel &kernel) { load(kernel); }

void runEmulated(const Kernel &kernel, const std::vector<void *> &tensors, const std::vector<uint64_t> &bytes,
                 const std::vector<int64_t> &sizes) {
    const EmulatedRun run = load(kernel);
    char message[2048] = "";
    {
        const std::lock_guard<std::mutex> lock(turn());
        run(tensors.data(), bytes.data(), sizes.data(), kernel.cores, message, sizeof message);
    }
    if (message[0] != '\0') refuse(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, message);
}

}  // namespace opwright
