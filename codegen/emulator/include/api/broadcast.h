// Elements spread over blocks, rows and columns.
#pragma once

#include "api/vector.h"

namespace emu {

/// Where element `i` of a Brcb goes: eight blocks a repeat.
struct BlockPlaces {
    uint64_t blockStride;
    uint64_t repeatStride;

    uint64_t offset(uint64_t i) const {
        constexpr uint64_t perRepeat = chip::repeatBytes / chip::blockBytes;
        return (i / perRepeat * repeatStride + i % perRepeat * blockStride) * chip::blockBytes;
    }
};

/// Fill `bytes` at an address with copies of one element.
template <typename T>
void fillWith(uint8_t* to, const uint8_t* element, uint64_t bytes) {
    for (uint64_t b = 0; b < bytes; b += sizeof(T)) std::memcpy(to + b, element, sizeof(T));
}

/// The shapes of a broadcast, padded to two dims.
struct BroadcastShapes {
    uint64_t rows;
    uint64_t columns;
    uint64_t srcRows;
    uint64_t srcColumns;

    uint64_t source(uint64_t row, uint64_t column) const {
        return (srcRows == 1 ? 0 : row) * srcColumns + (srcColumns == 1 ? 0 : column);
    }
};

/// The bytes of temporary memory a broadcast needs at least, where the host's function gives a number.
template <typename T>
uint64_t broadcastScratch(const BroadcastShapes& s, int axis) {
    if (chip::registerBased) return 0;
    constexpr uint64_t block = chip::blockBytes;
    constexpr uint64_t element = sizeof(T) == 1 ? 2 : sizeof(T);
    const auto halves = [](uint64_t n) { return (n + 15) / 16 * 16; };
    const uint64_t casts = sizeof(T) == 1 ? 2 * (halves(s.srcRows * s.srcColumns) + halves(s.rows * s.columns)) : 0;
    if (s.srcRows * s.srcColumns == 1 || (s.rows == s.srcRows && s.columns == s.srcColumns)) {
        return sizeof(T) == 1 ? block + casts : 0;
    }
    if (axis == 0) return block + casts;
    const uint64_t whole = block * (block / element);
    const uint64_t row = roundToBlock(s.columns * element);
    return whole + casts + (row == s.columns * element ? 0 : block / element * row);
}

/// Issue a broadcast of whole shapes; `scratch` may be null.
template <typename T>
void broadcast(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const BroadcastShapes& shapes,
               const LocalTensor<uint8_t>* scratch) {
    const uint64_t to = dst.ref().address;
    const uint64_t from = src.ref().address;
    Instruction instruction{"Broadcast", PIPE_V, site, {}, Overlap::forbidden};
    const auto runs = [](uint64_t begin, uint64_t elements) {
        return std::vector<Run>{{begin, begin + elements * sizeof(T)}};
    };
    instruction.operands.push_back(Operand{"dst", dst.ref(), Use::write, sizeof(T), chip::blockBytes, false, {},
                                           runs(to, shapes.rows * shapes.columns)});
    instruction.operands.push_back(Operand{"src", src.ref(), Use::read, sizeof(T), chip::blockBytes, false, {},
                                           runs(from, shapes.srcRows * shapes.srcColumns)});
    if (scratch != nullptr) {
        const Run all{scratch->ref().address, scratch->ref().address + scratch->ref().bytes};
        instruction.operands.push_back(
            Operand{"tmp", scratch->ref(), Use::clobber, 1, chip::blockBytes, false, {}, {all}});
    }
    Core* core = &Core::current();
    core->issue(instruction, [=] {
        for (uint64_t i = 0; i < shapes.rows * shapes.columns; i++) {
            const uint64_t at = shapes.source(i / shapes.columns, i % shapes.columns);
            std::memcpy(core->ub + to + i * sizeof(T), core->ub + from + at * sizeof(T), sizeof(T));
        }
    });
}

/// Check the shapes and the temporary memory of a broadcast, and issue it.
template <typename T, int32_t dim, int32_t axis>
void checkedBroadcast(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t* dstShape,
                      const uint32_t* srcShape, const LocalTensor<uint8_t>* scratch) {
    static_assert(isLegalFor<T, T>("Broadcast"), "Broadcast: not on this chip for this type");
    static_assert(dim == 1 || dim == 2, "Broadcast: one or two dims");
    static_assert(axis == 0 || axis == 1, "Broadcast: axis 0 or 1");
    const uint32_t one = 1;
    constexpr int32_t last = dim - 1;
    const BroadcastShapes s{dim == 1 ? one : dstShape[0], dstShape[last], dim == 1 ? one : srcShape[0], srcShape[last]};
    Core& core = Core::current();
    const bool rows = s.srcRows == s.rows || (s.srcRows == 1 && (dim == 1 || axis == 0));
    const bool columns = s.srcColumns == s.columns || (s.srcColumns == 1 && (dim == 1 || axis == 1));
    if (!rows || !columns) {
        core.report(Rule::countRange, "Broadcast", site, "the shapes differ in another dim than the axis");
        return;
    }
    if (dim == 2 && axis == 0 && s.columns * sizeof(T) % chip::blockBytes != 0) {
        core.report(Rule::copyAlignment, "Broadcast", site, "a row along axis 0 is not a multiple of 32 bytes");
        return;
    }
    const uint64_t needed = broadcastScratch<T>(s, dim == 1 ? 1 : axis);
    if (scratch != nullptr && scratch->ref().bytes < needed) {
        core.report(Rule::ubExtent, "Broadcast", site,
                    text("tmp has %llu bytes, %llu are needed", (unsigned long long)scratch->ref().bytes,
                         (unsigned long long)needed));
    }
    if (!chip::registerBased) core.mask.leaveFull("Broadcast");
    broadcast(site, dst, src, s, scratch);
}

}  // namespace emu

namespace AscendC {

/// Fill one block with each source element, eight elements a repeat.
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t repeatTime, const BrcbRepeatParams& params,
          Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Brcb"), "Brcb: not in this chip's vector unit for this type");
    constexpr uint64_t block = emu::chip::blockBytes;
    const uint64_t elements = repeatTime * uint64_t{emu::chip::repeatBytes} / block;
    const emu::BlockPlaces places{params.dstBlkStride == 0 ? uint64_t{1} : params.dstBlkStride, params.dstRepStride};
    const uint64_t from = src.ref().address;
    const uint64_t to = dst.ref().address;
    emu::Instruction instruction{"Brcb", PIPE_V, site, {}, emu::Overlap::forbidden};
    std::vector<emu::Run> written;
    for (uint64_t i = 0; i < elements; i++) {
        emu::appendRun(written, to + places.offset(i), to + places.offset(i) + block);
    }
    instruction.operands.push_back(
        emu::Operand{"dst", dst.ref(), emu::Use::write, sizeof(T), block, false, {}, written});
    instruction.operands.push_back(emu::Operand{"src", src.ref(), emu::Use::read, sizeof(T), block, false, {},
                                                {{from, from + elements * sizeof(T)}}});
    emu::Core* core = &emu::Core::current();
    if (!emu::chip::registerBased) core->mask.leave("Brcb", ~uint64_t{0}, ~uint64_t{0});
    core->issue(instruction, [=] {
        for (uint64_t i = 0; i < elements; i++) {
            emu::fillWith<T>(core->ub + to + places.offset(i), core->ub + from + i * sizeof(T), block);
        }
    });
}

/// Repeat one element, one row (axis 0) or one column (axis 1) until the destination's shape is full.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[dim],
               const uint32_t srcShape[dim], Site site = Site::here()) {
    emu::checkedBroadcast<T, dim, axis>(site, dst, src, dstShape, srcShape, nullptr);
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[dim],
               const uint32_t srcShape[dim], const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {
    emu::checkedBroadcast<T, dim, axis>(site, dst, src, dstShape, srcShape, &sharedTmpBuffer);
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void BroadCast(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[dim],
               const uint32_t srcShape[dim], Site site = Site::here()) {
    emu::checkedBroadcast<T, dim, axis>(site, dst, src, dstShape, srcShape, nullptr);
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void BroadCast(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[dim],
               const uint32_t srcShape[dim], const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {
    emu::checkedBroadcast<T, dim, axis>(site, dst, src, dstShape, srcShape, &sharedTmpBuffer);
}

}  // namespace AscendC
