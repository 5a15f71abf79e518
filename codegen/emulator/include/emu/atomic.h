// Atomic writes to global memory: a mode of the core that copies out of the unified buffer follow.
#pragma once

#include "api/operations.h"
#include "emu/site.h"

namespace emu {

enum class AtomicOp { none, add, max, min };

/// The mode, the type it is for, and where it was set.
struct Atomic {
    AtomicOp op = AtomicOp::none;
    DType type = DType::none;
    Site site;
};

/// Element types that memory combines.
template <typename T>
inline constexpr bool isAtomicType = std::is_same_v<T, float> || std::is_same_v<T, half> ||
                                     std::is_same_v<T, bfloat16_t> || std::is_same_v<T, int8_t> ||
                                     std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t>;

/// How such a write appears to the checks: sums of floats depend on the order.
template <typename T>
GmWrite gmWriteOf(AtomicOp op) {
    if (op == AtomicOp::none) return GmWrite::replace;
    return op == AtomicOp::add && isFloating<T> ? GmWrite::combineInOrder : GmWrite::combine;
}

/// Combine elements into memory.
template <typename T>
void combine(AtomicOp op, uint8_t* to, const uint8_t* from, uint64_t bytes) {
    for (uint64_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
        T old, value;
        std::memcpy(static_cast<void*>(&old), to + at, sizeof(T));
        std::memcpy(static_cast<void*>(&value), from + at, sizeof(T));
        const T result = op == AtomicOp::add   ? AddOp{}(old, value)
                         : op == AtomicOp::max ? extreme<true>(old, value)
                                               : extreme<false>(old, value);
        std::memcpy(to + at, static_cast<const void*>(&result), sizeof(T));
    }
}

/// Write elements to global memory as an operation says.
template <typename T>
void storeGlobal(AtomicOp op, uint8_t* to, const uint8_t* from, uint64_t bytes) {
    if constexpr (isAtomicType<T>) {
        if (op != AtomicOp::none) return combine<T>(op, to, from, bytes);
    }
    std::memcpy(to, from, bytes);
}

}  // namespace emu
