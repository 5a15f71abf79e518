// Template arguments that the host chooses by a tiling key. The kernel's side reads no declaration: whoever launches
// names the arguments.
#pragma once

#include "api/types.h"

#define ASCENDC_TPL_DTYPE_DECL(name, ...)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...)
#define ASCENDC_TPL_FORMAT_DECL(name, ...)
#define ASCENDC_TPL_UINT_DECL(name, width, ...)
#define ASCENDC_TPL_BOOL_DECL(name, ...)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...)
#define ASCENDC_TPL_DTYPE_SEL(name, ...)
#define ASCENDC_TPL_DATATYPE_SEL(name, ...)
#define ASCENDC_TPL_FORMAT_SEL(name, ...)
#define ASCENDC_TPL_UINT_SEL(name, ...)
#define ASCENDC_TPL_BOOL_SEL(name, ...)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(name, ...)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...)
#define ASCENDC_TPL_ARGS_DECL(operation, ...) static_assert(true, "")
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...) static_assert(true, "")

// What kernels compare template arguments with: the framework's numbers of dtypes.
enum : int {
    C_DT_FLOAT = 0, C_DT_FLOAT16 = 1, C_DT_INT8 = 2, C_DT_INT32 = 3, C_DT_UINT8 = 4, C_DT_INT16 = 6, C_DT_UINT16 = 7,
    C_DT_UINT32 = 8, C_DT_INT64 = 9, C_DT_UINT64 = 10, C_DT_DOUBLE = 11, C_DT_BOOL = 12, C_DT_BF16 = 27
};
