// Running a kernel for a host program.
#include "emu/launch.h"

#include <sys/mman.h>

#include <cstring>

#include "emu/machine.h"

namespace emu {

namespace {

/// Address space in which every argument has its own far-apart place, so that a stray offset meets no other argument.
class Arena {
public:
    static constexpr uint64_t most = uint64_t{1} << 36, least = uint64_t{1} << 31;
    static constexpr uint64_t pageBytes = 4096;

    explicit Arena(size_t slots) : slots_(slots) {
        if (slots == 0) return;
        while (!reserve()) {
            // Address space is short under valgrind and `ulimit -v`.
            if (slotBytes_ == least) throw std::bad_alloc();
            slotBytes_ /= 2;
        }
    }
    ~Arena() {
        if (slots_ != 0) munmap(base_, slots_ * slotBytes_);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Writable memory in the middle of a slot.
    uint8_t* open(size_t slot, uint64_t bytes) {
        if (bytes > slotBytes_ / 4) throw std::bad_alloc();
        auto* start = static_cast<uint8_t*>(base_) + slot * slotBytes_ + slotBytes_ / 2;
        const uint64_t rounded = (bytes + pageBytes - 1) / pageBytes * pageBytes + pageBytes;
        if (mprotect(start, rounded, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
        return start;
    }

private:
    bool reserve() {
        constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        base_ = mmap(nullptr, slots_ * slotBytes_, PROT_NONE, flags, -1, 0);
        return base_ != MAP_FAILED;
    }

    size_t slots_;
    uint64_t slotBytes_ = most;
    void* base_ = nullptr;
};

/// Copy the arguments in, run the kernel, copy the results out.
class Launch {
public:
    Launch(const HostArgument* arguments, size_t count, const HostOptions& options)
        : arguments_(arguments, arguments + count), arena_(count),
          gm_(findings_) {
        options_.cores = options.cores;
        options_.tilingKey = options.tilingKey;
        options_.autoSync = options.autoSync != 0;
        options_.maxInstructions = options.maxInstructions;
        options_.seed = options.seed;
        options_.strict = options.strict != 0;
        options_.trace = options.trace != 0;
    }

    void run(void (*kernel)(uint8_t* const*)) {
        std::vector<uint8_t*> pointers;
        for (size_t i = 0; i < arguments_.size(); i++) pointers.push_back(copyIn(i));
        Machine machine(options_, gm_, findings_);
        machine.run([&] { kernel(pointers.data()); });
        figures_ = machine.figures.describe();
        for (size_t i = 0; i < arguments_.size(); i++) copyOut(arguments_[i], pointers[i]);
    }

    /// One finding a line; fields are separated by the unit separator, lines end with the record separator. Behind a
    /// group separator follows what the kernel has printed, and behind another one the figures.
    std::string describe() const {
        std::string out;
        for (const Finding& f : findings_.list()) {
            out += std::string(ruleCode(f.rule)) + '\x1f' + f.api + '\x1f' + f.site.file + '\x1f' +
                   std::to_string(f.site.line) + '\x1f' + std::to_string(f.core) + '\x1f' + std::to_string(f.count) +
                   '\x1f' + f.message + '\x1e';
        }
        return out + '\x1d' + findings_.printed() + '\x1d' + figures_;
    }

private:
    uint8_t* copyIn(size_t i) {
        const HostArgument& argument = arguments_[i];
        if (argument.data == nullptr || argument.role == HostArgument::value) return argument.data;
        uint8_t* place = arena_.open(i, argument.bytes);
        const auto role = static_cast<Role>(argument.role);
        if (role == Role::output || role == Role::workspace) {
            poison(place, argument.bytes, options_.strict ? options_.seed + i : 0);
        } else {
            std::memcpy(place, argument.data, argument.bytes);
        }
        gm_.add(argument.name, place, argument.bytes, role);
        return place;
    }

    static void copyOut(const HostArgument& argument, const uint8_t* place) {
        if (place == nullptr || place == argument.data || static_cast<Role>(argument.role) == Role::input) return;
        std::memcpy(argument.data, place, argument.bytes);
    }

    std::vector<HostArgument> arguments_;
    Arena arena_;
    Options options_;
    Findings findings_;
    GlobalMemory gm_;
    std::string figures_;
};

}  // namespace

char* launch(const HostArgument* arguments, size_t count, const HostOptions& options,
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
