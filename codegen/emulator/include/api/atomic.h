// The modes in which copies to global memory combine with what is there.
#pragma once

#include "api/tensor.h"

namespace emu {

template <typename T>
void setAtomic(AtomicOp op, Site site) {
    static_assert(isAtomicType<T>, "SetAtomic: memory combines float, half, bfloat16_t, int8_t, int16_t and int32_t");
    Core::current().atomic = Atomic{op, dtypeOf<T>, site};
}

}  // namespace emu

namespace AscendC {

template <typename T>
void SetAtomicAdd(Site site = Site::here()) {
    emu::setAtomic<T>(emu::AtomicOp::add, site);
}

template <typename T>
void SetAtomicMax(Site site = Site::here()) {
    emu::setAtomic<T>(emu::AtomicOp::max, site);
}

template <typename T>
void SetAtomicMin(Site site = Site::here()) {
    emu::setAtomic<T>(emu::AtomicOp::min, site);
}

/// Change the type, keep the operation.
template <typename T>
void SetAtomicType(Site site = Site::here()) {
    emu::setAtomic<T>(emu::Core::current().atomic.op, site);
}

inline void SetAtomicNone() { emu::Core::current().atomic = {}; }
inline void DisableDmaAtomic() { SetAtomicNone(); }

enum class AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp { ATOMIC_SUM = 0 };

/// The low-level form: addition in a type, or none.
template <AtomicDtype type, AtomicOp op>
void SetStoreAtomicConfig(Site site = Site::here()) {
    static_assert(op == AtomicOp::ATOMIC_SUM, "SetStoreAtomicConfig: the operation is ATOMIC_SUM");
    switch (type) {
        case AtomicDtype::ATOMIC_F32: return SetAtomicAdd<float>(site);
        case AtomicDtype::ATOMIC_F16: return SetAtomicAdd<half>(site);
        case AtomicDtype::ATOMIC_S16: return SetAtomicAdd<int16_t>(site);
        case AtomicDtype::ATOMIC_S32: return SetAtomicAdd<int32_t>(site);
        case AtomicDtype::ATOMIC_S8: return SetAtomicAdd<int8_t>(site);
        case AtomicDtype::ATOMIC_BF16: return SetAtomicAdd<bfloat16_t>(site);
        default: return SetAtomicNone();
    }
}

}  // namespace AscendC
