// Starting, switching and ending the cores of a launch.
#include "emu/machine.h"

namespace emu {

void Machine::run(const std::function<void()>& kernel) {
    const FaultGuard guard;
    for (int index : order()) {
        start(index, kernel);
        if (seats_.back()->fiber.done()) retire();
    }
    while (!seats_.empty()) advance();
    checkSync();
    // What a stopped core has not written is no fault of its own.
    if (!cutShort_) gm_.checkComplete();
}

void Machine::await(Core& core, const std::function<bool()>& ready, const Hang& hang) {
    Seat& seat = *running_;
    seat.ready = &ready;
    seat.fiber.yield();
    seat.ready = nullptr;
    if (!seat.aborted) return;
    const std::string more = ended_ == 0 ? "" : text(" (%d of %d cores have ended)", ended_, cores());
    core.report(hang.rule, hang.api, hang.site, hang.message + ": the kernel hangs" + more);
    throw CoreAbort{};
}

void Machine::yield(Core& core) {
    if (core.schedule != nullptr && core.schedule->coin()) await(core, [] { return true; }, Hang{});
}

void Machine::syncAll(Core& core, pipe_t trigger, pipe_t stopped, Site site) {
    if (core.kernelType == KernelType::vectorOnly) {
        core.report(Rule::syncKernelType, "SyncAll", site, "the declared kernel type has no cross-core barrier");
    }
    if (trigger == PIPE_ALL) core.barrier(PIPE_ALL, "SyncAll");
    const pipe_t speaker = trigger == PIPE_ALL ? PIPE_S : trigger;
    core.settle(speaker);
    sync.barrier.set(core.index, *core.promise(speaker), site);
    await(core, [&] { return sync.barrier.isSet(core.index); },
          Hang{Rule::syncMismatch, "SyncAll", site, "not all cores reach this barrier"});
    core.clocks.waitAcross(stopped, sync.barrier.take(core.index), core.index);
}

std::vector<int> Machine::order() {
    std::vector<int> cores(static_cast<size_t>(options_.cores));
    std::iota(cores.begin(), cores.end(), 0);
    if (options_.seed != 0) random_.shuffle(cores);
    return cores;
}

void Machine::start(int index, const std::function<void()>& kernel) {
    auto seat = spare_.empty() ? std::make_unique<Seat>() : std::move(spare_.back());
    if (!spare_.empty()) spare_.pop_back();
    seat->core = std::make_unique<Core>(index, seat->memory, options_, *this, gm_, findings_,
                                        figures.start(index));
    seat->aborted = false;
    Core& core = *seat->core;
    seat->fiber.start(seat->stack, [this, &core, &kernel, point = &seat->faultPoint] {
        if (FaultGuard::guarded(*point, [&] { runCore(core, kernel); })) return;
        cutShort_ = true;
        reportFault(core);
    });
    seats_.push_back(std::move(seat));
    resume(*seats_.back());
}

void Machine::reportFault(Core& core) {
    if (FaultGuard::called == nullptr) {
        core.report(Rule::memoryFault, "pointer", core.lastSite(), "a raw access outside of all memory");
    } else {
        core.report(Rule::kernelException, FaultGuard::called, core.lastSite(), "ends the kernel: a device has no process");
    }
}

void Machine::runCore(Core& core, const std::function<void()>& kernel) {
    try {
        kernel();
        core.finish();
    } catch (const CoreAbort&) {
        cutShort_ = true;
    } catch (const std::exception& error) {
        cutShort_ = true;
        core.report(Rule::kernelException, "kernel", core.lastSite(), error.what());
    }
    core.figures.useBuffers(core.buffers.peak());
}

void Machine::resume(Seat& seat) {
    running_ = &seat;
    Core::running = seat.core.get();
    FaultGuard::active = &seat.faultPoint;
    seat.fiber.resume();
    FaultGuard::active = nullptr;
    Core::running = nullptr;
    running_ = nullptr;
}

void Machine::retire() {
    seats_.back()->core.reset();
    spare_.push_back(std::move(seats_.back()));
    seats_.pop_back();
    ended_++;
}

/// Give each core that can go on a turn; where none can, every one reports what it waits for and ends.
void Machine::advance() {
    std::vector<Seat*> turn;
    for (const auto& seat : seats_) turn.push_back(seat.get());
    if (options_.seed != 0) random_.shuffle(turn);
    bool moved = false;
    for (Seat* seat : turn) {
        if (!(*seat->ready)()) continue;
        moved = true;
        resume(*seat);
    }
    for (Seat* seat : turn) {
        if (moved) break;
        seat->aborted = true;
        resume(*seat);
    }
    const auto done = [](const std::unique_ptr<Seat>& seat) { return seat->fiber.done(); };
    ended_ += static_cast<int>(std::count_if(seats_.begin(), seats_.end(), done));
    seats_.erase(std::remove_if(seats_.begin(), seats_.end(), done), seats_.end());
}

void Machine::checkSync() {
    for (const auto& [key, flag] : sync.flags) {
        for (int core = flag.first(); core < flag.first() + flag.members(); core++) {
            if (flag.unwaited(core) <= 0) continue;
            findings_.add(Rule::syncFlagCount, "CrossCoreSetFlag", flag.site(), core,
                          text("flag %d is still set at the end of the kernel", std::get<2>(key)));
            break;
        }
    }
    if (sync.turns.isEven()) return;
    findings_.add(Rule::syncMismatch, "NotifyNextBlock", sync.turns.site(), -1,
                  "not all cores call it the same number of times");
}

}  // namespace emu
