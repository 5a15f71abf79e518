// The engine of lane-wise vector instructions: argument checks, lane geometry, execution repeat by repeat.
#pragma once

#include <tuple>
#include <utility>

#include "api/params.h"
#include "api/tensor.h"
#include "emu/dtype.h"

namespace emu {

using AscendC::LocalTensor;

template <typename... T>
inline constexpr uint32_t widest = 0;
template <typename T, typename... Rest>
inline constexpr uint32_t widest<T, Rest...> =
    sizeof(T) > widest<Rest...> ? static_cast<uint32_t>(sizeof(T)) : widest<Rest...>;

/// Lanes a repeat has when these element types meet: the widest type fills 256 bytes.
template <typename... T>
inline constexpr uint32_t lanesFor = chip::repeatBytes / widest<T...>;

/// The lanes of a call; illegal counts, repeats and masks are reported.
class Selection {
public:
    Selection(const char* api, Site site, uint32_t lanes) : api_(api), site_(site), lanes_(lanes) {}

    Shape counted(int64_t count) const {
        if (count < 0) report(Rule::countRange, text("count %lld is negative", (long long)count));
        return Shape::counted(count < 0 ? 0 : static_cast<uint64_t>(count), lanes_);
    }

    Shape continuous(uint64_t mask, int64_t repeats) const {
        if (mask > lanes_) {
            report(Rule::maskRange,
                   text("mask %llu is above %u, the elements of a repeat", (unsigned long long)mask, lanes_));
        }
        return Shape::masked(LaneMask::prefix(std::min<uint64_t>(mask, lanes_)), checked(repeats), lanes_);
    }

    Shape bitwise(const uint64_t* mask, int64_t repeats) const {
        const uint64_t low = lanes_ < 64 ? mask[0] & ((uint64_t{1} << lanes_) - 1) : mask[0];
        const uint64_t high = lanes_ < 128 ? 0 : mask[1];
        if (low == 0 && high == 0) report(Rule::maskRange, "the mask selects no element");
        if (low != mask[0] || (lanes_ <= 64 && mask[1] != 0)) {
            report(Rule::maskRange, text("the mask selects elements past the %u of a repeat", lanes_));
        }
        return Shape::masked(LaneMask::bits(low, high), checked(repeats), lanes_);
    }

private:
    uint32_t checked(int64_t repeats) const {
        if (repeats >= 0 && repeats <= chip::maxRepeat) return static_cast<uint32_t>(repeats);
        report(Rule::repeatRange,
               text("repeatTime %lld is outside 0..%lld", (long long)repeats, (long long)chip::maxRepeat));
        return 0;
    }

    void report(Rule rule, std::string message) const {
        Core::current().report(rule, api_, site_, std::move(message));
    }

    const char* api_;
    Site site_;
    uint32_t lanes_;
};

/// Strides given in blocks.
inline Strides blockStrides(uint64_t block, uint64_t repeat) {
    return Strides{block * chip::blockBytes, repeat * chip::blockBytes};
}

/// Strides of an operand whose elements follow one another without a gap.
template <typename T>
Strides contiguous(uint32_t lanes) {
    return Strides{chip::blockBytes, uint64_t{lanes} * sizeof(T)};
}

/// A vector operand: a tensor and its strides.
template <typename T>
struct Strided {
    LocalTensor<T> tensor;
    Strides strides;

    Operand operand(const char* name, Use use) const {
        return Operand{name, tensor.ref(), use, sizeof(T), chip::blockBytes, true, strides};
    }
};

/// Fetch the blocks of one repeat up to the lane `bound`.
template <typename T>
void loadRepeat(T* lanes, const Strided<T>& from, uint32_t repeat, uint32_t bound) {
    constexpr uint32_t perBlock = chip::blockBytes / sizeof(T);
    const uint8_t* base = from.tensor.bytes() + repeat * from.strides.repeat;
    if (from.strides.block == chip::blockBytes) {
        std::memcpy(static_cast<void*>(lanes), base, bound * sizeof(T));
        return;
    }
    for (uint32_t lane = 0; lane < bound; lane += perBlock) {
        const uint32_t here = std::min(perBlock, bound - lane);
        std::memcpy(static_cast<void*>(lanes + lane), base + lane / perBlock * from.strides.block, here * sizeof(T));
    }
}

/// Store the active lanes of one repeat.
template <typename T>
void storeRepeat(const T* lanes, const Strided<T>& to, uint32_t repeat, const LaneMask& mask) {
    const uint32_t bound = mask.bound();
    uint8_t* base = to.tensor.bytes() + repeat * to.strides.repeat;
    if (to.strides.block == chip::blockBytes && mask.isPrefix()) {
        std::memcpy(base, lanes, bound * sizeof(T));
        return;
    }
    for (uint32_t lane = 0; lane < bound; lane++) {
        if (!mask.test(lane)) continue;
        std::memcpy(base + laneAddress(0, to.strides, sizeof(T), 0, lane), lanes + lane, sizeof(T));
    }
}

/// Run dst[lane] = op(src[lane]...) over a shape, repeat by repeat in order.
template <typename Op, typename D, typename... S>
void executeLanes(const Op& op, const Shape& shape, const Strided<D>& dst, const Strided<S>&... src) {
    std::tuple<std::array<S, maxLanes>...> inputs;
    std::array<D, maxLanes> output;
    for (uint32_t r = 0; r < shape.repeats; r++) {
        const LaneMask& mask = shape.maskOf(r);
        const uint32_t bound = mask.bound();
        std::apply(
            [&](auto&... input) {
                (loadRepeat(input.data(), src, r, bound), ...);
                for (uint32_t lane = 0; lane < bound; lane++) output[lane] = op(input[lane]...);
            },
            inputs);
        storeRepeat(output.data(), dst, r, mask);
    }
}

/// Issue a lane-wise instruction of the vector pipe.
template <typename Op, typename D, typename... S>
void lanewise(const char* api, Site site, const Op& op, const Shape& shape, Overlap overlap, const Strided<D>& dst,
              const Strided<S>&... src) {
    static constexpr const char* names[] = {"src0", "src1", "src2"};
    Instruction instruction{api, PIPE_V, site, shape, overlap};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    size_t position = 0;
    (instruction.operands.push_back(src.operand(names[position++], Use::read)), ...);
    Core::current().issue(instruction, [&] { executeLanes(op, shape, dst, src...); });
}

/// A two-source instruction; `Op` names the API and computes one lane.
template <typename Op, typename T>
void binary(Site site, const Shape& shape, const LocalTensor<T>& dst, const LocalTensor<T>& a, const LocalTensor<T>& b,
            Strides dstStrides, Strides aStrides, Strides bStrides) {
    static_assert(isLegalFor<T, T, T>(Op::api), "the chip's vector unit does not have this API for this type");
    constexpr bool accumulates = std::is_same_v<T, half> || std::is_same_v<T, int32_t> || std::is_same_v<T, float>;
    const Overlap overlap = accumulates ? Op::overlap : Overlap::general;
    lanewise(Op::api, site, Op{}, shape, overlap, Strided<T>{dst, dstStrides}, Strided<T>{a, aStrides},
             Strided<T>{b, bStrides});
}

template <typename Op, typename T>
void binaryCounted(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& a, const LocalTensor<T>& b,
                   int64_t count) {
    const Strides row = contiguous<T>(lanesFor<T>);
    binary<Op>(site, Selection(Op::api, site, lanesFor<T>).counted(count), dst, a, b, row, row, row);
}

template <typename Op, typename T>
void binaryMasked(Site site, const Shape& shape, const LocalTensor<T>& dst, const LocalTensor<T>& a,
                  const LocalTensor<T>& b, const AscendC::BinaryRepeatParams& params) {
    binary<Op>(site, shape, dst, a, b, blockStrides(params.dstBlkStride, params.dstRepStride),
               blockStrides(params.src0BlkStride, params.src0RepStride),
               blockStrides(params.src1BlkStride, params.src1RepStride));
}

/// A one-source instruction with a ready-made lane function.
template <typename Op, typename D, typename S>
void unary(const char* api, Site site, const Op& op, const Shape& shape, const LocalTensor<D>& dst,
           const LocalTensor<S>& src, const AscendC::UnaryRepeatParams& params) {
    lanewise(api, site, op, shape, Overlap::general,
             Strided<D>{dst, blockStrides(params.dstBlkStride, params.dstRepStride)},
             Strided<S>{src, blockStrides(params.srcBlkStride, params.srcRepStride)});
}

template <typename Op, typename D, typename S>
void unaryCounted(const char* api, Site site, const Op& op, int64_t count, const LocalTensor<D>& dst,
                  const LocalTensor<S>& src) {
    constexpr uint32_t lanes = lanesFor<D, S>;
    const Overlap overlap = sizeof(D) == sizeof(S) ? Overlap::general : Overlap::conversion;
    lanewise(api, site, op, Selection(api, site, lanes).counted(count), overlap, Strided<D>{dst, contiguous<D>(lanes)},
             Strided<S>{src, contiguous<S>(lanes)});
}

}  // namespace emu
