// Selection between two sources by bits.
#pragma once

#include "api/operations.h"
#include "api/vector.h"

namespace emu {

using AscendC::SELMODE;

/// How many bits a selection looks at.
inline uint64_t usedBits(const Shape& shape, bool reuse) {
    if (shape.repeats == 0) return 0;
    if (reuse) return shape.repeats > 1 ? shape.mask.bound() : shape.last.bound();
    return uint64_t{shape.repeats - 1} * shape.lanes + shape.last.bound();
}

/// Choose each active lane from one of two sources; with `reuse` every repeat takes the bits of the first one.
template <typename T, typename Second>
void chooseLanes(const Shape& shape, const Strided<T>& dst, const uint8_t* bits, const Strided<T>& a, const Second& b,
                 bool reuse) {
    constexpr bool scalar = std::is_same_v<Second, T>;
    std::array<T, maxLanes> first, second;
    if constexpr (scalar) second.fill(b);
    for (uint32_t r = 0; r < shape.repeats; r++) {
        const uint32_t bound = shape.maskOf(r).bound();
        loadRepeat(first.data(), a, r, bound);
        if constexpr (!scalar) loadRepeat(second.data(), b, r, bound);
        for (uint32_t l = 0; l < bound; l++) {
            const uint64_t position = uint64_t{reuse ? 0 : r} * shape.lanes + l;
            if (!((bits[position / 8] >> (position % 8)) & 1u)) first[l] = second[l];
        }
        storeRepeat(first.data(), dst, r, shape.maskOf(r));
    }
}

/// Issue a selection by the bits of a tensor: dst = bit ? src0 : src1.
template <typename T, typename U, typename Second>
void select(Site site, const Strided<T>& dst, const LocalTensor<U>& bits, const Strided<T>& a, const Second& b,
            bool reuse, const Shape& shape) {
    static_assert(!std::is_signed_v<U> && sizeof(U) <= 8, "Select: selMask is a tensor of unsigned integers");
    constexpr bool scalar = std::is_same_v<Second, T>;
    Core* core = &Core::current();
    const uint64_t base = bits.ref().address;
    const uint64_t used = (usedBits(shape, reuse) + 7) / 8;
    Instruction instruction{"Select", PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    instruction.operands.push_back(a.operand("src0", Use::read));
    if constexpr (!scalar) instruction.operands.push_back(b.operand("src1", Use::read));
    instruction.operands.push_back(
        Operand{"selMask", bits.ref(), Use::read, sizeof(U), chip::blockBytes, false, {}, {{base, base + used}}});
    core->issue(instruction, [=] {
        std::vector<uint8_t> mask(core->ub + base, core->ub + base + used);
        chooseLanes(shape, dst, mask.data(), a, b, reuse);
        mask.resize(16, 0);
        if (!chip::registerBased) std::memcpy(core->registers.compareMask.data(), mask.data(), 16);
    });
}

/// A selection with a mode that fits a tensor or a scalar as second source.
inline bool modeFits(SELMODE mode, bool scalar, Site site) {
    if ((mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) == scalar) return true;
    Core::current().report(Rule::countRange, "Select", site,
                           text("mode %d does not fit the kind of the second source", static_cast<int>(mode)));
    return false;
}

/// The lanes of a masked selection; the bits of modes 1 and 2 are prepared in a way that needs Normal mode.
template <typename T, typename Mask>
Shape selectedLanes(Site site, SELMODE mode, Mask mask, int64_t repeats) {
    const Selection selection("Select", site, lanesFor<T>);
    const bool prepared = mode != SELMODE::VSEL_CMPMASK_SPR && !chip::registerBased;
    if (prepared && !selection.normalMode()) return Shape::counted(0, lanesFor<T>);
    if constexpr (std::is_pointer_v<Mask>) return selection.bitwise(mask, repeats);
    else return selection.continuous(mask, repeats);
}

/// The second source of a selection by strides: a tensor, or a scalar as it is.
template <typename T>
Strided<T> secondSource(const LocalTensor<T>& tensor, Strides strides) {
    return Strided<T>{tensor, strides};
}
template <typename T>
T secondSource(const T& scalar, Strides) {
    return scalar;
}

template <typename T, typename U, typename Second, typename Mask>
void selectMasked(Site site, const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                  const Second& src1, SELMODE mode, Mask mask, int64_t repeats,
                  const AscendC::BinaryRepeatParams& p) {
    static_assert(isLegalFor<T, T, T>("Select"), "Select: not in this chip's vector unit for this type");
    if (!modeFits(mode, std::is_same_v<Second, T>, site)) return;
    select(site, Strided<T>{dst, blockStrides(p.dstBlkStride, p.dstRepStride)}, selMask,
           Strided<T>{src0, blockStrides(p.src0BlkStride, p.src0RepStride)},
           secondSource(src1, blockStrides(p.src1BlkStride, p.src1RepStride)), mode == SELMODE::VSEL_CMPMASK_SPR,
           selectedLanes<T>(site, mode, mask, repeats));
}

template <typename T, typename U, typename Second>
void selectCounted(Site site, const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   const Second& src1, SELMODE mode, int64_t count) {
    static_assert(isLegalCount<T, T, T>("Select"), "Select: not in this chip's vector unit for this type");
    if (!modeFits(mode, std::is_same_v<Second, T>, site)) return;
    const Strides row = contiguous<T>(lanesFor<T>);
    select(site, Strided<T>{dst, row}, selMask, Strided<T>{src0, row}, secondSource(src1, row),
           mode == SELMODE::VSEL_CMPMASK_SPR, Selection("Select", site, lanesFor<T>).counted(count));
}

/// Issue a selection whose bits, or the address of them, stand in the compare-mask register.
template <typename T>
void selectByRegister(Site site, SELMODE mode, const Shape& shape, const Strided<T>& dst, const Strided<T>& a,
                      const Strided<T>& b) {
    Core* core = &Core::current();
    Instruction instruction{"Select", PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    instruction.operands.push_back(a.operand("src0", Use::read));
    instruction.operands.push_back(b.operand("src1", Use::read));
    core->issue(instruction, [=] {
        const uint64_t* word = core->registers.compareMask.data();
        if (mode == SELMODE::VSEL_CMPMASK_SPR) {
            chooseLanes(shape, dst, reinterpret_cast<const uint8_t*>(word), a, b, true);
            return;
        }
        const auto start = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(core->ub));
        const uint64_t at = (static_cast<uint32_t>(word[0]) - start) % UbMemory::stride;
        if (at + usedBits(shape, false) / 8 >= chip::ubBytes) {
            core->report(Rule::ubExtent, "Select", site, "the compare-mask register holds no address of a mask");
            return;
        }
        chooseLanes(shape, dst, core->ub + at, a, b, false);
    });
}

/// Issue a selection between a tensor and the scalar that stands in the compare-mask register.
template <typename T, typename U>
void selectRegisterScalar(Site site, const Shape& shape, const Strided<T>& dst, const LocalTensor<U>& bits,
                          const Strided<T>& a) {
    Core* core = &Core::current();
    const uint64_t base = bits.ref().address;
    const uint64_t used = (usedBits(shape, false) + 7) / 8;
    Instruction instruction{"Select", PIPE_V, site, shape, Overlap::general};
    instruction.operands.push_back(dst.operand("dst", Use::write));
    instruction.operands.push_back(a.operand("src0", Use::read));
    instruction.operands.push_back(
        Operand{"selMask", bits.ref(), Use::read, sizeof(U), chip::blockBytes, false, {}, {{base, base + used}}});
    core->issue(instruction, [=] {
        T scalar;
        std::memcpy(static_cast<void*>(&scalar), core->registers.compareMask.data(), sizeof scalar);
        const std::vector<uint8_t> mask(core->ub + base, core->ub + base + used);
        chooseLanes(shape, dst, mask.data(), a, scalar, false);
    });
}

}  // namespace emu

namespace AscendC {

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint32_t count, Site site = Site::here()) {
    emu::selectCounted(site, dst, selMask, src0, src1, selMode, count);
}

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, Same<T> src1,
            SELMODE selMode, uint32_t count, Site site = Site::here()) {
    emu::selectCounted(site, dst, selMask, src0, src1, selMode, count);
}

// The masked forms; isSetMask is reserved, the mask always counts.
#define EMU_SELECT(MaskType, Second)                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                         \
    void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, Second src1,   \
                SELMODE selMode, MaskType mask, int64_t repeatTime, const BinaryRepeatParams& params,                \
                Site site = Site::here()) {                                                                          \
        emu::selectMasked(site, dst, selMask, src0, src1, selMode, mask, repeatTime, params);                        \
    }

EMU_SELECT(uint64_t, const LocalTensor<T>&)
EMU_SELECT(uint64_t, Same<T>)
EMU_SELECT(const uint64_t*, const LocalTensor<T>&)
EMU_SELECT(const uint64_t*, Same<T>)
#undef EMU_SELECT

/// By the compare-mask register: its bits (mode 0), or the bits at the address that it holds (mode 2).
template <typename T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, int64_t repeatTime,
            const BinaryRepeatParams& p, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T, T>("Select"), "Select: not in this chip's vector unit for this type");
    static_assert(selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE, "Select: this mode takes a tensor of bits");
    emu::selectByRegister(site, selMode, emu::Selection("Select", site, emu::lanesFor<T>).registered(repeatTime),
                          emu::Strided<T>{dst, emu::blockStrides(p.dstBlkStride, p.dstRepStride)},
                          emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)},
                          emu::Strided<T>{src1, emu::blockStrides(p.src1BlkStride, p.src1RepStride)});
}

/// By the bits of a tensor, with the scalar that the compare-mask register holds as second source.
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, int64_t repeatTime,
            const BinaryRepeatParams& p, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T, T>("Select"), "Select: not in this chip's vector unit for this type");
    const auto shape = emu::Selection("Select", site, emu::lanesFor<T>).registered(repeatTime);
    emu::selectRegisterScalar(site, shape, emu::Strided<T>{dst, emu::blockStrides(p.dstBlkStride, p.dstRepStride)},
                              selMask, emu::Strided<T>{src0, emu::blockStrides(p.src0BlkStride, p.src0RepStride)});
}

}  // namespace AscendC
