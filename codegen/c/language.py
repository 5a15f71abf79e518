"""The C language as data: types, literals and helper functions."""

import struct
from collections.abc import Mapping

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IndexType, IntegerType, i1
from xdsl.ir import Attribute

from ..cfamily import C_CAST, FLOAT_LITERALS, Expr, Helper, Language
from .conversions import BLENDS, CONVERSION_HELPERS

TYPES: Mapping[Attribute, str] = {
    IndexType(): "int64_t",
    i1: "bool",
    **{IntegerType(width): f"int{width}_t" for width in (8, 16, 32, 64)},
    Float16Type(): "uint16_t",
    BFloat16Type(): "uint16_t",
    Float32Type(): "float",
    Float64Type(): "double",
}


def _bf16_literal(value: float) -> Expr:
    return Expr(f"0x{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04x}")


def _f16_literal(value: float) -> Expr:
    return Expr(f"0x{struct.unpack('<H', struct.pack('<e', value))[0]:04x}")


def _function(key: str, result: str, arguments: str, lines: str, headers: tuple[str, ...]) -> dict[str, Helper]:
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    code = f"static inline {result} {key}({arguments})\n{{\n{body}}}\n"
    return {key: Helper(key, code, headers=headers)}


INTEGER_FUNCTIONS = {
    "min": "return a < b ? a : b;",
    "max": "return a > b ? a : b;",
    "ceildiv": "return ({type})(a / b + (a % b != 0 && (a < 0) == (b < 0)));",
    "floordiv": """\
if (b == 0) {{
    return 0;
}}
if (b == -1) {{
    return ({type})(0 - (uint64_t)a);
}}
return ({type})(a / b - (a % b != 0 && (a < 0) != (b < 0)));""",
}
"""Bodies by the first part of the key. No quotient traps: by 0 it is 0, the least number over -1 wraps."""

ORDERED = """\
const bool greater = a > b, less = a < b, equal = a == b && a != 0;
const {type} rest = equal ? a : {zero_or_nan};
return {first} ? a : {second} ? b : rest;"""
"""The maximum or minimum: NaN wins, and -0 is less than 0."""

ORDERED_NUMBERS = """\
const {type} chosen = {key}(a, b);
return a != a ? b : b != b ? a : chosen;"""
"""The maximum or minimum where a number wins over NaN."""

MATH_FUNCTIONS = ("exp", "log", "log1p", "pow", "sin", "cos", "tanh", "erf")
"""Functions that C libraries do not round correctly in float32: computed in float64, and rounded once."""

EXACT_FUNCTIONS = {
    **{name: name for name in ("sqrt", "ceil", "floor", "trunc")},
    "abs": "fabs",
    "roundeven": "rint",
}
"""Functions that C libraries compute exactly or round correctly: the C name of the float64 form."""


def _integer_helpers() -> dict[str, Helper]:
    helpers: dict[str, Helper] = {}
    for width in (8, 16, 32, 64):
        c_type = f"int{width}_t"
        body = f"return ({c_type})(a < 0 ? -a : a);"
        helpers |= _function(f"abs_i{width}", c_type, f"{c_type} a", body, ("stdint.h",))
        for name, code in INTEGER_FUNCTIONS.items():
            pair = f"{c_type} a, {c_type} b"
            helpers |= _function(f"{name}_i{width}", c_type, pair, code.format(type=c_type), ("stdint.h",))
    return helpers


def _float_helpers(scalar: str, c_type: str) -> dict[str, Helper]:
    pair = f"{c_type} a, {c_type} b"
    ordered = {
        "max": ORDERED.format(type=c_type, zero_or_nan="a + b", first="greater", second="less"),
        "min": ORDERED.format(type=c_type, zero_or_nan="-(-a + -b)", first="less", second="greater"),
    }
    helpers: dict[str, Helper] = {}
    for name, body in ordered.items():
        helpers |= _function(f"{name}_{scalar}", c_type, pair, body, ("stdbool.h",))
        number = f"{name}num_{scalar}"
        numbers_first = ORDERED_NUMBERS.format(type=c_type, key=f"{name}_{scalar}")
        code = _function(number, c_type, pair, numbers_first, ())[number].code
        helpers[number] = Helper(number, code, needs=(f"{name}_{scalar}",))
    return helpers


def _math_helpers() -> dict[str, Helper]:
    math = ("math.h",)
    helpers: dict[str, Helper] = {}
    for key, name in EXACT_FUNCTIONS.items():
        helpers |= {f"{key}_f32": Helper(f"{name}f", headers=math), f"{key}_f64": Helper(name, headers=math)}
    for name in MATH_FUNCTIONS:
        helpers[f"{name}_f64"] = Helper(name, headers=math)
        parameters = ("a", "b") if name == "pow" else ("a",)
        arguments = ", ".join(f"float {p}" for p in parameters)
        call = f"return (float){name}({', '.join(parameters)});"
        helpers |= _function(f"{name}_f32", "float", arguments, call, math)
    helpers |= _function("rsqrt_f64", "double", "double a", "return 1.0 / sqrt(a);", math)
    helpers |= _function("rsqrt_f32", "float", "float a", "return (float)(1.0 / sqrt(a));", math)
    return helpers


ALLOCATE = """\
static void *allocate(int64_t count, size_t size)
{
    return aligned_alloc(64, ((size_t)count * size + 64) / 64 * 64);
}
"""

HELPERS: Mapping[str, Helper] = {
    "allocate": Helper("allocate", ALLOCATE, headers=("stdint.h", "stdlib.h")),
    **_integer_helpers(),
    **_float_helpers("f32", "float"),
    **_float_helpers("f64", "double"),
    **_math_helpers(),
    **CONVERSION_HELPERS,
    **BLENDS,
}

C_LANGUAGE = Language(
    types=TYPES,
    helpers=HELPERS,
    literals={**FLOAT_LITERALS, BFloat16Type(): _bf16_literal, Float16Type(): _f16_literal},
    conversions={
        (BFloat16Type(), Float32Type()): "bf16_to_f32",
        (Float32Type(), BFloat16Type()): "f32_to_bf16",
        (Float16Type(), Float32Type()): "f16_to_f32",
        (Float32Type(), Float16Type()): "f32_to_f16",
    },
    cast=C_CAST,
    aggregate="({type}){{{values}}}",
    comment="/* {} */",
    stored=frozenset({BFloat16Type(), Float16Type()}),
    headers=("stdbool.h", "stdint.h"),
    special_headers=("math.h",),
)
"""C11. Booleans are bool, 16-bit floats are uint16_t."""
