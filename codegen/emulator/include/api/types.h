// Qualifiers, enumerations and small types of the kernel language.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/core.h"

#define __global__
#define __aicore__
#define __host_aicore__
#define __gm__
#define __ubuf__
#define __local_mem__
#define __forceinline__ inline
#define __tiling_data_ptr__
#define __kfc_workspace__
#define __inout_pipe__(...)
#define __schedmode__(mode)

// A vector kernel without cross-core barriers, and one with them; kernels for the matrix core do not compile.
#define __vector__
#define __mix__(cubes, vectors) EMU_MIX_##cubes##_##vectors
#define EMU_MIX_0_1
#define EMU_MIX_1_0 emu_mix_kernels_need_a_matrix_core
#define EMU_MIX_1_1 emu_mix_kernels_need_a_matrix_core
#define EMU_MIX_1_2 emu_mix_kernels_need_a_matrix_core
#define __cube__ emu_cube_kernels_need_a_matrix_core

#define GM_ADDR __gm__ uint8_t*
#define ASCEND_IS_AIV constexpr(true)
#define ASCEND_IS_NOT_AIC constexpr(true)
#define ASCEND_IS_AIC constexpr(false)
#define ASCEND_IS_NOT_AIV constexpr(false)

enum TaskKernelType {
    KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2, KERNEL_TYPE_AICORE, KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE, KERNEL_TYPE_MIX_VECTOR_CORE
};

/// What the compiler may expect of a condition; its value stays.
constexpr bool likely(bool condition) { return condition; }
constexpr bool unlikely(bool condition) { return condition; }

using event_t = int32_t;
enum : event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {

using TEventID = event_t;
using TTagType = int32_t;

// The matrix core's places come in two levels. Kernels may name them; queues and buffers refuse them.
#define EMU_MATRIX_PLACES(level) A##level, B##level, C##level, CO##level
enum class TPosition : uint8_t {
    GM, EMU_MATRIX_PLACES(1), EMU_MATRIX_PLACES(2), VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM,
    C2PIPE2GM, C2PIPE2LOCAL, MAX
};
#undef EMU_MATRIX_PLACES
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

inline constexpr int AIC = 1;
inline constexpr int AIV = 2;
inline constexpr int g_coreType = AIV;

enum class RoundMode {
    CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD, CAST_HYBRID,
    UNKNOWN = 0xff
};

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };

enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

enum class ReduceType { SUM, MAX, MIN };

enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NDC1HWC0, FRACTAL_Z_3D };

enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };

// Sizes and limits that kernels name.
inline constexpr int32_t ONE_BLK_SIZE = emu::chip::blockBytes;
inline constexpr int32_t ONE_REPEAT_BYTE_SIZE = emu::chip::repeatBytes;
inline constexpr int32_t DEFAULT_C0_SIZE = emu::chip::blockBytes;
inline constexpr int32_t DEFAULT_BLOCK_SIZE = emu::chip::repeatBytes;
inline constexpr int32_t DEFAULT_BLK_NUM = emu::chip::repeatBytes / emu::chip::blockBytes;
inline constexpr int32_t DEFAULT_BLK_STRIDE = 1;
inline constexpr int32_t DEFAULT_REPEAT_STRIDE = DEFAULT_BLK_NUM;
inline constexpr int32_t MAX_REPEAT_TIMES = emu::chip::maxRepeat;
inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;
inline constexpr int32_t K_MAX_SHAPE_DIM = 8;

using emu::Site;

template <typename T> struct TypeIdentity { using type = T; };
template <typename T> using Same = typename TypeIdentity<T>::type;

/// Shape that a tensor carries for its user; no call looks at it.
struct ShapeInfo {
    uint8_t shapeDim = 0;
    uint32_t shape[K_MAX_SHAPE_DIM] = {};
    uint8_t originalShapeDim = 0;
    uint32_t originalShape[K_MAX_SHAPE_DIM] = {};
    DataFormat dataFormat = DataFormat::ND;

    ShapeInfo() = default;
    ShapeInfo(uint8_t dims, const uint32_t sizes[], uint8_t originalDims, const uint32_t originalSizes[],
              DataFormat format)
        : shapeDim(dims), originalShapeDim(originalDims), dataFormat(format) {
        for (int i = 0; i < dims && i < K_MAX_SHAPE_DIM; i++) shape[i] = sizes[i];
        for (int i = 0; i < originalDims && i < K_MAX_SHAPE_DIM; i++) originalShape[i] = originalSizes[i];
    }
    ShapeInfo(uint8_t dims, const uint32_t sizes[], DataFormat format) : ShapeInfo(dims, sizes, dims, sizes, format) {}
    ShapeInfo(uint8_t dims, const uint32_t sizes[]) : ShapeInfo(dims, sizes, DataFormat::ND) {}
};

inline int GetShapeSize(const ShapeInfo& info) {
    int size = 1;
    for (int i = 0; i < info.shapeDim; i++) size *= static_cast<int>(info.shape[i]);
    return size;
}

}  // namespace AscendC
