// Indexed reads and writes: Gather, Gatherb, Scatter.
#pragma once

#include "api/vector.h"

namespace emu {

/// The memory that an indexed instruction may reach: a tensor, and the parts of it that nothing has written.
class IndexedMemory {
public:
    template <typename T>
    IndexedMemory(const char* api, Site site, const LocalTensor<T>& tensor, uint64_t start, uint64_t unit)
        : api_(api), site_(site), core_(&Core::current()), view_{tensor.ref().address, end(tensor.ref())},
          start_(view_.begin + start), unit_(unit) {}

    const Run& view() const { return view_; }

    /// Remember what is undefined now, in program order.
    void noteHoles(Core& core) { holes_ = core.shadow.holes(view_); }

    /// The address that an offset selects; an illegal one is reported and gives nothing.
    std::optional<uint64_t> address(uint64_t offset) const {
        const uint64_t at = start_ + offset;
        if (at % unit_ != 0) return fault(offset, text("is not a multiple of %llu", (unsigned long long)unit_));
        if (at < view_.begin || at + unit_ > view_.end) {
            return fault(offset, text("leaves the tensor's %llu bytes", (unsigned long long)(view_.end - view_.begin)));
        }
        return at;
    }

    void requireDefined(uint64_t at) const {
        for (const Run& hole : holes_) {
            if (at + unit_ <= hole.begin || at >= hole.end) continue;
            core_->report(Rule::ubUninitialized, api_, site_,
                          text("reads UB bytes [%llu, %llu) that nothing has written", (unsigned long long)at,
                               (unsigned long long)(at + unit_)));
        }
    }

private:
    static uint64_t end(const LocalRef& ref) {
        if (ref.buffer < 0 || ref.owner == nullptr) return ref.address + ref.bytes;
        const Buffer& buffer = ref.owner->buffers.buffer(ref.buffer);
        return std::min(roundToBlock(ref.address + ref.bytes), buffer.begin + buffer.bytes);
    }

    std::optional<uint64_t> fault(uint64_t offset, const std::string& what) const {
        core_->report(Rule::gatherOffset, api_, site_,
                      text("offset %llu %s", (unsigned long long)offset, what.c_str()));
        return std::nullopt;
    }

    const char* api_;
    Site site_;
    Core* core_;
    Run view_;
    uint64_t start_;
    uint64_t unit_;
    std::vector<Run> holes_{};
};

/// An operand of which the data decides the bytes in use.
template <typename T>
Operand indexedOperand(const char* name, const LocalTensor<T>& tensor, Use use, const Run& view) {
    return Operand{name, tensor.ref(), use, sizeof(T), chip::blockBytes, false, {}, {view}};
}

/// The operand with one offset a lane, repeat after repeat without gaps.
inline Operand offsetOperand(const LocalTensor<uint32_t>& offsets, const Shape& shape) {
    Operand operand{"srcOffset", offsets.ref(), Use::read, sizeof(uint32_t), chip::blockBytes, false, {}, {}};
    appendShape(operand.runs, shape, offsets.ref().address, contiguous<uint32_t>(shape.lanes), sizeof(uint32_t));
    return operand;
}

inline uint32_t offsetOf(const LocalTensor<uint32_t>& offsets, uint64_t index) {
    uint32_t value;
    std::memcpy(&value, offsets.bytes() + index * sizeof value, sizeof value);
    return value;
}

/// Call move(lane address of the dense side, address that the offset selects) for each active lane.
template <typename Move>
void forEachIndexed(const Shape& shape, const LocalTensor<uint32_t>& offsets, uint64_t dense, Strides strides,
                    uint32_t elementBytes, const IndexedMemory& memory, const Move& move) {
    for (uint32_t r = 0; r < shape.repeats; r++) {
        const LaneMask& mask = shape.maskOf(r);
        for (uint32_t lane = 0; lane < mask.bound(); lane++) {
            if (!mask.test(lane)) continue;
            const auto at = memory.address(offsetOf(offsets, uint64_t{r} * shape.lanes + lane));
            if (at) move(laneAddress(dense, strides, elementBytes, r, lane), *at);
        }
    }
}

template <typename T>
void gather(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
            uint32_t base, const Shape& shape, Strides strides) {
    Core& core = Core::current();
    IndexedMemory memory("Gather", site, src, base, sizeof(T));
    memory.noteHoles(core);
    Instruction instruction{"Gather", PIPE_V, site, shape, Overlap::forbidden};
    instruction.operands.push_back(Strided<T>{dst, strides}.operand("dst", Use::write));
    instruction.operands.push_back(indexedOperand("src", src, Use::mayRead, memory.view()));
    instruction.operands.push_back(offsetOperand(offsets, shape));
    uint8_t* ub = core.ub;
    core.issue(instruction, [=] {
        forEachIndexed(shape, offsets, dst.ref().address, strides, sizeof(T), memory, [&](uint64_t to, uint64_t from) {
            memory.requireDefined(from);
            std::memcpy(ub + to, ub + from, sizeof(T));
        });
    });
}

template <typename T>
void scatter(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
             uint32_t base, const Shape& shape, Strides strides) {
    Core& core = Core::current();
    const IndexedMemory memory("Scatter", site, dst, base, sizeof(T));
    Instruction instruction{"Scatter", PIPE_V, site, shape, Overlap::forbidden};
    instruction.operands.push_back(indexedOperand("dst", dst, Use::mayWrite, memory.view()));
    instruction.operands.push_back(Strided<T>{src, strides}.operand("src", Use::read));
    instruction.operands.push_back(offsetOperand(offsets, shape));
    core.issue(instruction, [=, &core] {
        forEachIndexed(shape, offsets, src.ref().address, strides, sizeof(T), memory, [&](uint64_t from, uint64_t to) {
            std::memcpy(core.ub + to, core.ub + from, sizeof(T));
            core.shadow.define(Run{to, to + sizeof(T)});
        });
    });
}

template <typename T>
void gatherBlocks(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                  const LocalTensor<uint32_t>& offsets, int64_t repeats, Strides strides) {
    constexpr uint32_t perRepeat = chip::repeatBytes / chip::blockBytes;
    const Shape shape = Selection("Gatherb", site, lanesFor<T>).continuous(lanesFor<T>, repeats);
    Core& core = Core::current();
    IndexedMemory memory("Gatherb", site, src, 0, chip::blockBytes);
    memory.noteHoles(core);
    Instruction instruction{"Gatherb", PIPE_V, site, shape, Overlap::forbidden};
    instruction.operands.push_back(Strided<T>{dst, strides}.operand("dst", Use::write));
    instruction.operands.push_back(indexedOperand("src", src, Use::mayRead, memory.view()));
    instruction.operands.push_back(offsetOperand(offsets, Shape::counted(shape.repeats * perRepeat, perRepeat)));
    uint8_t* to = core.ub + dst.ref().address;
    core.issue(instruction, [=, &core] {
        for (uint32_t i = 0; i < shape.repeats * perRepeat; i++) {
            const auto from = memory.address(offsetOf(offsets, i));
            if (!from) continue;
            memory.requireDefined(*from);
            std::memcpy(to + i / perRepeat * strides.repeat + i % perRepeat * strides.block, core.ub + *from,
                        chip::blockBytes);
        }
    });
}

/// The largest count whose repeats an 8-bit register holds; the rest would be lost.
template <typename T>
Shape gatheredCount(Site site, uint32_t count) {
    constexpr uint64_t limit = uint64_t{256} * lanesFor<T>;
    if (!chip::registerBased && count >= limit) {
        Core::current().report(Rule::countRange, "Gather", site,
                               text("count %u is not below %llu: whole multiples of it are lost", count,
                                    (unsigned long long)limit));
    }
    return Selection("Gather", site, lanesFor<T>).counted(count);
}

}  // namespace emu

namespace AscendC {

/// dst[i] = the element at byte srcBaseAddr + srcOffset[i] of src.
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
            const uint32_t srcBaseAddr, const uint32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("Gather"), "Gather: the chip's vector unit does not have this type");
    emu::gather(site, dst, src, srcOffset, srcBaseAddr, emu::gatheredCount<T>(site, count),
                emu::contiguous<T>(emu::lanesFor<T>));
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
            const uint32_t srcBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride,
            Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Gather"), "Gather: the chip's vector unit does not have this type");
    const emu::Selection selection("Gather", site, emu::lanesFor<T>);
    emu::gather(site, dst, src, srcOffset, srcBaseAddr, selection.continuous(mask, repeatTime),
                emu::blockStrides(1, dstRepStride));
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
            const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride,
            Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Gather"), "Gather: the chip's vector unit does not have this type");
    const emu::Selection selection("Gather", site, emu::lanesFor<T>);
    emu::gather(site, dst, src, srcOffset, srcBaseAddr, selection.bitwise(mask, repeatTime),
                emu::blockStrides(1, dstRepStride));
}

/// The element at byte dstBaseAddr + dstOffset[i] of dst = src[i].
template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
             const uint32_t dstBaseAddr, const uint32_t count, Site site = Site::here()) {
    static_assert(emu::isLegalCount<T, T>("Scatter"), "Scatter: the chip's vector unit does not have this type");
    const emu::Selection selection("Scatter", site, emu::lanesFor<T>);
    emu::scatter(site, dst, src, dstOffset, dstBaseAddr, selection.counted(count),
                 emu::contiguous<T>(emu::lanesFor<T>));
}
template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
             const uint32_t dstBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint8_t srcRepStride,
             Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Scatter"), "Scatter: the chip's vector unit does not have this type");
    const emu::Selection selection("Scatter", site, emu::lanesFor<T>);
    emu::scatter(site, dst, src, dstOffset, dstBaseAddr, selection.continuous(mask, repeatTime),
                 emu::blockStrides(1, srcRepStride));
}
template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
             const uint32_t dstBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint8_t srcRepStride,
             Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Scatter"), "Scatter: the chip's vector unit does not have this type");
    const emu::Selection selection("Scatter", site, emu::lanesFor<T>);
    emu::scatter(site, dst, src, dstOffset, dstBaseAddr, selection.bitwise(mask, repeatTime),
                 emu::blockStrides(1, srcRepStride));
}

/// Block b of repeat r = the 32 bytes at byte offset[8 r + b] of src.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offset,
             const uint8_t repeatTime, const GatherRepeatParams& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Gatherb"), "Gatherb: the chip's vector unit does not have this type");
    const uint64_t blockStride = params.dstBlkStride == 0 ? 1 : params.dstBlkStride;
    emu::gatherBlocks(site, dst, src, offset, repeatTime, emu::blockStrides(blockStride, params.dstRepStride));
}

}  // namespace AscendC
