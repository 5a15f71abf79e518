"""The two C++ dialects of an emitted operator, as data: the kernel's and the host's."""

from collections.abc import Mapping

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IndexType, IntegerType, i1
from xdsl.ir import Attribute

from ..cfamily import CPP_CAST, FLOAT_LITERALS, Expr, Helper, Language, Level
from ..cfamily.language import float_literal
from .names import API_NAMES

INTEGERS: Mapping[Attribute, str] = {
    IndexType(): "int64_t",
    i1: "bool",
    **{IntegerType(width): f"int{width}_t" for width in (8, 16, 32, 64)},
}

INTEGER_FUNCTIONS = {
    "min": ("Smaller", "return a < b ? a : b;"),
    "max": ("Larger", "return a > b ? a : b;"),
    "ceildiv": ("CeilDiv", "return a / b + (a % b != 0 && (a < 0) == (b < 0));"),
    "floordiv": ("FloorDiv", "return a / b - (a % b != 0 && (a < 0) != (b < 0));"),
}
"""Name and body by the first part of the key."""


def _integer_helpers(qualifiers: str) -> dict[str, Helper]:
    helpers: dict[str, Helper] = {}
    for key, (name, body) in INTEGER_FUNCTIONS.items():
        for width in (64, 32, 16, 8):
            full = name if width == 64 else f"{name}{width}"
            integer = f"int{width}_t"
            head = f"{qualifiers}{integer} {full}({integer} a, {integer} b)"
            helpers[f"{key}_i{width}"] = Helper(full, f"{head}\n{{\n    {body}\n}}\n")
    return helpers


FLOAT_FUNCTIONS = {
    "max_f32": ("LargerFloat", "return a != a ? a : b != b ? b : a > b ? a : b;"),
    "min_f32": ("SmallerFloat", "return a != a ? a : b != b ? b : a < b ? a : b;"),
}
"""Maximum and minimum of two numbers; NaN wins."""


def _kernel_helpers() -> dict[str, Helper]:
    helpers = _integer_helpers("__aicore__ inline ")
    for key, (name, body) in FLOAT_FUNCTIONS.items():
        head = f"__aicore__ inline float {name}(float a, float b)"
        helpers[key] = Helper(name, f"{head}\n{{\n    {body}\n}}\n")
    return helpers | {"to_float": Helper("ToFloat"), "to_bfloat16": Helper("ToBfloat16")}


def _half_literal(value: float) -> Expr:
    return Expr(f"static_cast<half>({float_literal(value)})", Level.POSTFIX)


def _bfloat16_literal(value: float) -> Expr:
    return Expr(f"ToBfloat16({float_literal(value)})", Level.POSTFIX)


KERNEL_LANGUAGE = Language(
    types={**INTEGERS, Float16Type(): "half", BFloat16Type(): "bfloat16_t", Float32Type(): "float"},
    helpers=_kernel_helpers(),
    literals={**FLOAT_LITERALS, Float16Type(): _half_literal, BFloat16Type(): _bfloat16_literal},
    conversions={(BFloat16Type(), Float32Type()): "to_float", (Float32Type(), BFloat16Type()): "to_bfloat16"},
    cast=CPP_CAST,
    aggregate="{type}{{{values}}}",
    comment="// {}",
    stored=frozenset({BFloat16Type()}),
    reserved=API_NAMES,
    otherwise="chips have functions along lanes alone: give the value as a tensor of one dim, which the operator reads",
)
"""What runs on the vector cores."""

HOST_LANGUAGE = Language(
    types=INTEGERS,
    helpers=_integer_helpers(""),
    literals={},
    conversions={},
    cast=CPP_CAST,
    aggregate="{type}{{{values}}}",
    comment="// {}",
    reserved=frozenset({"data", "workspaceBytes"}),
)
"""What runs on the host: the tiling function, in plain C++11."""
