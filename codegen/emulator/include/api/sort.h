// Sorting of (score, index) pairs: Sort32, MrgSort, GetMrgSortResult.
#pragma once

#include "api/copy.h"
#include "api/operations.h"
#include "api/vector.h"

namespace AscendC {

/// Lengths of up to four sorted lists in pairs, and how they are merged.
struct MrgSort4Info {
    uint16_t elementLengths[4] = {};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;

    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t lengths[4], bool suspend, uint16_t valid, uint16_t repeats)
        : elementLengths{lengths[0], lengths[1], lengths[2], lengths[3]}, ifExhaustedSuspension(suspend),
          validBit(valid), repeatTimes(static_cast<uint8_t>(repeats)) {}
};

/// Up to four sorted lists.
template <typename T>
struct MrgSortSrcList {
    LocalTensor<T> src1;
    LocalTensor<T> src2;
    LocalTensor<T> src3;
    LocalTensor<T> src4;

    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T>& a, const LocalTensor<T>& b, const LocalTensor<T>& c, const LocalTensor<T>& d)
        : src1(a), src2(b), src3(c), src4(d) {}
};

}  // namespace AscendC

namespace emu {

using AscendC::MrgSort4Info;
using AscendC::MrgSortSrcList;

/// A score and its index; a half score is followed by two bytes without meaning.
struct Pair {
    uint8_t bytes[8];
};

template <typename T>
float scoreOf(const Pair& pair) {
    T score;
    std::memcpy(static_cast<void*>(&score), pair.bytes, sizeof(T));
    return widen(score);
}

/// Whether one score comes before another: descending, a NaN above everything else.
inline bool scoreBefore(float a, float b) { return std::isnan(a) ? !std::isnan(b) : a > b; }

template <typename T>
void writePair(uint8_t* to, T score, uint32_t index) {
    std::memcpy(to, &score, sizeof(T));
    std::memcpy(to + 4, &index, sizeof index);
}

/// Sort groups of `group` scores into pairs, equal ones in their given order.
template <typename T>
void sortGroups(uint8_t* to, const uint8_t* scores, const uint8_t* indices, uint64_t groups, uint64_t group) {
    std::vector<std::pair<T, uint32_t>> items(group);
    for (uint64_t g = 0; g < groups; g++) {
        for (uint64_t i = 0; i < group; i++) {
            std::memcpy(static_cast<void*>(&items[i].first), scores + (g * group + i) * sizeof(T), sizeof(T));
            std::memcpy(&items[i].second, indices + (g * group + i) * sizeof(uint32_t), sizeof(uint32_t));
        }
        std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
            return scoreBefore(widen(a.first), widen(b.first));
        });
        for (uint64_t i = 0; i < group; i++) {
            writePair(to + (g * group + i) * sizeof(Pair), items[i].first, items[i].second);
        }
    }
}

/// The operands of a sort of `count` scores: pairs, scores, indices.
template <typename T>
std::vector<Operand> sortOperands(const LocalTensor<T>& dst, const LocalTensor<T>& scores,
                                  const LocalTensor<uint32_t>& indices, uint64_t count) {
    const uint64_t d = dst.ref().address;
    const uint64_t s = scores.ref().address;
    const uint64_t i = indices.ref().address;
    return {localOperand("dst", dst, Use::write, {Run{d, d + count * sizeof(Pair)}}),
            localOperand("src0", scores, Use::read, {Run{s, s + count * sizeof(T)}}),
            localOperand("src1", indices, Use::read, {Run{i, i + count * sizeof(uint32_t)}})};
}

/// Lists to merge: UB addresses and lengths in pairs.
struct MergeLists {
    size_t count = 0;
    std::array<LocalRef, 4> refs{};
    std::array<uint16_t, 4> lengths{};

    uint64_t total() const { return uint64_t{lengths[0]} + lengths[1] + lengths[2] + lengths[3]; }
    bool equalAndContiguous() const {
        if (count != 4) return false;
        for (size_t i = 1; i < count; i++) {
            if (lengths[i] != lengths[0]) return false;
            if (refs[i].address != refs[i - 1].address + lengths[0] * sizeof(Pair)) return false;
        }
        return true;
    }
};

/// Merge lists that lie `skip` pairs behind their addresses; equal scores come from the earlier list first. With
/// `suspend` the merge stops when one list is used up. Return the number of pairs taken from each list.
template <typename T>
std::array<uint16_t, 4> mergeLists(std::vector<Pair>& out, const uint8_t* ub, const MergeLists& lists, uint64_t skip,
                                   bool suspend) {
    std::array<uint16_t, 4> taken{};
    const auto head = [&](size_t i) {
        Pair pair;
        std::memcpy(&pair, ub + lists.refs[i].address + (skip + taken[i]) * sizeof(Pair), sizeof pair);
        return pair;
    };
    while (true) {
        size_t best = lists.count;
        for (size_t i = 0; i < lists.count; i++) {
            if (taken[i] == lists.lengths[i]) {
                if (suspend) return taken;
            } else if (best == lists.count || scoreBefore(scoreOf<T>(head(i)), scoreOf<T>(head(best)))) {
                best = i;
            }
        }
        if (best == lists.count) return taken;
        out.push_back(head(best));
        taken[best]++;
    }
}

template <typename T>
MergeLists listsOf(const MrgSortSrcList<T>& src, const MrgSort4Info& info) {
    MergeLists lists;
    lists.count = info.validBit == 3 ? 2 : info.validBit == 7 ? 3 : 4;
    const LocalTensor<T>* tensors[] = {&src.src1, &src.src2, &src.src3, &src.src4};
    for (size_t i = 0; i < lists.count; i++) {
        lists.refs[i] = tensors[i]->ref();
        lists.lengths[i] = info.elementLengths[i];
    }
    return lists;
}

/// Report arguments that MrgSort does not have; whether the merge can run.
inline bool mergeLegal(Site site, const MergeLists& lists, const MrgSort4Info& info) {
    CopyLimits limits("MrgSort", site);
    if (info.validBit != 3 && info.validBit != 7 && info.validBit != 15) {
        limits.require("validBit", info.validBit, 3, 3, Rule::sortRange);
    }
    constexpr int64_t longest = (1 << 12) - 1;
    for (uint16_t length : lists.lengths) limits.require("elementLengths", length, 0, longest, Rule::sortRange);
    if (info.repeatTimes > 1 && (info.ifExhaustedSuspension || !lists.equalAndContiguous())) {
        Core::current().report(Rule::sortRange, "MrgSort", site,
                               "repeatTimes above 1 needs four equally long lists in a row and no suspension");
        return false;
    }
    return limits.legal();
}

/// Issue a merge. Where it may stop early, what it takes is found out before, so the vector pipe has to be at rest.
template <typename T>
void mergeSort(Site site, const LocalTensor<T>& dst, const MergeLists& lists, const MrgSort4Info& info) {
    Core& core = Core::current();
    uint64_t pairs = lists.total() * info.repeatTimes;
    core.registers.mergedCounts = lists.lengths;
    if (info.ifExhaustedSuspension && info.repeatTimes > 0) {
        core.settle(PIPE_V);
        std::vector<Pair> plan;
        core.registers.mergedCounts = mergeLists<T>(plan, core.ub, lists, 0, true);
        pairs = plan.size();
    }
    const uint64_t to = dst.ref().address;
    Instruction instruction{"MrgSort", PIPE_V, site, {}, Overlap::forbidden};
    instruction.operands.push_back(localOperand("dst", dst, Use::write, {Run{to, to + pairs * sizeof(Pair)}}));
    for (size_t i = 0; i < lists.count; i++) {
        const uint64_t from = lists.refs[i].address;
        const uint64_t before = lists.total() * static_cast<uint64_t>(std::max(info.repeatTimes - 1, 0));
        const uint64_t last = from + (before + lists.lengths[i]) * sizeof(Pair);
        instruction.operands.push_back(Operand{"src", lists.refs[i], Use::read, sizeof(T), sizeof(Pair), false, {},
                                               {Run{from, info.repeatTimes == 0 ? from : last}}});
    }
    uint8_t* ub = core.ub;
    core.issue(instruction, [=] {
        std::vector<Pair> merged;
        for (uint64_t r = 0; r < info.repeatTimes; r++) {
            mergeLists<T>(merged, ub, lists, r * lists.total(), info.ifExhaustedSuspension);
        }
        merged.resize(std::min<uint64_t>(merged.size(), pairs));
        std::memcpy(ub + to, merged.data(), merged.size() * sizeof(Pair));
    });
}

}  // namespace emu

namespace AscendC {

/// Sort each 32 scores in descending order and write (score, index) pairs of 8 bytes.
template <typename T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
            const int32_t repeatTime, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Sort32"), "Sort32: the chip's vector unit does not have this type");
    emu::CopyLimits limits("Sort32", site);
    limits.require("repeatTime", repeatTime, 0, emu::chip::maxRepeat, emu::Rule::repeatRange);
    if (!limits.legal()) return;
    emu::Instruction instruction{"Sort32", PIPE_V, site, {}, emu::Overlap::forbidden};
    instruction.operands = emu::sortOperands(dst, src0, src1, static_cast<uint64_t>(repeatTime) * 32);
    emu::Core::current().issue(instruction, [=, to = dst.bytes(), scores = src0.bytes(), indices = src1.bytes()] {
        emu::sortGroups<T>(to, scores, indices, static_cast<uint64_t>(repeatTime), 32);
    });
}

/// Merge two to four sorted lists of pairs.
template <typename T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params,
             Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("MrgSort"), "MrgSort: the chip's vector unit does not have this type");
    const emu::MergeLists lists = emu::listsOf(src, params);
    if (emu::mergeLegal(site, lists, params)) emu::mergeSort(site, dst, lists, params);
}

/// The number of pairs that the last MrgSort took from each list.
inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3,
                             uint16_t& mrgSortList4) {
    const auto& counts = emu::Core::current().registers.mergedCounts;
    mrgSortList1 = counts[0];
    mrgSortList2 = counts[1];
    mrgSortList3 = counts[2];
    mrgSortList4 = counts[3];
}

}  // namespace AscendC
