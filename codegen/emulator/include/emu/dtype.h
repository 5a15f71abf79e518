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
template <> inline constexpr DType dtypeOf<bool> = DType::b8;
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
template <> inline constexpr DType dtypeOf<double> = DType::d;
template <> inline constexpr DType dtypeOf<AscendC::int4b_t> = DType::i4;

/// How kernels write a type.
template <typename T>
constexpr const char* typeName() {
    constexpr const char* integers[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
    constexpr const char* naturals[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    constexpr size_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    if (std::is_same_v<T, half>) return "half";
    if (std::is_same_v<T, bfloat16_t>) return "bfloat16_t";
    if (std::is_same_v<T, AscendC::int4b_t>) return "int4b_t";
    if (std::is_floating_point_v<T>) return sizeof(T) == 8 ? "double" : "float";
    return std::is_signed_v<T> ? integers[width] : naturals[width];
}

/// Whether a row of the chip's table is that of an API and a kind of form.
constexpr bool isRow(std::string_view row, std::string_view api, std::string_view form) {
    if (form.empty()) return row == api;
    return row.size() == api.size() + 1 + form.size() && row.substr(0, api.size()) == api && row[api.size()] == '/' &&
           row.substr(api.size() + 1) == form;
}

/// Whether the chip's vector unit has this API for these operand types (destination first), in all forms or in `form`.
template <typename D, typename S0 = void, typename S1 = void>
constexpr bool isLegalFor(std::string_view api, std::string_view form = "") {
    constexpr uint32_t wanted = signature(dtypeOf<D>, dtypeOf<S0>, dtypeOf<S1>);
    for (size_t i = 0; i < std::size(chip::legalDtypes); i++) {
        if (chip::legalDtypes[i].operands == wanted && isRow(chip::legalDtypes[i].api, api, form)) return true;
    }
    return false;
}

/// Whether the chip has the count form of an API for these types.
template <typename D, typename S0 = void, typename S1 = void>
constexpr bool isLegalCount(std::string_view api) {
    return isLegalFor<D, S0, S1>(api) || isLegalFor<D, S0, S1>(api, "count");
}

}  // namespace emu
