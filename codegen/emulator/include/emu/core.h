// The state of one emulated vector core, and the place where its instructions execute.
#pragma once

#include "emu/atomic.h"
#include "emu/buffers.h"
#include "emu/dequant.h"
#include "emu/figures.h"
#include "emu/mask.h"
#include "emu/overlap.h"
#include "emu/poison.h"
#include "emu/registers.h"
#include "emu/scalar_cache.h"
#include "emu/schedule.h"
#include "emu/ub_memory.h"

namespace emu {

class Machine;

/// Kernel types that matter to whole-kernel barriers.
enum class KernelType { undeclared, vectorOnly, vectorWithSync, oneToOne, oneToTwo, other };

/// Options of a launch.
struct Options {
    int cores = 1;
    uint64_t tilingKey = 0;
    bool autoSync = false;
    uint64_t maxInstructions = 0;
    uint64_t seed = 0;
    bool strict = false;
    bool trace = false;
};

/// One vector core.
class Core {
public:
    Core(int index, UbMemory& memory, const Options& options, Machine& machine, GlobalMemory& gm, Findings& findings,
         CoreFigures& figures)
        : index(index), options(options), machine(machine), memory(memory), ub(memory.data()), findings(findings), figures(figures),
          clocks(options.autoSync),
          shadow(chip::ubBytes, clocks, findings), events(clocks, findings, index),
          buffers(ub, shadow, clocks, findings, index, options.strict), cache(gm, index, options.strict), gm_(gm) {
        if (!options.strict) return;
        const uint64_t own = options.seed * static_cast<uint64_t>(options.cores) + static_cast<uint64_t>(index);
        schedule = std::make_unique<Schedule>(options.seed < 2 ? options.seed : own + 2);
        poison(ub, chip::ubBytes, own);
    }
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// The core whose code runs now.
    static Core& current() { return *running; }
    static inline thread_local Core* running = nullptr;

    const int index;
    const Options& options;
    Machine& machine;
    UbMemory& memory;
    uint8_t* const ub;
    Findings& findings;
    CoreFigures& figures;
    Clocks clocks;
    UbShadow shadow;
    Events events;
    Buffers buffers;
    KernelType kernelType = KernelType::undeclared;
    Registers registers;
    float deqScale = 1.0f;
    DequantTable dequant;
    MaskState mask;
    Atomic atomic;
    ScalarCache cache;
    /// The pending instructions in strict mode, else null.
    std::unique_ptr<Schedule> schedule;

    /// Check an instruction and, unless it would touch memory it must not, run its action: at once, or in strict mode
    /// when the adversary likes. An action must hold everything it needs by value.
    template <typename Action>
    void issue(Instruction& instruction, Action&& action) {
        if (!admit(instruction)) return;
        if (schedule != nullptr && defers(instruction)) {
            schedule->add(instruction.pipe, Deferred{number_, 0, needs_, std::forward<Action>(action)});
        } else {
            action();
        }
    }

    /// Later instructions of the pipe wait for earlier ones of it; PIPE_ALL: all for all.
    void barrier(pipe_t pipe, const char* within = nullptr);
    void setFlag(HardEvent event, int64_t id, Site site);
    void waitFlag(HardEvent event, int64_t id, Site site);

    /// What a flag for other cores, set on a pipe now, promises them.
    std::shared_ptr<const CoreCounts> promise(pipe_t pipe) const;

    /// In strict mode execute what is finished before the next scalar instruction.
    void settle();

    /// A scalar load from global memory through the cache.
    void loadGlobal(const char* api, Site site, const uint8_t* from, void* to, uint64_t bytes);

    void report(Rule rule, const char* api, Site site, std::string message);

    /// Make memory what it is after all instructions that a pipe was given, for calls that need a value of it at once.
    void settle(pipe_t pipe);

    /// Where the latest instruction stands.
    Site lastSite() const { return lastSite_; }

    /// Checks at the end of the kernel.
    void finish();

private:
    bool admit(Instruction& instruction);
    bool defers(const Instruction& instruction);
    void excuse(const Instruction& instruction);
    void countInstruction(const Instruction& instruction);
    bool checkOperand(const Instruction& instruction, Operand& operand);
    void checkSpread(const Instruction& instruction, const Operand& operand);
    bool checkTensor(const Instruction& instruction, const Operand& operand);
    bool checkExtent(const Instruction& instruction, const Operand& operand);
    bool checkGlobal(const Instruction& instruction, const GmOperand& operand);
    bool checkGlobalAlignment(const Instruction& instruction, const GmOperand& operand);
    void reportStray(const Instruction& instruction, const uint8_t* first, const uint8_t* last);
    void checkOverlap(const Instruction& instruction);
    void record(const Instruction& instruction);
    void recordLocal(const Instruction& instruction, const Toucher& who, Use use);
    void recordGlobal(const GmOperand& operand, const GmTouch& who);

    GlobalMemory& gm_;
    Site lastSite_;
    uint64_t issued_ = 0;
    uint32_t number_ = 0;
    PipeCounts needs_{};
};

}  // namespace emu
