// One row of the chip's dtype table.
#pragma once

#include <cstdint>
#include <string_view>

namespace emu {

/// Element types by the short names of the chip table.
enum class DType : uint32_t {
    none, i4, i8, u8, i16, u16, i32, u32, i64, u64, h, bf, f, d, c32, c64, hif8, e5m2, e4m3, e8m0, fp4, b8, other
};

/// One number for the operand types of a call, destination first.
constexpr uint32_t signature(DType dst, DType src0 = DType::none, DType src1 = DType::none) {
    return static_cast<uint32_t>(dst) << 16 | static_cast<uint32_t>(src0) << 8 | static_cast<uint32_t>(src1);
}

/// One legal combination of an API.
struct LegalDtypes {
    std::string_view api;
    uint32_t operands;
};

}  // namespace emu
