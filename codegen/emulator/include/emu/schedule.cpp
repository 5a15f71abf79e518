// The adversary of strict mode.
#include "emu/schedule.h"

#include <limits>

namespace emu {

namespace {

constexpr uint32_t never = 0;
constexpr uint32_t always = 100;

/// How eagerly a pipe executes, in percent: seed 0 as late as possible, seed 1 as early as possible, then each pipe
/// for itself.
uint32_t paceOf(uint64_t seed, Random& random) {
    static constexpr uint32_t paces[] = {never, 15, 50, 85, always};
    if (seed < 2) return seed == 0 ? never : always;
    return paces[random.below(std::size(paces))];
}

}  // namespace

Schedule::Schedule(uint64_t seed) : random_(seed) {
    for (uint32_t& pace : pace_) pace = paceOf(seed, random_);
    overtaking_ = seed == 1 ? never : seed % 2 == 0 ? always : 50;
}

void Schedule::add(pipe_t pipe, Deferred&& instruction) {
    instruction.age = ++age_;
    pending_[pipe].push_back(std::move(instruction));
    PipeCounts everything;
    everything.fill(std::numeric_limits<uint32_t>::max());
    for (int p = 0; p < pipeCount; p++) {
        while (random_.chance(pace_[p]) && runSome(everything, static_cast<pipe_t>(p))) continue;
    }
    while (pending_[pipe].size() > queueDepth) {
        PipeCounts head{};
        head[pipe] = pending_[pipe].front().number;
        runUntil(head);
    }
}

void Schedule::runUntil(const PipeCounts& counts) {
    while (!finished(counts)) {
        const auto first = static_cast<int>(random_.below(pipeCount));
        bool moved = false;
        for (int i = 0; i < pipeCount && !moved; i++) {
            moved = runSome(counts, static_cast<pipe_t>((first + i) % pipeCount));
        }
        if (!moved) runOldest();
    }
}

void Schedule::runAll() {
    PipeCounts everything;
    everything.fill(std::numeric_limits<uint32_t>::max());
    runUntil(everything);
}

bool Schedule::ready(pipe_t pipe, size_t position) const {
    const Deferred& instruction = pending_[pipe][position];
    for (int p = 0; p < pipeCount; p++) {
        if (!pending_[p].empty() && pending_[p].front().number <= instruction.needs[p]) return false;
    }
    return true;
}

bool Schedule::finished(const PipeCounts& counts) const {
    for (int p = 0; p < pipeCount; p++) {
        if (!pending_[p].empty() && pending_[p].front().number <= counts[p]) return false;
    }
    return true;
}

/// Execute one ready instruction of the pipe within the counts: the first, or one that overtakes it.
bool Schedule::runSome(const PipeCounts& counts, pipe_t pipe) {
    const auto& queue = pending_[pipe];
    size_t chosen = window;
    for (size_t i = 0; i < queue.size() && i < window && queue[i].number <= counts[pipe]; i++) {
        if (ready(pipe, i) && (chosen == window || random_.chance(overtaking_))) chosen = i;
    }
    if (chosen == window) return false;
    run(pipe, chosen);
    return true;
}

/// The order of the program is always legal.
void Schedule::runOldest() {
    int oldest = -1;
    for (int p = 0; p < pipeCount; p++) {
        if (pending_[p].empty()) continue;
        if (oldest < 0 || pending_[p].front().age < pending_[oldest].front().age) oldest = p;
    }
    run(static_cast<pipe_t>(oldest), 0);
}

void Schedule::run(pipe_t pipe, size_t position) {
    auto& queue = pending_[pipe];
    const std::function<void()> action = std::move(queue[position].action);
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(position));
    action();
}

}  // namespace emu
