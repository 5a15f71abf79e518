// Element types and the chip's table of which vector API takes which of them.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "api/half.h"
#include "opwright_chip.h"

namespace emu {

template <typename T> inline constexpr DType dtypeOf = DType::other;
template <> inline constexpr DType dtypeOf<void> = DType::none;
template <> inline constexpr DType dtypeOf<int8_t> = DType::i8;
template <> inline constexpr DType dtypeOf<uint8_t> = DType::u8;
template <> inline constexpr DType dtypeOf<int16_t> = DType::i16;
template <> inline constexpr DType dtypeOf<uint16_t> = DType::u16;
template <> inline constexpr DType dtypeOf<int32_t> = DType::i32;
template <> inline constexpr DType dtypeOf<uint32_t> = DType::u32;
template <> inline constexpr DType dtypeOf<int64_t> = DType::i64;
template <> inline constexpr DType dtypeOf<uint64_t> = DType::u64;
template <> inline constexpr DType dtypeOf<half> = DType::h;
template <> inline constexpr DType dtypeOf<bfloat16_t> = DType::bf;
template <> inline constexpr DType dtypeOf<float> = DType::f;

/// Whether the chip's vector unit has this API for these operand types (destination first).
template <typename D, typename S0 = void, typename S1 = void>
constexpr bool isLegalFor(std::string_view api) {
    constexpr uint32_t wanted = signature(dtypeOf<D>, dtypeOf<S0>, dtypeOf<S1>);
    for (size_t i = 0; i < std::size(chip::legalDtypes); i++) {
        if (chip::legalDtypes[i].operands == wanted && chip::legalDtypes[i].api == api) return true;
    }
    return false;
}

}  // namespace emu
