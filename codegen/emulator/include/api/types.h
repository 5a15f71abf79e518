// Qualifiers, enumerations and small types of the kernel language.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/core.h"

#define __global__
#define __aicore__
#define __gm__
#define __ubuf__
#define __inout_pipe__(...)

#define GM_ADDR __gm__ uint8_t*
#define ASCEND_IS_AIV constexpr(true)
#define ASCEND_IS_AIC constexpr(false)

#define __NPU_ARCH__ (::emu::chip::npuArch)

enum TaskKernelType {
    KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2
};

using event_t = int32_t;

namespace AscendC {

enum class TPosition { GM, VECIN, VECOUT, VECCALC };
using QuePosition = TPosition;

enum class RoundMode {
    CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD
};

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };

enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

using emu::Site;

template <typename T> struct TypeIdentity { using type = T; };
template <typename T> using Same = typename TypeIdentity<T>::type;

}  // namespace AscendC
