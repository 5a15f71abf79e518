#include <cstring>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "memory.h"
#include "stream.h"

namespace opwright {

namespace {

void requireSize(size_t size) {
    if (size == 0) refuse(ACL_ERROR_INVALID_PARAM, "'size' is 0; it must be greater than 0");
}

void reserve(const char *name, void **pointer, size_t size, Place where) {
    requirePointer(name, pointer);
    requireSize(size);
    currentContext();
    try {
        *pointer = Memory::all().reserve(size, where);
    } catch (const std::bad_alloc &) {
        refuse(ACL_ERROR_RT_MEMORY_ALLOCATION, "there is no memory for " + std::to_string(size) + " bytes");
    }
}

void release(const char *name, void *pointer, Place where) {
    requirePointer(name, pointer);
    requireInit();
    Memory::all().release(pointer, where);
}

const char *kindName(aclrtMemcpyKind kind) {
    switch (kind) {
        case ACL_MEMCPY_HOST_TO_HOST: return "ACL_MEMCPY_HOST_TO_HOST";
        case ACL_MEMCPY_HOST_TO_DEVICE: return "ACL_MEMCPY_HOST_TO_DEVICE";
        case ACL_MEMCPY_DEVICE_TO_HOST: return "ACL_MEMCPY_DEVICE_TO_HOST";
        case ACL_MEMCPY_DEVICE_TO_DEVICE: return "ACL_MEMCPY_DEVICE_TO_DEVICE";
        case ACL_MEMCPY_DEFAULT: return "ACL_MEMCPY_DEFAULT";
        case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: return "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE";
        default: return nullptr;
    }
}

void requireKind(aclrtMemcpyKind kind) {
    if (kindName(kind) == nullptr) {
        refuse(ACL_ERROR_INVALID_PARAM, "'kind' is " + std::to_string(kind) + "; it must be one of 0 to 5");
    }
}

void requireRoom(const char *limitName, size_t limit, size_t count) {
    if (limit == 0 || count > limit) {
        refuse(ACL_ERROR_RT_PARAM_INVALID, "'count' is " + std::to_string(count) + ", '" + limitName + "' is " +
                                               std::to_string(limit) + "; it must be at least 'count' and not 0");
    }
}

/// Checks one side of a copy, and keeps device memory alive meanwhile. A default copy takes whatever is there.
std::shared_ptr<Block> checkSide(const char *name, const void *pointer, size_t count, bool device, bool either) {
    const Found found = Memory::all().find(pointer);
    const bool isDevice = found.block != nullptr && found.block->where == Place::device;
    if (either ? isDevice : device) {
        return deviceRange(name, pointer, count, ACL_ERROR_RT_PARAM_INVALID).block;
    }
    hostRange(name, pointer, count);
    return found.block;
}

struct Sides {
    std::shared_ptr<Block> to;
    std::shared_ptr<Block> from;
};

Sides checkCopy(void *dst, const void *src, size_t count, aclrtMemcpyKind kind) {
    const bool either = kind == ACL_MEMCPY_DEFAULT;
    const bool toDevice = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE ||
                          kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    const bool fromDevice = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    try {
        return {checkSide("dst", dst, count, toDevice, either), checkSide("src", src, count, fromDevice, either)};
    } catch (const Refusal &refusal) {
        refuse(refusal.code, std::string(kindName(kind)) + ": " + refusal.text);
    }
}

/// Checks the arguments that the synchronous and the asynchronous copy share.
void checkArguments(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind) {
    requirePointer("dst", dst);
    requirePointer("src", src);
    requireKind(kind);
    requireRoom("destMax", destMax, count);
}

/// Refuses, when a task starts, memory that was freed after the task was queued.
void requireAlive(const char *name, const std::shared_ptr<Block> &block) {
    if (block != nullptr && !Memory::all().lives(*block)) {
        refuse(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, std::string("'") + name + "' was freed before the stream came to it");
    }
}

}  // namespace

}  // namespace opwright

using namespace opwright;

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy) {
    return guarded("aclrtMalloc", [&] { reserve("devPtr", devPtr, size, Place::device); });
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy) {
    return guarded("aclrtMallocAlign32", [&] { reserve("devPtr", devPtr, size, Place::device); });
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy) {
    return guarded("aclrtMallocCached", [&] { reserve("devPtr", devPtr, size, Place::device); });
}

aclError aclrtFree(void *devPtr) {
    return guarded("aclrtFree", [&] { release("devPtr", devPtr, Place::device); });
}

aclError aclrtFreeWithDevSync(void *devPtr) {
    const aclError status = aclrtSynchronizeDevice();
    return status == ACL_SUCCESS ? aclrtFree(devPtr) : status;
}

aclError aclrtMallocHost(void **hostPtr, size_t size) {
    return guarded("aclrtMallocHost", [&] { reserve("hostPtr", hostPtr, size, Place::host); });
}

aclError aclrtFreeHost(void *hostPtr) {
    return guarded("aclrtFreeHost", [&] { release("hostPtr", hostPtr, Place::host); });
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t *free, size_t *total) {
    return guarded("aclrtGetMemInfo", [&] {
        requirePointer("free", free);
        requirePointer("total", total);
        currentContext();
        const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        *free = static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES)) * page;
        *total = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * page;
    });
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind) {
    return guarded("aclrtMemcpy", [&] {
        if (count == 0) return;
        checkArguments(dst, destMax, src, count, kind);
        if (dst == src) return;
        currentContext();
        const Sides sides = checkCopy(dst, src, count, kind);
        std::memmove(dst, src, count);
    });
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
    return guarded("aclrtMemcpyAsync", [&] {
        if (count == 0) return;
        checkArguments(dst, destMax, src, count, kind);
        if (kind == ACL_MEMCPY_HOST_TO_HOST) {
            refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "an asynchronous copy from host to host is not supported");
        }
        const auto on = streamOf(stream);
        const Sides sides = checkCopy(dst, src, count, kind);
        on->push({[=] {
                      requireAlive("dst", sides.to);
                      requireAlive("src", sides.from);
                      std::memmove(dst, src, count);
                  },
                  "aclrtMemcpyAsync"});
        if (sides.to == nullptr || sides.from == nullptr) on->wait(-1);  // memory that is not pinned
    });
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
    return guarded("aclrtMemcpy2d", [&] {
        if (width == 0 || height == 0) return;
        requirePointer("dst", dst);
        requirePointer("src", src);
        if (kind < ACL_MEMCPY_HOST_TO_DEVICE || kind > ACL_MEMCPY_DEFAULT) {
            refuse(ACL_ERROR_INVALID_PARAM, "'kind' is " + std::to_string(kind) + "; it must be one of 1 to 4");
        }
        if (width > dpitch || width > spitch) {
            refuse(ACL_ERROR_INVALID_PARAM, "'width' is " + std::to_string(width) + ", more than a pitch: 'dpitch' is " +
                                                std::to_string(dpitch) + ", 'spitch' " + std::to_string(spitch));
        }
        currentContext();
        size_t most = 0;
        if (__builtin_mul_overflow(height - 1, dpitch > spitch ? dpitch : spitch, &most) || most + width < most) {
            refuse(ACL_ERROR_INVALID_PARAM, "the rows span more than memory can hold");
        }
        for (size_t row = 0; row < height; row++) {
            auto *target = static_cast<char *>(dst) + row * dpitch;
            const auto *source = static_cast<const char *>(src) + row * spitch;
            const Sides kept = checkCopy(target, source, width, kind);
            std::memmove(target, source, width);
        }
    });
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
    return guarded("aclrtMemset", [&] {
        if (count == 0) return;
        requirePointer("devPtr", devPtr);
        requireRoom("maxCount", maxCount, count);
        currentContext();
        const Found found = deviceRange("devPtr", devPtr, count, ACL_ERROR_RT_PARAM_INVALID);
        std::memset(devPtr, value & 0xFF, count);
    });
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream) {
    return guarded("aclrtMemsetAsync", [&] {
        if (count == 0) return;
        requirePointer("devPtr", devPtr);
        requireRoom("maxCount", maxCount, count);
        const auto on = streamOf(stream);
        const Found found = deviceRange("devPtr", devPtr, count, ACL_ERROR_RT_PARAM_INVALID);
        on->push({[=] {
                      requireAlive("devPtr", found.block);
                      std::memset(devPtr, value & 0xFF, count);
                  },
                  "aclrtMemsetAsync"});
    });
}
