// The overlap rules.
#include "emu/overlap.h"

namespace emu {

std::optional<std::string> OverlapCheck::fault() const {
    if (disjointBounds()) return std::nullopt;
    if (allowance_ == Overlap::forbidden) return text("%s and %s share bytes", dst_.name, src_.name);
    if (identicalAdvancing()) return std::nullopt;
    if (accumulates()) return std::nullopt;
    std::vector<Run> written;
    for (uint32_t r = 0; r < shape_.repeats; r++) {
        const std::vector<Run> source = runsOf(src_, r);
        if (meet(written, source)) return text("%s of repeat %u reads what an earlier repeat wrote", src_.name, r);
        const std::vector<Run> target = runsOf(dst_, r);
        if (meet(target, source) && !sameLanes(r) && !convertsInPlace()) {
            return text("%s and %s of repeat %u overlap in part", dst_.name, src_.name, r);
        }
        written.insert(written.end(), target.begin(), target.end());
    }
    return std::nullopt;
}

bool OverlapCheck::meet(std::vector<Run> a, std::vector<Run> b) {
    const auto earlier = [](const Run& x, const Run& y) { return x.begin < y.begin; };
    std::sort(a.begin(), a.end(), earlier);
    std::sort(b.begin(), b.end(), earlier);
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].begin < b[j].end && b[j].begin < a[i].end) return true;
        (a[i].end <= b[j].end ? i : j)++;
    }
    return false;
}

Run OverlapCheck::bounds(const std::vector<Run>& runs) {
    Run all = runs.front();
    for (const Run& run : runs) all = Run{std::min(all.begin, run.begin), std::max(all.end, run.end)};
    return all;
}

bool OverlapCheck::disjointBounds() const {
    if (dst_.runs.empty() || src_.runs.empty()) return true;
    return !meet({bounds(dst_.runs)}, {bounds(src_.runs)}) || !meet(dst_.runs, src_.runs);
}

bool OverlapCheck::sameGeometry() const {
    return dst_.ref.address == src_.ref.address && dst_.elementBytes == src_.elementBytes &&
           dst_.strides.block == src_.strides.block && dst_.strides.repeat == src_.strides.repeat;
}

bool OverlapCheck::identicalAdvancing() const {
    const uint64_t span = shape_.lanes * uint64_t{dst_.elementBytes};
    return sameGeometry() && dst_.strides.block == chip::blockBytes &&
           (shape_.repeats < 2 || dst_.strides.repeat >= span);
}

bool OverlapCheck::accumulates() const {
    return allowance_ == Overlap::accumulate && secondSource_ && dst_.ref.address == src_.ref.address &&
           dst_.strides.block == src_.strides.block && (dst_.strides.repeat == 0 || src_.strides.repeat == 0);
}

bool OverlapCheck::convertsInPlace() const {
    if (allowance_ != Overlap::conversion || dst_.elementBytes == src_.elementBytes) return false;
    if (dst_.elementBytes < src_.elementBytes) return dst_.ref.address == src_.ref.address;
    return src_.ref.address > dst_.ref.address;
}

std::vector<Run> OverlapCheck::runsOf(const Operand& operand, uint32_t repeat) const {
    std::vector<Run> runs;
    appendRepeat(runs, operand.ref.address, operand.strides, operand.elementBytes, repeat, shape_.maskOf(repeat));
    return runs;
}

bool OverlapCheck::sameLanes(uint32_t repeat) const {
    return dst_.elementBytes == src_.elementBytes && dst_.strides.block == src_.strides.block &&
           dst_.ref.address + repeat * dst_.strides.repeat == src_.ref.address + repeat * src_.strides.repeat;
}

}  // namespace emu
