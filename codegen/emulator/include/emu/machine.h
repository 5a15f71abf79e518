// All cores of a launch: they run one after another as coroutines, so a run is deterministic and cannot hang.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numeric>

#include "emu/core.h"
#include "emu/fault.h"
#include "emu/fiber.h"

namespace emu {

/// What a started core holds: its stack, its unified buffer and its state.
struct Seat {
    Stack stack;
    std::vector<uint8_t> memory = std::vector<uint8_t>(chip::ubBytes);
    Fiber fiber;
    std::unique_ptr<Core> core;
    sigjmp_buf faultPoint{};
    bool waiting = false;
    bool aborted = false;
};

/// Runs a kernel on a number of cores.
class Machine {
public:
    Machine(const Options& options, GlobalMemory& gm, Findings& findings)
        : options_(options), gm_(gm), findings_(findings) {}

    void run(const std::function<void()>& kernel) {
        const FaultGuard guard;
        for (int index : order()) {
            start(index, kernel);
            if (seats_.back()->fiber.done()) retire();
        }
        while (!seats_.empty()) nextEpoch();
        gm_.checkComplete();
    }

    int cores() const { return options_.cores; }

    /// Wait until every core has arrived. A core that can never be joined by all others is ended.
    void syncAll(Core& core, Site site) {
        if (core.kernelType == KernelType::vectorOnly) {
            core.report(Rule::syncKernelType, "SyncAll", site, "the declared kernel type has no cross-core barrier");
        }
        core.clocks.barrier(PIPE_ALL);
        Seat& seat = seatOf(core);
        seat.waiting = true;
        seat.fiber.yield();
        seat.waiting = false;
        if (!seat.aborted) {
            core.epoch++;
            return;
        }
        core.report(Rule::syncMismatch, "SyncAll", site,
                    text("%d of %d cores ended without reaching this barrier: the kernel hangs", ended_, cores()));
        throw CoreAbort{};
    }

private:
    std::vector<int> order() const {
        std::vector<int> cores(static_cast<size_t>(options_.cores));
        std::iota(cores.begin(), cores.end(), 0);
        uint64_t state = options_.orderSeed;
        for (size_t i = cores.size(); state != 0 && i > 1; i--) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            std::swap(cores[i - 1], cores[(state >> 33) % i]);
        }
        return cores;
    }

    void start(int index, const std::function<void()>& kernel) {
        auto seat = spare_.empty() ? std::make_unique<Seat>() : std::move(spare_.back());
        if (!spare_.empty()) spare_.pop_back();
        seat->core = std::make_unique<Core>(index, seat->memory.data(), options_, *this, gm_, findings_);
        seat->aborted = false;
        Core& core = *seat->core;
        seat->fiber.start(seat->stack, [&core, &kernel, point = &seat->faultPoint] {
            if (FaultGuard::guarded(*point, [&] { runCore(core, kernel); })) return;
            core.report(Rule::memoryFault, "pointer", core.lastSite(), "a raw access outside of all memory");
        });
        seats_.push_back(std::move(seat));
        resume(*seats_.back());
    }

    static void runCore(Core& core, const std::function<void()>& kernel) {
        try {
            kernel();
            core.finish();
        } catch (const CoreAbort&) {
            return;
        } catch (const std::exception& error) {
            core.report(Rule::kernelException, "kernel", core.lastSite(), error.what());
        }
    }

    void resume(Seat& seat) {
        Core::running = seat.core.get();
        FaultGuard::active = &seat.faultPoint;
        seat.fiber.resume();
        FaultGuard::active = nullptr;
        Core::running = nullptr;
    }

    void retire() {
        seats_.back()->core.reset();
        spare_.push_back(std::move(seats_.back()));
        seats_.pop_back();
        ended_++;
    }

    void nextEpoch() {
        const bool mismatch = ended_ > 0;
        for (auto& seat : seats_) {
            seat->aborted = mismatch;
            resume(*seat);
        }
        const auto done = [](const std::unique_ptr<Seat>& seat) { return seat->fiber.done(); };
        ended_ += static_cast<int>(std::count_if(seats_.begin(), seats_.end(), done));
        seats_.erase(std::remove_if(seats_.begin(), seats_.end(), done), seats_.end());
    }

    Seat& seatOf(const Core& core) {
        const auto holds = [&](const std::unique_ptr<Seat>& seat) { return seat->core.get() == &core; };
        return **std::find_if(seats_.begin(), seats_.end(), holds);
    }

    const Options& options_;
    GlobalMemory& gm_;
    Findings& findings_;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::vector<std::unique_ptr<Seat>> spare_;
    int ended_ = 0;
};

}  // namespace emu
