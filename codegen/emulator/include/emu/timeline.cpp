// The estimate of times.
#include "emu/timeline.h"

#include "opwright_costs.h"

namespace emu {

Timeline::Timeline() : scalar_(costs::setup) {}

Span Timeline::place(const Instruction& instruction, Duration duration, double calls, const Clocks& clocks,
                     const Timelines& all) {
    const pipe_t pipe = instruction.pipe;
    const Clock& scalarKnows = clocks.known(PIPE_S);
    scalar_ = std::max({scalar_, knownAt(scalarKnows, PIPE_S), othersAt(scalarKnows, PIPE_S, all)}) + calls;
    const Clock& known = clocks.known(pipe);
    const double begin = std::max({scalar_, free_[pipe], knownAt(known, pipe), othersAt(known, pipe, all)});
    free_[pipe] = begin + duration.busy;
    scalar_ = pipe == PIPE_S ? free_[pipe] : scalar_ + costs::dispatch;
    const double before = ends_[pipe].empty() ? 0.0 : double{ends_[pipe].back()};
    ends_[pipe].push_back(static_cast<float>(std::max(before, free_[pipe] + duration.latency)));
    return Span{pipe, instruction.api, instruction.site, begin, duration.busy};
}

double Timeline::finished(pipe_t pipe, uint32_t number) const {
    if (number == 0 || ends_[pipe].empty()) return 0.0;
    return double{ends_[pipe][std::min<size_t>(number, ends_[pipe].size()) - 1]};
}

double Timeline::end() const {
    double last = scalar_;
    for (const auto& ends : ends_) last = ends.empty() ? last : std::max(last, double{ends.back()});
    return last;
}

double Timeline::knownAt(const Clock& known, pipe_t pipe) const {
    double at = 0.0;
    for (int p = 0; p < pipeCount; p++) {
        if (known.done[p] == 0) continue;
        at = std::max(at, finished(static_cast<pipe_t>(p), known.done[p]) + (p == pipe ? 0.0 : costs::handOver));
    }
    return at;
}

double Timeline::othersAt(const Clock& known, pipe_t pipe, const Timelines& all) {
    if (known.others == nullptr || known.others == promises_[pipe]) return promised_[pipe];
    promises_[pipe] = known.others;
    for (size_t core = 0; core < known.others->size(); core++) {
        for (int p = 0; p < pipeCount; p++) {
            const double end = all.of(static_cast<int>(core)).finished(static_cast<pipe_t>(p), (*known.others)[core][p]);
            promised_[pipe] = std::max(promised_[pipe], end + costs::syncCores);
        }
    }
    return promised_[pipe];
}

}  // namespace emu
