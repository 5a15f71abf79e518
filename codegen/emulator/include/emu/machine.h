// All cores of a launch: they run one after another as coroutines, so a run is deterministic and cannot hang.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numeric>

#include "emu/core.h"
#include "emu/core_sync.h"
#include "emu/fault.h"
#include "emu/fiber.h"

namespace emu {

/// What a started core holds: its stack, its unified buffer and its state. A waiting core goes on when `ready` says so.
struct Seat {
    Stack stack;
    UbMemory memory;
    Fiber fiber;
    std::unique_ptr<Core> core;
    sigjmp_buf faultPoint{};
    const std::function<bool()>* ready = nullptr;
    bool aborted = false;
};

/// A wait that can never end: how to report it.
struct Hang {
    Rule rule;
    const char* api;
    Site site;
    std::string message;
};

/// Runs a kernel on a number of cores.
class Machine {
public:
    Machine(const Options& options, GlobalMemory& gm, Findings& findings)
        : sync(options.cores), figures(options.cores, options.trace), options_(options), gm_(gm), findings_(findings),
          random_(options.seed) {}

    CoreSync sync;
    Figures figures;

    void run(const std::function<void()>& kernel);

    int cores() const { return options_.cores; }
    GlobalMemory& gm() { return gm_; }

    /// How many cores have ended.
    int ended() const { return ended_; }

    /// Let other cores run until `ready` holds. Where that never happens, the core reports and ends.
    void await(Core& core, const std::function<bool()>& ready, const Hang& hang);

    /// In strict mode now and then let other cores run.
    void yield(Core& core);

    /// Wait at the hardware barrier until the `trigger` pipe of every core has finished; `stopped` waits for it.
    void syncAll(Core& core, pipe_t trigger, pipe_t stopped, Site site);

private:
    std::vector<int> order();
    void start(int index, const std::function<void()>& kernel);
    static void reportFault(Core& core);
    void runCore(Core& core, const std::function<void()>& kernel);
    void resume(Seat& seat);
    void retire();
    void advance();
    void checkSync();

    const Options& options_;
    GlobalMemory& gm_;
    Findings& findings_;
    Random random_;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::vector<std::unique_ptr<Seat>> spare_;
    Seat* running_ = nullptr;
    int ended_ = 0;
    /// Whether a core ended before its kernel did.
    bool cutShort_ = false;
};

}  // namespace emu
