// Flags and turns between cores.
#pragma once

#include <map>
#include <tuple>

#include "emu/clock.h"
#include "emu/site.h"

namespace emu {

/// What cores promise with a flag.
using Promise = std::shared_ptr<const CoreCounts>;

/// A flag of a group of cores: the n-th wait of a member passes when every member has set the flag n times.
class GroupFlag {
public:
    GroupFlag(int first, int members, int cores)
        : first_(first), members_(members), sets_(static_cast<size_t>(cores)), waits_(static_cast<size_t>(cores)) {}

    int first() const { return first_; }
    int members() const { return members_; }

    /// Where the latest set stands.
    Site site() const { return site_; }

    void set(int core, const CoreCounts& promise, Site site) {
        site_ = site;
        const size_t round = sets_[static_cast<size_t>(core)]++;
        if (round == rounds_.size()) rounds_.push_back(Round{0, std::make_shared<CoreCounts>(promise.size())});
        raise(*rounds_[round].promise, promise);
        rounds_[round].arrived++;
    }

    /// Whether the next wait of a core passes.
    bool isSet(int core) const {
        const size_t round = waits_[static_cast<size_t>(core)];
        return round < rounds_.size() && rounds_[round].arrived == members_;
    }

    Promise take(int core) { return rounds_[waits_[static_cast<size_t>(core)]++].promise; }

    /// How many sets of a core it has not waited for yet.
    int64_t unwaited(int core) const {
        return int64_t{sets_[static_cast<size_t>(core)]} - int64_t{waits_[static_cast<size_t>(core)]};
    }

    uint32_t waits(int core) const { return waits_[static_cast<size_t>(core)]; }

private:
    struct Round {
        int arrived;
        std::shared_ptr<CoreCounts> promise;
    };

    int first_;
    int members_;
    Site site_{};
    std::vector<uint32_t> sets_;
    std::vector<uint32_t> waits_;
    std::vector<Round> rounds_{};
};

/// The turns of cores that go one after another, round by round.
class Turns {
public:
    explicit Turns(int cores) : passed_(static_cast<size_t>(cores)), waits_(static_cast<size_t>(cores)) {}

    void pass(int core, const CoreCounts& promise, Site site) {
        site_ = site;
        passed_[static_cast<size_t>(core)].push_back(std::make_shared<CoreCounts>(promise));
    }

    /// Whether it is a core's turn: the one before it has passed in this round, or the last one in the round before.
    bool isTurn(int core) const { return round(core) == 0 || passed_[before(core)].size() >= round(core); }

    /// Take the turn; null in the first one of all.
    Promise take(int core) {
        const size_t count = round(core);
        waits_[static_cast<size_t>(core)]++;
        return count == 0 ? nullptr : passed_[before(core)][count - 1];
    }

    Site site() const { return site_; }

    /// Whether all cores have passed the turn on equally often.
    bool isEven() const {
        for (const auto& each : passed_) {
            if (each.size() != passed_[0].size()) return false;
        }
        return true;
    }

private:
    size_t before(int core) const { return static_cast<size_t>(core == 0 ? passed_.size() - 1 : core - 1); }
    size_t round(int core) const { return waits_[static_cast<size_t>(core)] + (core > 0); }

    Site site_{};
    std::vector<std::vector<Promise>> passed_;
    std::vector<uint32_t> waits_;
};

/// A barrier between two groups: the n-th wait of a member passes when all of the other group have arrived n times.
class Group {
public:
    Group(uint32_t arrivals, uint32_t waiters) : arrived_(arrivals), waits_(waiters) {}

    void arrive(uint32_t index, const CoreCounts& promise) {
        const size_t round = arrived_[index]++;
        if (round == rounds_.size()) rounds_.push_back(std::make_shared<CoreCounts>(promise.size()));
        raise(*rounds_[round], promise);
    }

    /// Whether the next wait of a member passes.
    bool isComplete(uint32_t index) const {
        const uint32_t round = waits_[index];
        return std::all_of(arrived_.begin(), arrived_.end(), [round](uint32_t count) { return count > round; });
    }

    Promise take(uint32_t index) { return rounds_[waits_[index]++]; }

private:
    std::vector<uint32_t> arrived_;
    std::vector<uint32_t> waits_;
    std::vector<std::shared_ptr<CoreCounts>> rounds_{};
};

/// Everything cores of a launch wait for.
struct CoreSync {
    explicit CoreSync(int cores) : barrier(0, cores, cores), turns(cores) {}

    GroupFlag barrier;
    /// Barriers through memory, by their workspace.
    std::map<const uint8_t*, GroupFlag> soft{};
    /// Flags by mode, first core of the group and id.
    std::map<std::tuple<int, int, int>, GroupFlag> flags{};
    /// Flags in memory between two cores, by address.
    std::map<const uint8_t*, Promise> pairs{};
    /// Barriers between groups of cores, by address.
    std::map<const uint8_t*, Group> groups{};
    Turns turns;
};

}  // namespace emu
