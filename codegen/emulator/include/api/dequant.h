// Conversions that scale: CastDequant, AddDeqRelu, and the registers that SetDeqScale fills.
#pragma once

#include "api/cast.h"

namespace AscendC {

/// Scales, offsets and signs for the 16 lanes of a block.
struct VdeqInfo {
    float vdeqScale[16] = {};
    int16_t vdeqOffset[16] = {};
    bool vdeqSignMode[16] = {};

    VdeqInfo() = default;
    VdeqInfo(const float scale[16], const int16_t offset[16], const bool sign[16]) {
        std::copy_n(scale, 16, vdeqScale);
        std::copy_n(offset, 16, vdeqOffset);
        std::copy_n(sign, 16, vdeqSignMode);
    }
};

inline void SetDeqScale(half scale) { emu::Core::current().deqScale = scale; }

inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
    emu::Core::current().dequant.tensor = emu::DequantEntry{scale, offset, signMode};
}

/// One entry a lane of a block; the tensor is where the chip reads them from, at least 128 bytes.
template <typename T>
void SetDeqScale(const LocalTensor<T>& table, const VdeqInfo& info, Site site = Site::here()) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale: the table is a tensor of uint64_t");
    emu::Core& core = emu::Core::current();
    constexpr uint64_t bytes = 16 * sizeof(T);
    const uint64_t from = table.ref().address;
    emu::Instruction store{"SetDeqScale", PIPE_S, site};
    store.operands.push_back(emu::Operand{"table", table.ref(), emu::Use::write, sizeof(T), emu::chip::blockBytes,
                                          false, {}, {{from, from + bytes}}});
    emu::Core* at = &core;
    core.issue(store, [=] { std::memset(at->ub + from, 0, bytes); });
    for (size_t i = 0; i < 16; i++) {
        core.dequant.block[i] = {info.vdeqScale[i], info.vdeqOffset[i], info.vdeqSignMode[i]};
    }
    core.dequant.hasBlock = true;
}

}  // namespace AscendC

namespace emu {

/// Scale, round, add the offset and saturate to 8 bits. The chip keeps 10 fraction bits of the scale and 9 bits of sum.
inline uint8_t dequantized(int16_t value, const DequantEntry& entry) {
    constexpr uint32_t keptBits = ~((1u << 13) - 1);
    const float scale = floatOf(bitsOf(entry.scale) & keptBits);
    const int whole = toInteger<int16_t>(static_cast<double>(static_cast<float>(value) * scale), Rounding::nearestEven);
    const int sum = std::clamp(whole, -256, 255) + entry.offset;
    return entry.isSigned ? static_cast<uint8_t>(saturate<int8_t>(sum)) : saturate<uint8_t>(sum);
}

/// A dequantisation to 8 bits: 16 lanes of a source block fill one half of a destination block.
struct DequantCall {
    Site site;
    Shape shape;
    Strides dstStrides;
    bool upper;

    uint64_t offset(uint64_t repeat, uint32_t lane) const {
        return repeat * dstStrides.repeat + lane / 16 * dstStrides.block + (upper ? 16 : 0) + lane % 16;
    }

    std::vector<Run> written(uint64_t base) const {
        std::vector<Run> runs;
        for (uint32_t r = 0; r < shape.repeats; r++) {
            for (uint32_t lane = 0; lane < shape.maskOf(r).bound(); lane++) {
                if (shape.maskOf(r).test(lane)) appendRun(runs, base + offset(r, lane), base + offset(r, lane) + 1);
            }
        }
        return runs;
    }
};

/// Issue a dequantisation to 8 bits with one entry for all lanes, or one a lane of a block.
template <typename D>
void dequantize(const DequantCall& call, const LocalTensor<D>& dst, const Strided<int16_t>& src, bool perLane) {
    Core& core = Core::current();
    const uint64_t base = dst.ref().address;
    const DequantTable table = core.dequant;
    if (perLane && !table.hasBlock) {
        core.report(Rule::countRange, "CastDequant", call.site, "isVecDeq without a SetDeqScale of a tensor");
    }
    Instruction instruction{"CastDequant", PIPE_V, call.site, call.shape, Overlap::forbidden};
    instruction.operands.push_back(
        Operand{"dst", dst.ref(), Use::write, 1, chip::blockBytes, false, {}, call.written(base)});
    instruction.operands.push_back(src.operand("src", Use::read));
    Core* at = &core;
    core.issue(instruction, [=] {
        std::array<int16_t, maxLanes> lanes;
        for (uint32_t r = 0; r < call.shape.repeats; r++) {
            const LaneMask& mask = call.shape.maskOf(r);
            loadRepeat(lanes.data(), src, r, mask.bound());
            for (uint32_t lane = 0; lane < mask.bound(); lane++) {
                const DequantEntry& entry = perLane ? table.block[lane % 16] : table.tensor;
                if (mask.test(lane)) at->ub[base + call.offset(r, lane)] = dequantized(lanes[lane], entry);
            }
        }
    });
}

template <bool perLane, bool upper, typename D, typename S>
void castDequant(Site site, const Shape& shape, const LocalTensor<D>& dst, const LocalTensor<S>& src,
                 const AscendC::UnaryRepeatParams& params) {
    static_assert(isLegalFor<D, S>("CastDequant"), "CastDequant: not in this chip's vector unit for these types");
    if constexpr (std::is_same_v<D, half>) {
        const float scale = Core::current().deqScale;
        unary("CastDequant", site, [scale](int32_t x) { return scaledHalf(x, scale); }, shape, dst, src, params);
    } else {
        dequantize(DequantCall{site, shape, blockStrides(params.dstBlkStride, params.dstRepStride), upper}, dst,
                   Strided<S>{src, blockStrides(params.srcBlkStride, params.srcRepStride)}, perLane);
    }
}

/// Add, scale to half and clamp at 0. Where one instruction does it, its intermediate values take the sources' place.
template <typename D, typename S>
void addDeqRelu(Site site, const Shape& shape, const LocalTensor<D>& dst, const LocalTensor<S>& a,
                const LocalTensor<S>& b, const AscendC::BinaryRepeatParams& p) {
    static_assert(isLegalFor<D, S, S>("AddDeqRelu"), "AddDeqRelu: not in this chip's vector unit");
    const Strided<D> to{dst, blockStrides(p.dstBlkStride, p.dstRepStride)};
    const Strided<S> first{a, blockStrides(p.src0BlkStride, p.src0RepStride)};
    const Strided<S> second{b, blockStrides(p.src1BlkStride, p.src1RepStride)};
    Instruction instruction{"AddDeqRelu", PIPE_V, site, shape, Overlap::forbidden};
    instruction.operands.push_back(to.operand("dst", Use::write));
    instruction.operands.push_back(first.operand("src0", Use::read));
    instruction.operands.push_back(second.operand("src1", Use::read));
    for (const auto& source : {first, second}) {
        if (chip::registerBased) break;
        instruction.operands.push_back(source.operand("src", Use::clobber));
        instruction.operands.back().anyOverlap = true;
    }
    const float scale = Core::current().deqScale;
    const auto lane = [scale](S x, S y) { return ReluOp{}(scaledHalf(AddOp{}(x, y), scale)); };
    Core::current().issue(instruction, [=] { executeLanes(lane, shape, to, first, second); });
}

}  // namespace emu

namespace AscendC {

// CastDequant and its older name in three forms. `halfBlock` true fills bytes 16 to 31 of each destination block.
#define EMU_CAST_DEQUANT(Name)                                                                                       \
    template <typename D, typename S, bool isVecDeq = true, bool halfBlock = true>                                   \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src, uint32_t count, Site site = Site::here()) {      \
        const auto shape = emu::Selection("CastDequant", site, emu::lanesFor<D, S>).counted(count);                  \
        const uint8_t dstStride = std::is_same_v<D, half> ? 4 : 8;                                                   \
        emu::castDequant<isVecDeq, halfBlock>(site, shape, dst, src, UnaryRepeatParams{1, 1, dstStride, 8});         \
    }                                                                                                                \
    template <typename D, typename S, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>            \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src, uint64_t mask, int64_t repeatTime,               \
              const UnaryRepeatParams& params, Site site = Site::here()) {                                           \
        const emu::Selection lanes("CastDequant", site, emu::lanesFor<D, S>);                                        \
        emu::castDequant<isVecDeq, halfBlock>(site, lanes.continuous(mask, repeatTime, isSetMask), dst, src,         \
                                              params);                                                               \
    }                                                                                                                \
    template <typename D, typename S, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>            \
    void Name(const LocalTensor<D>& dst, const LocalTensor<S>& src, const uint64_t mask[], int64_t repeatTime,       \
              const UnaryRepeatParams& params, Site site = Site::here()) {                                           \
        const emu::Selection lanes("CastDequant", site, emu::lanesFor<D, S>);                                        \
        emu::castDequant<isVecDeq, halfBlock>(site, lanes.bitwise(mask, repeatTime, isSetMask), dst, src, params);   \
    }

EMU_CAST_DEQUANT(CastDequant)
EMU_CAST_DEQUANT(CastDeq)
#undef EMU_CAST_DEQUANT

template <bool isSetMask = true>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                int64_t count, Site site = Site::here()) {
    const auto shape = emu::Selection("AddDeqRelu", site, emu::lanesFor<int32_t>).counted(count);
    emu::addDeqRelu(site, shape, dst, src0, src1, BinaryRepeatParams{1, 1, 1, 4, 8, 8});
}

template <bool isSetMask = true>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                uint64_t mask, int64_t repeatTime, const BinaryRepeatParams& params, Site site = Site::here()) {
    const emu::Selection lanes("AddDeqRelu", site, emu::lanesFor<int32_t>);
    emu::addDeqRelu(site, lanes.continuous(mask, repeatTime, isSetMask), dst, src0, src1, params);
}

template <bool isSetMask = true>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                const uint64_t mask[], int64_t repeatTime, const BinaryRepeatParams& params,
                Site site = Site::here()) {
    const emu::Selection lanes("AddDeqRelu", site, emu::lanesFor<int32_t>);
    emu::addDeqRelu(site, lanes.bitwise(mask, repeatTime, isSetMask), dst, src0, src1, params);
}

}  // namespace AscendC
