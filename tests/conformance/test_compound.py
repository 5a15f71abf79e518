"""Two steps in one call: Axpy MulAddDst FusedMulAdd FusedMulAddRelu (MulAddRelu) AddReluCast SubReluCast MulCast
AddDeqRelu CastDequant (CastDeq)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples
from lanes import FORMS, SIZE, merged, statement

from opwright.passes.chips import get_chip

Case = tuple[str, tuple[str, ...], str]
CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
APIS = ("Axpy", "MulAddDst", "FusedMulAdd", "FusedMulAddRelu", "AddReluCast", "SubReluCast", "MulCast")
SCALAR = 1.7


def strides(dst: str, src: str, unary: bool) -> str:
    wide = max(DTYPES[dst].itemsize, DTYPES[src].itemsize)
    d, s = (8 * DTYPES[name].itemsize // wide for name in (dst, src))
    return f"{{1, 1, {d}, {s}}}" if unary else f"{{1, 1, 1, {d}, {s}, {s}}}"


def cases(chip: str) -> dict[Case, str]:
    found: dict[Case, str] = {}
    for api in APIS:
        rows = [(row, True) for row in sorted(CHIP[chip].vector_dtypes[api])]
        rows += [(row, False) for row in sorted(CHIP[chip].vector_dtypes.get(f"{api}/count", ()))]
        for row, masked in rows:
            dst, src = row[0], row[1]
            scalar = (
                f"{CTYPES[src]}(3)"
                if src in {"i64", "u64"}
                else f"ToBfloat16({SCALAR}f)"
                if src == "bf"
                else f"{CTYPES[src]}({SCALAR}f)"
            )
            second = scalar if api == "Axpy" else f"B({CTYPES[src]})"
            operands = f"D({CTYPES[dst]}), A({CTYPES[src]}), {second}"
            types = (dst,) if api.startswith("FusedMulAdd") else (dst, src)
            forms = ["count tail"] + ["mask", "register"] * masked * (api in {"Axpy", "MulAddDst"})
            forms += ["mask array"] * masked * (dst != src)
            for form in forms:
                text = statement(api, types, operands, FORMS[form], strides(dst, src, api == "Axpy"))
                found[api, row, form] = text
    return found


CASES = {chip: cases(chip) for chip in CHIP}
SCALED = {
    "AddDeqRelu": "SetDeqScale(half(0.37f)); AddDeqRelu(D(half), A(int32_t), B(int32_t), 201);",
    "CastDequant/half": "SetDeqScale(half(0.37f)); CastDequant<half, int32_t, true, false, false>"
    "(D(half), A(int32_t), 60, 3, {1, 1, 4, 8});",
    "CastDequant/upper": "SetDeqScale(0.37f, -5, true); CastDeq<int8_t, int16_t, true, false, true>"
    "(D(int8_t), A(int16_t), 128, 2, {1, 1, 8, 8});",
    "CastDequant/lower": "SetDeqScale(0.37f, 100, false); CastDequant<uint8_t, int16_t, false, false>"
    "(D(uint8_t), A(int16_t), 100);",
}
SUITES = {
    chip: Suite(
        "compound", CHIP[chip], {**{f"{a}/{'/'.join(t)}/{f}": text for (a, t, f), text in found.items()}, **SCALED}
    )
    for chip, found in CASES.items()
}


def exact_sum(a: Array, b: Array, c: Array) -> Array:
    """a * b + c with every bit that a rounding to at most 24 bits can depend on."""
    return (a.astype(np.longdouble) * b.astype(np.longdouble)) + c.astype(np.longdouble)


def multiply_add(chip: str, a: Array, b: Array, c: Array) -> Array:
    """One rounding on chips that fuse or if the product is exact, else two."""
    if c.dtype.kind in "iu":
        return a * b + c
    fused = chip == "950" or a.dtype != c.dtype
    if not fused:
        product = (a.astype(np.float32) * b.astype(np.float32)).astype(c.dtype)
        return (product.astype(np.float32) + c.astype(np.float32)).astype(c.dtype)
    if c.dtype == DTYPES["bf"]:
        return exact_sum(a, b, c).astype(np.float64).astype(c.dtype)
    return exact_sum(a, b, c).astype(c.dtype)


def relu(a: Array) -> Array:
    return np.where(~(a <= 0), a, np.zeros_like(a))


def converted(chip: str, values: Array, dst: str) -> Array:
    dtype = DTYPES[dst]
    if dst in "hf" and values.dtype.kind == "f":
        return np.where(np.isnan(values), 0 if chip == "A2" else np.nan, values).astype(dtype)
    if dst in "hf":
        return values.astype(dtype)
    info = np.iinfo(dtype)
    if values.dtype.kind in "iu":
        return np.clip(values, info.min, info.max).astype(dtype)
    whole = np.rint(values.astype(np.float64))
    return np.where(np.isnan(whole), 0, np.clip(whole, info.min, info.max)).astype(dtype)


def expected(chip: str, case: Case, a: Array, b: Array, old: Array) -> Array:
    api, types, _ = case
    if api == "Axpy":
        scalar = np.full_like(a, 3 if types[1] in {"i64", "u64"} else np.float32(SCALAR).astype(a.dtype))
        if types[1] == "bf":
            product = (a.astype(np.float32) * scalar.astype(np.float32)).astype(a.dtype)
            return (product.astype(np.float32) + old.astype(np.float32)).astype(a.dtype)
        return multiply_add(chip, a, scalar, old)
    fused: dict[str, Callable[[], Array]] = {
        "MulAddDst": lambda: multiply_add(chip, a, b, old),
        "FusedMulAdd": lambda: multiply_add(chip, a, old, b),
        "FusedMulAddRelu": lambda: relu(multiply_add(chip, a, old, b)),
        "AddReluCast": lambda: converted(chip, relu(a + b), types[0]),
        "SubReluCast": lambda: converted(chip, relu(a - b), types[0]),
        "MulCast": lambda: converted(chip, a * b, types[0]),
    }
    return fused[api]()


@pytest.mark.parametrize(("chip", "case"), [(chip, case) for chip in CASES for case in CASES[chip]], ids=str)
def test_call(chip: str, case: Case) -> None:
    api, types, form = case
    a, b = samples(types[1], SIZE, 1), samples(types[1], SIZE, 2)
    before = samples(types[0], SIZE, 3)
    got = SUITES[chip].run(f"{api}/{'/'.join(types)}/{form}", [a, b], before)
    with np.errstate(all="ignore"):
        result = expected(chip, case, a, b, before).astype(before.dtype)
    lanes = 256 // max(DTYPES[name].itemsize for name in types)
    same_bits(got, merged(before, result, FORMS[form], lanes))


def scaled(values: Array, scale: float) -> Array:
    s = np.float32(np.float16(scale))
    return (values.astype(np.float32) * np.float32(2.0**-17) * s * np.float32(2.0**17)).astype(np.float16)


def dequantized(values: Array, scale: float, offset: int, dtype: np.dtype[Any]) -> Array:
    kept = (np.float32(scale).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    whole = np.clip(np.rint(values.astype(np.float32) * kept), -32768, 32767)
    info = np.iinfo(dtype)
    return np.clip(np.clip(whole, -256, 255) + offset, info.min, info.max).astype(dtype)


@pytest.mark.parametrize("chip", CHIP)
@pytest.mark.parametrize("name", SCALED)
def test_scaled(chip: str, name: str) -> None:
    small = name.endswith("er")
    a, b = (samples("i16" if small else "i32", SIZE, seed) for seed in (1, 2))
    before: Array = samples("h", SIZE, 3) if not small else samples("i8" if "upper" in name else "u8", SIZE, 3)
    got = SUITES[chip].run(name, [a, b], before)
    want = before.copy()
    with np.errstate(all="ignore"):
        if name == "AddDeqRelu":
            want[:201] = relu(scaled(a + b, 0.37))[:201]
        elif name == "CastDequant/half":
            active = (np.arange(SIZE) < 192) & (np.arange(SIZE) % 64 < 60)
            want = np.where(active, scaled(a, 0.37), before)
        else:
            upper = name == "CastDequant/upper"
            count = 256 if upper else 100
            lane = np.arange(count)
            place = lane // 16 * 32 + lane % 16 + 16 * upper
            want[place] = dequantized(a[:count], 0.37, -5 if upper else 100, before.dtype)
    same_bits(got, want)
