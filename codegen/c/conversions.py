"""Conversions between float32 and the 16-bit floats, as C functions without branches that compilers vectorise.

Both 16-bit types are held as uint16_t. Widening is exact; narrowing rounds to nearest even, and gives a quiet NaN for a
NaN. The products and sums below need subnormal numbers: no flag may flush them.
"""

from collections.abc import Mapping

from ..cfamily import Helper

STRING = ("stdint.h", "string.h")

BITS = Helper(
    "bits_of_f32",
    """\
static inline uint32_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
""",
    headers=STRING,
)

FROM_BITS = Helper(
    "f32_of_bits",
    """\
static inline float f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
""",
    headers=STRING,
)

BF16_TO_F32 = Helper(
    "bf16_to_f32",
    """\
static inline float bf16_to_f32(uint16_t value)
{
    return f32_of_bits((uint32_t)value << 16);
}
""",
    needs=("f32_of_bits",),
)

F32_TO_BF16 = Helper(
    "f32_to_bf16",
    """\
static inline uint16_t f32_to_bf16(float value)
{
    const uint32_t bits = bits_of_f32(value);
    const uint32_t quiet = (bits & 0x80000000u) | 0x7fc00000u;
    const uint32_t number = value != value ? quiet : bits;
    return (uint16_t)((number + 0x7fffu + ((number >> 16) & 1u)) >> 16);
}
""",
    needs=("bits_of_f32",),
)

F16_TO_F32 = Helper(
    "f16_to_f32",
    """\
static inline float f16_to_f32(uint16_t value)
{
    /* sign, exponent and mantissa in place; the product sets the exponent right, also of subnormal numbers */
    const uint32_t moved = (uint32_t)((int32_t)((uint32_t)value << 16) >> 3) & 0x8fffe000u;
    const uint32_t bits = bits_of_f32(f32_of_bits(moved) * 0x1p112f);
    const bool special = (bits & 0x7fffffffu) >= 0x47800000u;
    return f32_of_bits(special ? bits | 0x7f800000u : bits);
}
""",
    needs=("bits_of_f32", "f32_of_bits"),
    headers=("stdbool.h",),
)

F32_TO_F16 = Helper(
    "f32_to_f16",
    """\
static inline uint16_t f32_to_f16(float value)
{
    const uint32_t bits = bits_of_f32(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    /* adding 0.5 rounds a number below 2^-14 at the last bit that a subnormal result has */
    const uint32_t tiny = bits_of_f32(f32_of_bits(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t capped = magnitude < 0x47800000u ? magnitude : 0x47800000u; /* from 65536 on: infinity */
    const uint32_t normal = (capped + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
    const uint32_t number = magnitude < 0x38800000u ? tiny : normal;
    return (uint16_t)((magnitude > 0x7f800000u ? 0x7e00u : number) | sign);
}
""",
    needs=("bits_of_f32", "f32_of_bits"),
)

BLEND_F32 = Helper(
    "blend_f32",
    """\
static inline float blend_f32(bool condition, float a, float b)
{
    const uint32_t mask = -(uint32_t)condition;
    return f32_of_bits((bits_of_f32(a) & mask) | (bits_of_f32(b) & ~mask));
}
""",
    needs=("bits_of_f32", "f32_of_bits"),
    headers=("stdbool.h",),
)


def blend_integers(name: str, kind: str) -> Helper:
    """Return the choice between two integers, or between the bits of two 16-bit floats."""
    code = f"""\
static inline {kind} {name}(bool condition, {kind} a, {kind} b)
{{
    const {kind} mask = ({kind})-({kind})condition;
    return ({kind})((a & mask) | (b & ~mask));
}}
"""
    return Helper(name, code, headers=("stdbool.h", "stdint.h"))


BLENDS: Mapping[str, Helper] = {
    "blend_f32": BLEND_F32,
    "blend_u16": blend_integers("blend_u16", "uint16_t"),
    **{f"blend_i{width}": blend_integers(f"blend_i{width}", f"int{width}_t") for width in (8, 16, 32, 64)},
}
"""Choices by a condition that is the same for all lanes: compilers vectorise these, but not `condition ? a : b`."""

CONVERSION_HELPERS: Mapping[str, Helper] = {
    helper.name: helper for helper in (BITS, FROM_BITS, BF16_TO_F32, F32_TO_BF16, F16_TO_F32, F32_TO_F16)
}
