// The sorting calls built from Sort32 and MrgSort: Concat, Sort, Extract, MrgSort with counts, GetSortLen.
#pragma once

#include "api/sort.h"

namespace AscendC {

/// Elements of T that the pairs of `count` scores occupy.
template <typename T>
constexpr uint32_t GetSortLen(const uint32_t count) {
    return static_cast<uint32_t>(count * sizeof(emu::Pair) / sizeof(T));
}

/// Elements of T before the pair of score `position`.
template <typename T>
constexpr uint32_t GetSortOffset(const uint32_t position) { return GetSortLen<T>(position); }

/// These chips sort scores as they are: the prepared tensor is the source.
template <typename T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&, const int32_t) {
    concat = src;
}

/// Sort each 32 scores, or with isFullSort all of them, in descending order into (score, index) pairs.
template <typename T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
          LocalTensor<T>& tmp, const int32_t repeatTime, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Sort32"), "Sort: the chip's vector unit does not have this type");
    emu::CopyLimits limits("Sort", site);
    limits.require("repeatTime", repeatTime, 0, emu::chip::maxRepeat, emu::Rule::repeatRange);
    if (!limits.legal()) return;
    const uint64_t count = static_cast<uint64_t>(repeatTime) * 32;
    emu::Instruction instruction{"Sort", PIPE_V, site, {}, emu::Overlap::forbidden};
    instruction.operands = emu::sortOperands(dst, concat, index, count);
    if (isFullSort && repeatTime > 1) {
        const uint64_t begin = tmp.ref().address;
        instruction.operands.push_back(emu::localOperand(
            "tmp", tmp, emu::Use::clobber, {emu::Run{begin, begin + count * sizeof(emu::Pair)}}));
    }
    const uint64_t group = isFullSort ? count : 32;
    emu::Core::current().issue(instruction, [=, to = dst.bytes(), scores = concat.bytes(), indices = index.bytes()] {
        if (count > 0) emu::sortGroups<T>(to, scores, indices, count / group, group);
    });
}

/// Split sorted pairs into scores and indices, 32 pairs a repeat.
template <typename T>
void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
             const int32_t repeatTime, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Sort32"), "Extract: the chip's vector unit does not have this type");
    emu::CopyLimits limits("Extract", site);
    limits.require("repeatTime", repeatTime, 0, emu::chip::maxRepeat, emu::Rule::repeatRange);
    if (!limits.legal()) return;
    const uint64_t count = static_cast<uint64_t>(repeatTime) * 32;
    const uint64_t values = dstValue.ref().address;
    const uint64_t indices = dstIndex.ref().address;
    const uint64_t pairs = sorted.ref().address;
    emu::Instruction instruction{"Extract", PIPE_V, site, {}, emu::Overlap::forbidden};
    instruction.operands = {
        emu::localOperand("dstValue", dstValue, emu::Use::write, {emu::Run{values, values + count * sizeof(T)}}),
        emu::localOperand("dstIndex", dstIndex, emu::Use::write, {emu::Run{indices, indices + count * 4}}),
        emu::localOperand("sorted", sorted, emu::Use::read, {emu::Run{pairs, pairs + count * sizeof(emu::Pair)}})};
    emu::Core::current().issue(instruction, [=, ub = emu::Core::current().ub] {
        for (uint64_t i = 0; i < count; i++) {
            std::memcpy(ub + values + i * sizeof(T), ub + pairs + i * sizeof(emu::Pair), sizeof(T));
            std::memcpy(ub + indices + i * 4, ub + pairs + i * sizeof(emu::Pair) + 4, 4);
        }
    });
}

/// Merge sorted lists; where merging stops early, sortedNum tells how many pairs of each list were taken.
template <typename T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4],
             uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime, Site site = Site::here()) {
    const MrgSort4Info info(elementCountList, isExhaustedSuspension, validBit, static_cast<uint16_t>(repeatTime));
    MrgSort(dst, sortList, info, site);
    if (!isExhaustedSuspension) return;
    for (size_t i = 0; i < 4; i++) sortedNum[i] = emu::Core::current().registers.mergedCounts[i];
}

}  // namespace AscendC
