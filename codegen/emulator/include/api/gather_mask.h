// GatherMask: pack the elements that a bit pattern selects.
#pragma once

#include "api/gather.h"

namespace AscendC {

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V1;

}  // namespace AscendC

namespace emu {

/// The source elements of a GatherMask call, chunk by chunk of at most 256 bytes.
template <typename T>
class CompressSource {
public:
    CompressSource(const LocalTensor<T>& tensor, bool counter, uint32_t mask,
                   const AscendC::GatherMaskParams& params)
        : base_(tensor.ref().address), perRepeat_(counter ? mask : lanesFor<T>), params_(params) {}

    uint64_t repeats() const { return params_.repeatTimes; }
    uint64_t perRepeat() const { return perRepeat_; }

    /// UB address of element `index` of a repeat.
    uint64_t address(uint64_t repeat, uint64_t index) const {
        const uint64_t chunk = index / lanesFor<T>;
        const uint64_t jump = chunk * blocksPerRepeat * params_.src0BlockStride * chip::blockBytes;
        return laneAddress(base_ + jump, blockStrides(params_.src0BlockStride, params_.src0RepeatStride), sizeof(T),
                           repeat, static_cast<uint32_t>(index % lanesFor<T>));
    }

    std::vector<Run> runs() const {
        constexpr uint64_t perBlock = chip::blockBytes / sizeof(T);
        std::vector<Run> list;
        for (uint64_t r = 0; r < repeats(); r++) {
            for (uint64_t i = 0; i < perRepeat_; i += perBlock) {
                const uint64_t begin = address(r, i);
                appendRun(list, begin, begin + std::min(perBlock, perRepeat_ - i) * sizeof(T));
            }
        }
        return list;
    }

private:
    static constexpr uint64_t blocksPerRepeat = chip::repeatBytes / chip::blockBytes;

    uint64_t base_;
    uint64_t perRepeat_;
    AscendC::GatherMaskParams params_;
};

/// Whether one of the built-in patterns selects an element: even, odd, one of every four, all.
inline bool builtinSelects(uint8_t pattern, uint64_t index) {
    switch (pattern) {
        case 1: return index % 2 == 0;
        case 2: return index % 2 == 1;
        case 7: return true;
        default: return index % 4 == pattern - 3u;
    }
}

/// Addresses of the selected elements, in order; selects(repeat, index) decides.
template <typename T, typename Selects>
std::vector<uint64_t> selectedAddresses(const CompressSource<T>& source, const Selects& selects) {
    std::vector<uint64_t> list;
    for (uint64_t r = 0; r < source.repeats(); r++) {
        for (uint64_t i = 0; i < source.perRepeat(); i++) {
            if (selects(r, i)) list.push_back(source.address(r, i));
        }
    }
    return list;
}

/// Issue the packing of elements at known addresses and return their number.
template <typename T>
uint64_t compress(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const CompressSource<T>& source,
                  const std::vector<uint64_t>& selected, std::vector<Operand> patterns) {
    Core& core = Core::current();
    const uint64_t to = dst.ref().address;
    const uint64_t bytes = selected.size() * sizeof(T);
    Instruction instruction{"GatherMask", PIPE_V, site};
    instruction.operands.push_back(Operand{"dst", dst.ref(), Use::write, sizeof(T), chip::blockBytes, false, {},
                                           {Run{to, to + bytes}}});
    Operand read{"src0", src.ref(), Use::mayRead, sizeof(T), chip::blockBytes, false, {}, source.runs()};
    for (const Run& run : read.runs) {
        if (to != src.ref().address && run.begin < to + bytes && to < run.end) {
            core.report(Rule::ubOverlap, "GatherMask", site, "dst and src0 overlap in part");
            break;
        }
    }
    instruction.operands.push_back(std::move(read));
    for (Operand& pattern : patterns) instruction.operands.push_back(std::move(pattern));
    IndexedMemory memory("GatherMask", site, src, 0, sizeof(T));
    memory.noteHoles(core);
    uint8_t* ub = core.ub;
    core.issue(instruction, [=] {
        std::vector<uint8_t> packed(bytes);
        for (size_t i = 0; i < selected.size(); i++) {
            memory.requireDefined(selected[i]);
            std::memcpy(packed.data() + i * sizeof(T), ub + selected[i], sizeof(T));
        }
        std::memcpy(ub + to, packed.data(), bytes);
    });
    return selected.size();
}

/// Whether the number of elements of a repeat is legal in Counter mode.
inline bool compressMaskLegal(Site site, bool counter, uint32_t mask) {
    if (!counter || mask > 0) return true;
    Core::current().report(Rule::maskRange, "GatherMask", site, "mask 0 in Counter mode: it counts elements from 1 on");
    return false;
}

/// The mask register afterwards: Normal mode, and the mask argument as its low word.
inline void leaveCompressMask(uint32_t mask) {
    if (chip::registerBased) return;
    MaskState& state = Core::current().mask;
    state.counter = false;
    state.leave("GatherMask", mask, 0);
}

}  // namespace emu

namespace AscendC {

/// Pack the elements whose bit is set in a pattern tensor; rsvdCnt is their number.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt,
                Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("GatherMask"), "GatherMask: the chip's vector unit does not have this type");
    static_assert(std::is_unsigned_v<U> && sizeof(U) == sizeof(T),
                  "GatherMask: the pattern's type is the unsigned integer of the data's width");
    if (!emu::compressMaskLegal(site, reduceMode, mask)) return;
    const emu::CompressSource<T> source(src0, reduceMode, mask, params);
    const uint64_t step = uint64_t{params.src1RepeatStride} * emu::chip::blockBytes;
    const uint64_t base = src1Pattern.ref().address;
    std::vector<emu::Run> bits;
    for (uint64_t r = 0; r < source.repeats(); r++) {
        emu::appendRun(bits, base + r * step, base + r * step + (source.perRepeat() + 7) / 8);
    }
    emu::Core& core = emu::Core::current();
    core.settle(PIPE_V);
    const auto selects = [&](uint64_t r, uint64_t i) {
        const uint64_t at = base + r * step + i / 8;
        return at < emu::chip::ubBytes && ((core.ub[at] >> (i % 8)) & 1u) != 0;
    };
    rsvdCnt = emu::compress(site, dst, src0, source, emu::selectedAddresses(source, selects),
                            {emu::Operand{"src1Pattern", src1Pattern.ref(), emu::Use::read, sizeof(U),
                                          emu::chip::blockBytes, false, {}, bits}});
    emu::leaveCompressMask(mask);
}

/// Pack the elements of a built-in pattern: 1 even, 2 odd, 3..6 the first to fourth of every four, 7 all.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt,
                Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("GatherMask"), "GatherMask: the chip's vector unit does not have this type");
    if (src1Pattern < 1 || src1Pattern > 7) {
        emu::Core::current().report(emu::Rule::maskRange, "GatherMask", site,
                                    emu::text("pattern %u is outside 1..7", src1Pattern));
        return;
    }
    if (!emu::compressMaskLegal(site, reduceMode, mask)) return;
    const emu::CompressSource<T> source(src0, reduceMode, mask, params);
    const auto selects = [&](uint64_t, uint64_t i) {
        return emu::builtinSelects(src1Pattern, i % emu::lanesFor<T>);
    };
    rsvdCnt = emu::compress(site, dst, src0, source, emu::selectedAddresses(source, selects), {});
    emu::leaveCompressMask(mask);
}

}  // namespace AscendC
