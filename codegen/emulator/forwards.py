"""Names under which kernels include parts of the vendor's headers: each stands for the one header of the emulator."""

from collections.abc import Mapping

_WHOLE = (
    "ascendc/host_api/tiling/template_argument.h",
    "basic_api/kernel_basic_intf.h",
    "basic_api/kernel_operator_block_sync_intf.h",
    "basic_api/kernel_operator_list_tensor_intf.h",
    "basic_api/kernel_vec_intf.h",
    "impl/dav_c220/kernel_operator_reg_others_impl.h",
    "kernel_basic_intf.h",
    "kernel_common.h",
    "kernel_event.h",
    "kernel_log.h",
    "kernel_macros.h",
    "kernel_operator_data_copy_intf.h",
    "kernel_operator_intf.h",
    "kernel_operator_list_tensor_intf.h",
    "kernel_tensor.h",
    "kernel_tiling/kernel_tiling.h",
    "kernel_tpipe.h",
    "kernel_type.h",
    "kernel_utils.h",
    "lib/activation/softmax.h",
    "lib/matmul_intf.h",
    "lib/matrix/matmul/matmul.h",
    "lib/matrix/matmul/tiling.h",
    "lib/pad/kernel_operator_pad_intf.h",
    "lib/sigmoid/kernel_operator_sigmoid_intf.h",
    "tiling/template_argument.h",
    "utils/debug/asc_assert.h",
    "utils/debug/asc_dump.h",
    "utils/debug/asc_printf.h",
)

_MATH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "axpy",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "cumsum",
    "digamma",
    "erf",
    "erfc",
    "exp",
    "floor",
    "fma",
    "fmod",
    "frac",
    "hypot",
    "is_finite",
    "is_inf",
    "is_nan",
    "lgamma",
    "log",
    "logical_and",
    "logical_ands",
    "logical_not",
    "logical_or",
    "logical_ors",
    "logical_xor",
    "power",
    "rint",
    "round",
    "sign",
    "sin",
    "sincos",
    "sinh",
    "tan",
    "tanh",
    "trunc",
    "where",
    "xor",
]

_FAMILIES = [
    "activation/geglu",
    "activation/gelu",
    "activation/logsoftmax",
    "activation/reglu",
    "activation/sigmoid",
    "activation/silu",
    "activation/softmax",
    "activation/swiglu",
    "activation/swish",
    "filter/dropout",
    "index/arange",
    "normalization/deepnorm",
    "normalization/layernorm",
    "normalization/normalize",
    "normalization/rmsnorm",
    "normalization/welfordfinalize",
    "normalization/welfordupdate",
    "pad/broadcast",
    "quantization/ascend_dequant",
    "quantization/ascend_quant",
    "reduce/mean",
    "reduce/reduce",
    "reduce/sum",
    "select/selectwithbytesmask",
    "sort/sort",
    "sort/topk",
]

LIBRARY: tuple[str, ...] = (
    *(f"adv_api/math/{name}.h" for name in _MATH),
    *(f"lib/math/{name}.h" for name in _MATH),
    *(f"lib/math/kernel_operator_{name}_intf.h" for name in _MATH),
    *(f"adv_api/{name}.h" for name in _FAMILIES),
)
"""Headers of the high-level library."""


def _text(name: str) -> str:
    named = '#include "high/tiling_names.h"\n' if name in LIBRARY or name.startswith(("lib/", "kernel_tiling/")) else ""
    return f'#pragma once\n#include "kernel_operator.h"\n{named}'


FORWARDS: Mapping[str, str] = {name: _text(name) for name in (*_WHOLE, *LIBRARY)}
"""File names below the include folder, and their texts.

A part that the emulator lacks is still included: what a kernel uses of it is a compile error that names it."""
