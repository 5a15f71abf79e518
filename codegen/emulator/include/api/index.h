// Arithmetic sequences: CreateVecIndex and Arange.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

/// A sequence as the chip builds it up: a first block (or repeat), then additions of a step to what is there.
template <typename T>
class Sequence {
public:
    static constexpr uint32_t perBlock = chip::blockBytes / sizeof(T);
    static constexpr uint32_t perRepeat = lanesFor<T>;

    /// `head` elements come from `element(i)`; each further block adds `blockStep`, each further repeat `repeatStep`.
    template <typename Element>
    Sequence(uint64_t count, uint32_t head, T blockStep, T repeatStep, const Element& element) : values_(count) {
        for (uint64_t i = 0; i < count; i++) {
            values_[i] = i < head         ? element(i)
                         : i < perRepeat ? AddOp{}(values_[i - perBlock], blockStep)
                                         : AddOp{}(values_[i - perRepeat], repeatStep);
        }
    }

    const std::vector<T>& values() const { return values_; }

private:
    std::vector<T> values_;
};

/// A number as the scalar unit converts it.
template <typename T>
T scalarTo(double value) {
    if constexpr (isFloating<T>) {
        return narrow<T>(static_cast<float>(value));
    } else {
        return static_cast<T>(static_cast<int64_t>(value));
    }
}

template <typename T>
double scalarValue(T value) {
    if constexpr (isFloating<T>) return widen(value);
    else return static_cast<double>(value);
}

/// Issue the lanes of a sequence: where single instructions do it, the first block comes from the scalar unit.
template <typename T>
void storeSequence(const char* api, Site site, const Strided<T>& dst, const Shape& shape, const std::vector<T>& values,
                   const LaneMask& byScalars) {
    const auto store = [=](const Shape& part) {
        std::array<T, maxLanes> lanes{};
        for (uint32_t r = 0; r < part.repeats; r++) {
            const uint64_t first = uint64_t{r} * part.lanes;
            const uint64_t here = std::min<uint64_t>(part.lanes, values.size() - std::min(first, values.size()));
            std::copy_n(values.begin() + static_cast<int64_t>(first), here, lanes.begin());
            storeRepeat(lanes.data(), dst, r, part.maskOf(r));
        }
    };
    Core& core = Core::current();
    const bool scalars = byScalars.bound() > 0 && shape.repeats > 0;
    if (scalars) {
        const LaneMask head = shape.maskOf(0) & byScalars;
        const Shape part{shape.lanes, 1, head, head};
        Instruction instruction{api, PIPE_S, site, part, Overlap::general};
        instruction.operands.push_back(dst.operand("dst", Use::write));
        core.issue(instruction, [=] { store(part); });
        core.clocks.wait(PIPE_V, core.clocks.token(PIPE_S));
    }
    Instruction instruction{api, PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    core.issue(instruction, [=] { store(shape); });
}

/// The lanes of the first repeat that scalar stores write.
template <typename T>
LaneMask scalarLanes(bool wholeRepeat) {
    if (chip::registerBased) return LaneMask::prefix(0);
    return LaneMask::prefix(wholeRepeat ? Sequence<T>::perRepeat : Sequence<T>::perBlock);
}

/// first, first + 1, ...: scalars or an index register fill the head, additions the rest.
template <typename T>
Sequence<T> indices(T first, uint64_t count, bool wholeRepeat) {
    const uint32_t head = chip::registerBased || wholeRepeat ? Sequence<T>::perRepeat : Sequence<T>::perBlock;
    const auto element = [first](uint64_t i) {
        if constexpr (isFloating<T>) return narrow<T>(widen(first) + static_cast<float>(i));
        else return static_cast<T>(static_cast<uint64_t>(first) + i);
    };
    return Sequence<T>(count, head, scalarTo<T>(Sequence<T>::perBlock), scalarTo<T>(Sequence<T>::perRepeat), element);
}

template <typename T>
void createIndex(Site site, const LocalTensor<T>& dst, T first, const Shape& shape, Strides strides, bool whole) {
    const auto sequence = indices<T>(first, uint64_t{shape.lanes} * shape.repeats, whole);
    storeSequence("CreateVecIndex", site, Strided<T>{dst, strides}, shape, sequence.values(), scalarLanes<T>(whole));
}

/// The repeats of a masked CreateVecIndex: where scalars write the first repeat, they do so also if there is none.
inline int64_t indexRepeats(int64_t repeats) { return repeats == 0 && !chip::registerBased ? 1 : repeats; }

}  // namespace emu

namespace AscendC {

template <typename T>
void CreateVecIndex(const LocalTensor<T>& dst, Same<T> firstValue, uint32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T>("CreateVecIndex"), "CreateVecIndex: not on this chip for this type");
    const auto shape = emu::Selection("CreateVecIndex", site, emu::lanesFor<T>).counted(count);
    emu::createIndex<T>(site, dst, firstValue, shape, emu::contiguous<T>(shape.lanes), false);
}

template <typename T>
void CreateVecIndex(const LocalTensor<T>& dst, Same<T> firstValue, uint64_t mask, int64_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T>("CreateVecIndex"), "CreateVecIndex: not on this chip for this type");
    if (!emu::chip::registerBased && mask < emu::Sequence<T>::perBlock) {
        emu::Core::current().report(emu::Rule::maskRange, "CreateVecIndex", site,
                                    "a mask below one block: this chip writes wrong elements");
    }
    const emu::Selection lanes("CreateVecIndex", site, emu::lanesFor<T>);
    emu::createIndex<T>(site, dst, firstValue, lanes.continuous(mask, emu::indexRepeats(repeatTime)),
                        emu::blockStrides(dstBlkStride, dstRepStride), false);
}

template <typename T>
void CreateVecIndex(const LocalTensor<T>& dst, Same<T> firstValue, const uint64_t mask[], int64_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T>("CreateVecIndex"), "CreateVecIndex: not on this chip for this type");
    const emu::Selection lanes("CreateVecIndex", site, emu::lanesFor<T>);
    emu::createIndex<T>(site, dst, firstValue, lanes.bitwise(mask, emu::indexRepeats(repeatTime)),
                        emu::blockStrides(dstBlkStride, dstRepStride), true);
}

/// first, first + diff, ...; where single instructions do it, the last block is written as a whole.
template <typename T>
void Arange(const LocalTensor<T>& dst, Same<T> first, Same<T> diff, int32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T>("Arange"), "Arange: not on this chip for this type");
    using Values = emu::Sequence<T>;
    constexpr bool vectors = emu::chip::registerBased;
    const double from = emu::scalarValue(first);
    const double step = emu::scalarValue(diff);
    if (step < 0) emu::Core::current().report(emu::Rule::countRange, "Arange", site, "diff is negative");
    const bool rounds = !vectors && count > static_cast<int32_t>(Values::perBlock);
    const uint64_t written = rounds ? emu::roundToBlock(static_cast<uint64_t>(count) * sizeof(T)) / sizeof(T)
                                    : static_cast<uint64_t>(count < 0 ? 0 : count);
    const auto element = [=](uint64_t i) {
        if constexpr (vectors || !emu::isFloating<T>) {
            return emu::AddOp{}(emu::MulOp{}(T(diff), emu::scalarTo<T>(static_cast<double>(i))), T(first));
        } else {
            return emu::narrow<T>(static_cast<float>(from) + static_cast<float>(step) * static_cast<float>(i));
        }
    };
    const uint32_t head = vectors ? Values::perRepeat : Values::perBlock;
    const Values values(written, head, emu::scalarTo<T>(step * Values::perBlock),
                        emu::scalarTo<T>(step * Values::perRepeat), element);
    emu::Selection("Arange", site, emu::lanesFor<T>).counted(count);
    emu::storeSequence("Arange", site, emu::Strided<T>{dst, emu::contiguous<T>(emu::lanesFor<T>)},
                       emu::Shape::counted(written, emu::lanesFor<T>), values.values(), emu::scalarLanes<T>(false));
}

template <typename T>
void ArithProgression(const LocalTensor<T>& dst, Same<T> first, Same<T> diff, int32_t count,
                      Site site = Site::here()) {
    Arange(dst, first, diff, count, site);
}

}  // namespace AscendC
