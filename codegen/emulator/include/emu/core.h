// The state of one emulated vector core, and the place where its instructions execute.
#pragma once

#include <set>

#include "emu/buffers.h"
#include "emu/overlap.h"

namespace emu {

class Machine;

/// Kernel types that matter to whole-kernel barriers.
enum class KernelType { undeclared, vectorOnly, vectorWithSync, other };

/// Options of a launch.
struct Options {
    int cores = 1;
    uint64_t tilingKey = 0;
    bool autoSync = false;
    uint64_t maxInstructions = 0;
    uint64_t orderSeed = 0;
};

/// The scalar cache line of an address.
inline const uint8_t* cacheLine(const uint8_t* address) {
    constexpr uintptr_t lineBytes = 64;
    return reinterpret_cast<const uint8_t*>(reinterpret_cast<uintptr_t>(address) / lineBytes * lineBytes);
}

/// One vector core.
class Core {
public:
    Core(int index, uint8_t* memory, const Options& options, Machine& machine, GlobalMemory& gm, Findings& findings)
        : index(index), options(options), machine(machine), ub(memory), findings(findings), clocks(options.autoSync),
          shadow(chip::ubBytes, clocks, findings), events(clocks, findings, index),
          buffers(memory, shadow, clocks, findings, index), gm_(gm) {}

    /// The core whose code runs now.
    static Core& current() { return *running; }
    static inline thread_local Core* running = nullptr;

    const int index;
    const Options& options;
    Machine& machine;
    uint8_t* const ub;
    Findings& findings;
    Clocks clocks;
    UbShadow shadow;
    Events events;
    Buffers buffers;
    KernelType kernelType = KernelType::undeclared;
    bool pipeAlive = false;
    float deqScale = 1.0f;
    uint32_t epoch = 0;
    std::set<const uint8_t*> dirtyLines;

    /// Check an instruction and, unless it would touch memory it must not, run its action.
    template <typename Action>
    void issue(Instruction& instruction, Action&& action) {
        if (admit(instruction)) action();
    }

    void report(Rule rule, const char* api, Site site, std::string message) {
        findings.add(rule, api, site, index, std::move(message));
    }

    /// Where the latest instruction stands.
    Site lastSite() const { return lastSite_; }

    /// Checks at the end of the kernel.
    void finish() {
        buffers.checkReleased();
        events.checkDrained();
        if (!dirtyLines.empty()) {
            report(Rule::gmDirtyCache, "SetValue", lastSite_,
                   text("%zu cache lines written by scalar stores were not cleaned", dirtyLines.size()));
        }
    }

private:
    bool admit(Instruction& instruction) {
        lastSite_ = instruction.site;
        countInstruction(instruction);
        bool sound = true;
        for (Operand& operand : instruction.operands) sound = checkOperand(instruction, operand) && sound;
        for (GmOperand& operand : instruction.globals) sound = checkGlobal(instruction, operand) && sound;
        if (!sound) return false;
        checkOverlap(instruction);
        record(instruction);
        return true;
    }

    void countInstruction(const Instruction& instruction) {
        if (options.maxInstructions == 0 || ++issued_ <= options.maxInstructions) return;
        report(Rule::budget, instruction.api, instruction.site,
               text("the core has issued %llu instructions", (unsigned long long)options.maxInstructions));
        throw CoreAbort{};
    }

    bool checkOperand(const Instruction& instruction, Operand& operand) {
        if (!checkTensor(instruction, operand)) return false;
        if (operand.strided) {
            appendShape(operand.runs, instruction.shape, operand.ref.address, operand.strides, operand.elementBytes);
        }
        if (operand.ref.address % operand.alignment != 0) {
            report(Rule::ubAlignment, instruction.api, instruction.site,
                   text("%s starts at UB byte %llu, which is not a multiple of %llu", operand.name,
                        (unsigned long long)operand.ref.address, (unsigned long long)operand.alignment));
            return false;
        }
        return checkExtent(instruction, operand);
    }

    bool checkTensor(const Instruction& instruction, const Operand& operand) {
        const LocalRef& ref = operand.ref;
        if (ref.owner != this || ref.buffer < 0) {
            report(Rule::tensorInvalid, instruction.api, instruction.site,
                   text("%s is not a tensor of this core's buffers", operand.name));
            return false;
        }
        const Buffer& buffer = buffers.buffer(ref.buffer);
        if (buffer.queue < 0) return true;
        const bool usable = buffer.state == BufferState::occupied || buffer.state == BufferState::dequeued;
        if (usable && buffer.generation == ref.generation) return true;
        const bool stale = buffer.generation != ref.generation;
        report(Rule::tensorState, instruction.api, instruction.site,
               stale ? text("%s is used after FreeTensor", operand.name)
                     : text("%s is used while it is %s", operand.name, stateName(buffer.state)));
        return true;
    }

    bool checkExtent(const Instruction& instruction, const Operand& operand) {
        const Buffer& buffer = buffers.buffer(operand.ref.buffer);
        const uint64_t view = operand.ref.address + operand.ref.bytes;
        const uint64_t limit = std::min(roundToBlock(view), buffer.begin + buffer.bytes);
        for (const Run& run : operand.runs) {
            if (run.begin >= operand.ref.address && run.end <= limit) continue;
            report(Rule::ubExtent, instruction.api, instruction.site,
                   text("%s touches bytes [%lld, %lld) of a tensor of %llu bytes", operand.name,
                        (long long)(run.begin - operand.ref.address), (long long)(run.end - operand.ref.address),
                        (unsigned long long)(limit - operand.ref.address)));
            return false;
        }
        return true;
    }

    bool checkGlobal(const Instruction& instruction, const GmOperand& operand) {
        const Region* region = gm_.find(operand.start);
        for (const Run& run : operand.runs) {
            if (run.begin == run.end) continue;
            const uint8_t* first = operand.start + static_cast<int64_t>(run.begin);
            const uint8_t* last = operand.start + static_cast<int64_t>(run.end) - 1;
            const Region* here = region != nullptr ? region : gm_.find(first);
            if (here == nullptr || !here->contains(first) || !here->contains(last)) {
                reportStray(instruction, first, last);
                return false;
            }
            if (operand.use != Use::read && here->role == Role::input) {
                report(Rule::gmWriteInput, instruction.api, instruction.site, text("writes the input %s", here->name));
                return false;
            }
            if (operand.declaredEnd != nullptr && last >= operand.declaredEnd) {
                report(Rule::gmDeclaredSize, instruction.api, instruction.site,
                       text("touches %lld bytes past the declared size of a tensor in %s",
                            (long long)(last + 1 - operand.declaredEnd), here->name));
            }
        }
        return checkGlobalAlignment(instruction, operand);
    }

    bool checkGlobalAlignment(const Instruction& instruction, const GmOperand& operand) {
        const auto address = reinterpret_cast<uintptr_t>(operand.start);
        if (operand.alignment < 2 || address % operand.alignment == 0) return true;
        report(Rule::gmAlignment, instruction.api, instruction.site,
               text("the GM address is not a multiple of %llu bytes", (unsigned long long)operand.alignment));
        return true;
    }

    void reportStray(const Instruction& instruction, const uint8_t* first, const uint8_t* last) {
        const Region* near = gm_.nearest(first);
        if (near == nullptr) {
            report(Rule::gmBounds, instruction.api, instruction.site, "the GM address belongs to no argument");
            return;
        }
        report(Rule::gmBounds, instruction.api, instruction.site,
               text("touches bytes [%lld, %lld) of %s, which has %llu bytes", (long long)(first - near->base),
                    (long long)(last + 1 - near->base), near->name, (unsigned long long)near->bytes));
    }

    void checkOverlap(const Instruction& instruction) {
        const bool ruled = instruction.overlap == Overlap::forbidden ||
                           (!instruction.operands.empty() && instruction.operands[0].strided);
        if (!ruled) return;
        for (size_t i = 1; i < instruction.operands.size(); i++) {
            const OverlapCheck check(instruction.shape, instruction.overlap, instruction.operands[0],
                                     instruction.operands[i], i == 2);
            if (const auto fault = check.fault()) {
                report(Rule::ubOverlap, instruction.api, instruction.site, *fault);
            }
        }
    }

    void record(const Instruction& instruction) {
        const uint32_t number = clocks.start(instruction.pipe);
        const Toucher who{instruction.pipe, Touch{number, instruction.api, instruction.site}, index};
        for (const Operand& operand : instruction.operands) {
            if (operand.use == Use::read) continue;
            for (const Run& run : operand.runs) shadow.checkWrite(run, who);
        }
        recordLocal(instruction, who, Use::read);
        recordLocal(instruction, who, Use::write);
        recordLocal(instruction, who, Use::clobber);
        const GmTouch global{index, epoch, instruction.pipe, number, instruction.api, instruction.site};
        for (const GmOperand& operand : instruction.globals) recordGlobal(operand, global);
    }

    void recordLocal(const Instruction& instruction, const Toucher& who, Use use) {
        for (const Operand& operand : instruction.operands) {
            if (operand.use != use) continue;
            for (const Run& run : operand.runs) {
                if (use == Use::read) {
                    shadow.read(run, who, operand.name);
                } else {
                    shadow.write(run, who, use == Use::write);
                }
            }
        }
    }

    void recordGlobal(const GmOperand& operand, const GmTouch& who) {
        for (const Run& run : operand.runs) {
            if (run.begin == run.end) continue;
            Region& region = *gm_.find(operand.start + static_cast<int64_t>(run.begin));
            const auto offset = static_cast<uint64_t>(operand.start - region.base);
            const Run absolute{offset + run.begin, offset + run.end};
            if (operand.use == Use::read) {
                gm_.read(region, absolute, who, clocks);
            } else {
                gm_.write(region, absolute, who, clocks);
            }
        }
    }

    GlobalMemory& gm_;
    Site lastSite_;
    uint64_t issued_ = 0;
};

}  // namespace emu
