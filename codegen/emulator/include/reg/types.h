// Traits, enumerations and element types of the register level.
#pragma once

#include "api/system.h"
#include "api/types.h"
#include "emu/dtype.h"

/// Element types that registers hold and only conversions understand: two 4-bit values, or an 8-bit float.
struct int4x2_t { uint8_t bits; };
struct fp8_e5m2_t { uint8_t bits; };
struct fp8_e4m3fn_t { uint8_t bits; };

namespace emu {

template <> inline constexpr DType dtypeOf<int4x2_t> = DType::i4;
template <> inline constexpr DType dtypeOf<fp8_e5m2_t> = DType::e5m2;
template <> inline constexpr DType dtypeOf<fp8_e4m3fn_t> = DType::e4m3;

/// Whether the chip's register level has this API for these element types (destination first).
template <typename D, typename S0 = void, typename S1 = void>
constexpr bool isLegalReg(std::string_view api) {
    constexpr uint32_t wanted = signature(dtypeOf<D>, dtypeOf<S0>, dtypeOf<S1>);
    for (const LegalDtypes& row : chip::legalRegisterDtypes) {
        if (row.operands == wanted && row.api == api) return true;
    }
    return false;
}

}  // namespace emu

namespace AscendC {

inline constexpr uint32_t VECTOR_REG_WIDTH = GetVecLen();

namespace Reg {

using emu::Site;

/// How many physical registers a logical one has.
struct RegTrait { int REG_NUM; };
inline constexpr RegTrait RegTraitNumOne{1};
inline constexpr RegTrait RegTraitNumTwo{2};

/// Stands for "the element type of the register".
struct DefaultType {};

enum class LoadDist {
    DIST_NORM, DIST_BRC_B8, DIST_BRC_B16, DIST_BRC_B32, DIST_US_B8, DIST_US_B16, DIST_DS_B8, DIST_DS_B16,
    DIST_UNPACK_B8, DIST_UNPACK_B16, DIST_UNPACK_B32, DIST_UNPACK4_B8, DIST_BLK, DIST_E2B_B16, DIST_E2B_B32,
    DIST_DINTLV_B8, DIST_DINTLV_B16, DIST_DINTLV_B32
};

enum class StoreDist {
    DIST_NORM, DIST_NORM_B8, DIST_NORM_B16, DIST_NORM_B32, DIST_FIRST_ELEMENT_B8, DIST_FIRST_ELEMENT_B16,
    DIST_FIRST_ELEMENT_B32, DIST_PACK_B16, DIST_PACK_B32, DIST_PACK_B64, DIST_PACK4_B32, DIST_INTLV_B8,
    DIST_INTLV_B16, DIST_INTLV_B32
};

enum class MaskDist { DIST_NORM, DIST_US, DIST_DS, DIST_PACK };
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
enum class DataCopyMode { NORM, DATA_BLOCK_COPY };
enum class RegLayout { UNKNOWN = -1, ZERO, ONE, TWO, THREE };
enum class SatMode { UNKNOWN = -1, NO_SAT, SAT };
enum class MaskMergeMode { UNKNOWN = -1, MERGING, ZEROING };
enum class MaskPattern { ALL, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, M3, M4, H, Q, ALLF = 15 };
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
enum class HighLowPart { LOWEST, HIGHEST };
enum class GatherMaskMode { NO_STORE_REG, STORE_REG };
using AscendC::ReduceType;
enum class PairReduce { SUM };
enum class IndexOrder { INCREASE_ORDER, DECREASE_ORDER };
enum class HistogramsBinType { BIN0, BIN1 };
enum class HistogramsType { FREQUENCY, ACCUMULATE };
enum class SpecialPurposeReg { AR };

/// How a conversion places, clamps and rounds.
struct CastTrait {
    RegLayout layoutMode = RegLayout::UNKNOWN;
    SatMode satMode = SatMode::UNKNOWN;
    MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
    RoundMode roundMode = RoundMode::UNKNOWN;
};
inline constexpr CastTrait castTrait{RegLayout::UNKNOWN, SatMode::UNKNOWN, MaskMergeMode::ZEROING, RoundMode::UNKNOWN};

}  // namespace Reg

namespace MicroAPI {
using namespace Reg;
}

}  // namespace AscendC
