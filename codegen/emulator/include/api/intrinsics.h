// Names outside of the documented interface that public kernels call: helpers for the mask register, and the
// compiler's own reduction of repeats.
#pragma once

#include "api/mask.h"
#include "api/reduce.h"

namespace AscendC {

/// The mask register by helper functions, as SetVectorMask, SetMaskCount and SetMaskNorm program it.
struct AscendCUtils {
    template <typename T>
    static void SetMask(int32_t length) { SetVectorMask<T>(length); }
    template <typename T>
    static void SetMask(uint64_t high, uint64_t low) { SetVectorMask<T>(high, low); }
    template <typename T>
    static void SetMaskCount() { AscendC::SetMaskCount(); }
    template <typename T>
    static void SetMaskNorm() { AscendC::SetMaskNorm(); }
};

}  // namespace AscendC

namespace emu {

/// The memory from an address on, as a tensor.
template <typename T>
LocalTensor<T> tensorAt(const T* address, Site site) {
    const uint64_t from = Core::current().memory.place(address).address;
    return LocalTensor<T>(placedRef(AscendC::TPosition::VECCALC, from, chip::ubBytes - from, site));
}

}  // namespace emu

/// The sum of each repeat under the mask register.
template <typename T>
void vcadd(T* dst, T* src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride, uint16_t srcRepeatStride,
           bool = false, emu::Site site = emu::Site::here()) {
    AscendC::WholeReduceSum<T, false>(emu::tensorAt(dst, site), emu::tensorAt(src, site), AscendC::MASK_PLACEHOLDER,
                                      repeat, dstRepeatStride, srcBlockStride, srcRepeatStride, site);
}
