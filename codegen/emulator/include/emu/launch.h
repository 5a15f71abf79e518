// The entry point that a host program loads and calls.
#pragma once

#include "emu/machine.h"

namespace emu {

/// One kernel argument as the host passes it.
struct HostArgument {
    const char* name;
    uint8_t* data;
    uint64_t bytes;
    int32_t role;
};

/// Launch options as the host passes them.
struct HostOptions {
    int32_t cores;
    int32_t autoSync;
    uint64_t tilingKey;
    uint64_t maxInstructions;
    uint64_t orderSeed;
};

/// Address space in which every argument has its own far-apart place, so that a stray offset meets no other argument.
class Arena {
public:
    static constexpr uint64_t slotBytes = uint64_t{1} << 36;
    static constexpr uint64_t pageBytes = 4096;

    explicit Arena(size_t slots) : bytes_(slots * slotBytes) {
        if (bytes_ == 0) return;
        base_ = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base_ == MAP_FAILED) throw std::bad_alloc();
    }
    ~Arena() {
        if (bytes_ != 0) munmap(base_, bytes_);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Writable memory in the middle of a slot.
    uint8_t* open(size_t slot, uint64_t bytes) {
        if (bytes > slotBytes / 4) throw std::bad_alloc();
        auto* start = static_cast<uint8_t*>(base_) + slot * slotBytes + slotBytes / 2;
        const uint64_t rounded = (bytes + pageBytes - 1) / pageBytes * pageBytes + pageBytes;
        if (mprotect(start, rounded, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
        return start;
    }

private:
    uint64_t bytes_;
    void* base_ = nullptr;
};

/// Copy the arguments in, run the kernel, copy the results out.
class Launch {
public:
    Launch(const HostArgument* arguments, size_t count, const HostOptions& options)
        : arguments_(arguments, arguments + count), arena_(count),
          options_{options.cores, options.tilingKey, options.autoSync != 0, options.maxInstructions, options.orderSeed},
          gm_(findings_) {}

    void run(void (*kernel)(uint8_t* const*)) {
        std::vector<uint8_t*> pointers;
        for (size_t i = 0; i < arguments_.size(); i++) pointers.push_back(copyIn(i));
        Machine(options_, gm_, findings_).run([&] { kernel(pointers.data()); });
        for (size_t i = 0; i < arguments_.size(); i++) copyOut(arguments_[i], pointers[i]);
    }

    /// One finding a line; fields are separated by the unit separator, lines end with the record separator.
    std::string describe() const {
        std::string out;
        for (const Finding& f : findings_.list()) {
            out += std::string(ruleCode(f.rule)) + '\x1f' + f.api + '\x1f' + f.site.file + '\x1f' +
                   std::to_string(f.site.line) + '\x1f' + std::to_string(f.core) + '\x1f' + std::to_string(f.count) +
                   '\x1f' + f.message + '\x1e';
        }
        return out;
    }

private:
    uint8_t* copyIn(size_t i) {
        const HostArgument& argument = arguments_[i];
        if (argument.data == nullptr) return nullptr;
        uint8_t* place = arena_.open(i, argument.bytes);
        const auto role = static_cast<Role>(argument.role);
        if (role == Role::output || role == Role::workspace) {
            std::memset(place, 0xff, argument.bytes);
        } else {
            std::memcpy(place, argument.data, argument.bytes);
        }
        gm_.add(argument.name, place, argument.bytes, role);
        return place;
    }

    static void copyOut(const HostArgument& argument, const uint8_t* place) {
        if (place == nullptr || static_cast<Role>(argument.role) == Role::input) return;
        std::memcpy(argument.data, place, argument.bytes);
    }

    std::vector<HostArgument> arguments_;
    Arena arena_;
    Options options_;
    Findings findings_;
    GlobalMemory gm_;
};

/// Run and return the findings as text from malloc, or null if memory ran out.
inline char* launch(const HostArgument* arguments, size_t count, const HostOptions& options,
                    void (*kernel)(uint8_t* const*)) {
    try {
        Launch launch(arguments, count, options);
        launch.run(kernel);
        return strdup(launch.describe().c_str());
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace emu
