// The bytes of a core's unified buffer, which every buffer sees at addresses of its own.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <new>

#include "opwright_chip.h"

namespace emu {

/// A place in the unified buffer, and the buffer whose pointer leads there; -1 if the pointer does not tell.
struct UbPlace {
    uint64_t address = 0;
    int buffer = -1;
};

/// One memory, mapped once plainly and once for each buffer that a kernel takes a pointer of: so a raw pointer tells
/// which buffer it came from, also when arithmetic has moved it into a neighbour.
class UbMemory {
public:
    /// The distance of two mappings: pointers that stray less far stay with their buffer.
    static constexpr uint64_t stride = 8 << 20;
    static constexpr uint64_t most = 65;

    UbMemory() : file_(memfd_create("ub", MFD_CLOEXEC)) {
        // Address space is short under valgrind and `ulimit -v`.
        if (file_ < 0 || (!reserve(most) && !reserve(1))) throw std::bad_alloc();
        if (ftruncate(file_, static_cast<off_t>(chip::ubBytes)) != 0 || !open(0)) throw std::bad_alloc();
    }
    ~UbMemory() {
        munmap(base_, windows_ * stride);
        close(file_);
    }
    UbMemory(const UbMemory&) = delete;
    UbMemory& operator=(const UbMemory&) = delete;

    uint8_t* data() const { return base_; }

    /// A pointer to an address that remembers its buffer; beyond the number of windows it does not.
    uint8_t* pointer(int buffer, uint64_t address) {
        const auto window = static_cast<uint64_t>(buffer + 1);
        return base_ + (window < windows_ && open(window) ? window * stride : 0) + address;
    }

    /// Where a pointer leads; outside of the memory an address beyond it.
    UbPlace place(const void* pointer) const {
        const uint64_t offset = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(base_);
        const uint64_t window = offset / stride;
        if (window >= windows_ || !open_[window]) return UbPlace{offset, -1};
        return UbPlace{offset % stride, static_cast<int>(window) - 1};
    }

private:
    bool reserve(uint64_t windows) {
        constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void* base = mmap(nullptr, windows * stride, PROT_NONE, flags, -1, 0);
        if (base == MAP_FAILED) return false;
        base_ = static_cast<uint8_t*>(base);
        windows_ = windows;
        return true;
    }

    bool open(uint64_t window) {
        bool& done = open_[window];
        if (done) return true;
        uint8_t* at = base_ + window * stride;
        constexpr auto bytes = static_cast<size_t>(chip::ubBytes);
        done = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0) != MAP_FAILED;
        return done;
    }

    int file_;
    uint8_t* base_ = nullptr;
    uint64_t windows_ = 0;
    std::array<bool, most> open_{};
};

}  // namespace emu
