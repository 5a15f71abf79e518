"""Cast: what tests/test_emulator_numerics.py does not reach (it runs the count form of every pair and round mode):
masked forms, round to odd, 4-bit integers, double, the scaled conversion after SetDeqScale; and Truncate."""

from collections.abc import Callable

import numpy as np
import pytest
from harness import DTYPES, Array, Suite, same_bits, samples
from lanes import FORMS, SIZE, merged

from opwright.passes.chips import get_chip

CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
ROUND: dict[str, Callable[[Array], Array]] = {
    "RINT": np.rint,
    "FLOOR": np.floor,
    "CEIL": np.ceil,
    "ROUND": lambda a: np.copysign(np.floor(np.abs(a) + 0.5), a),
    "TRUNC": np.trunc,
}
WORDS = "uint64_t m[2] = {0x0000ffffff000303u, 0xc000000000000003u};"
CASES = {
    "odd": "Cast(D(half), A(float), RoundMode::CAST_ODD, 201);",
    "mask widening": "Cast(D(float), A(half), RoundMode::CAST_NONE, 61, 3, {1, 1, 8, 4});",
    "mask array narrowing": "uint64_t m[2] = {0x0000ffffff000303u, 0};"
    " Cast(D(half), A(float), RoundMode::CAST_RINT, m, 3, {1, 1, 4, 8});",
    "register": "SetVectorMask<half>(0, 0xffff); Cast<half, float, false>(D(half), A(float), RoundMode::CAST_FLOOR,"
    " MASK_PLACEHOLDER, 2, {1, 1, 4, 8}); ResetMask();",
    "scaled": "SetDeqScale(half(0.37f)); Cast(D(half), A(int32_t), RoundMode::CAST_NONE, 201);",
    "from int4": "Cast(D(half), A(int4b_t), RoundMode::CAST_NONE, 200);",
    "int4 mask array": f"{WORDS} Cast(D(int4b_t), A(half), RoundMode::CAST_RINT, m, 2, {{1, 1, 2, 8}});",
    **{f"to int4/{mode}": f"Cast(D(int4b_t), A(half), RoundMode::CAST_{mode}, 200);" for mode in ROUND},
}
ONLY_950 = {
    "int4 from int16": "Cast(D(int4b_t), A(int16_t), RoundMode::CAST_NONE, 200);",
    "int4 to bf": "Cast(D(bfloat16_t), A(int4b_t), RoundMode::CAST_NONE, 200);",
    **{f"i64 to d/{mode}": f"Cast(D(double), A(int64_t), RoundMode::CAST_{mode}, 201);" for mode in ROUND},
    "d to f": "Cast(D(float), A(double), RoundMode::CAST_RINT, 201);",
    "d to i32": "Cast(D(int32_t), A(double), RoundMode::CAST_TRUNC, 201);",
    **{f"Truncate/{mode}": f"Truncate<half, RoundMode::CAST_{mode}>(D(half), A(half), 201);" for mode in ROUND},
}
SUITES = {
    "A2": Suite("cast", CHIP["A2"], CASES),
    "950": Suite("cast", CHIP["950"], {**CASES, **ONLY_950}),
}


def odd(values: Array) -> Array:
    """float32 to float16, round to odd: truncate, and set the last bit if anything was lost."""
    near = values.astype(np.float16)
    bits = near.view(np.uint16)
    above = np.abs(near.astype(np.float64)) > np.abs(values.astype(np.float64))
    low = np.where(above, bits - 1, bits).astype(np.uint16)
    lost = (low.view(np.float16).astype(np.float64) != values) & np.isfinite(values)
    return np.where(lost, low | 1, low).astype(np.uint16).view(np.float16)


def nibbles(values: Array) -> Array:
    """Pack small integers two a byte, the lower one first."""
    low, high = values[0::2].astype(np.int64) & 15, values[1::2].astype(np.int64) & 15
    return (low | high << 4).astype(np.uint8)


def unpacked(data: Array) -> Array:
    pairs = np.stack([data & 15, data >> 4], -1).ravel().astype(np.int64)
    return (pairs ^ 8) - 8


def small(kind: str = "h") -> Array:
    values = samples(kind, SIZE, 1)
    values[50:500] = np.resize(np.arange(-20, 20) / (2 if kind == "h" else 1), 450).astype(values.dtype)
    return values


def clipped(values: Array, mode: str) -> Array:
    whole = ROUND[mode](values.astype(np.float64))
    return np.where(np.isnan(whole), 0, np.clip(whole, -8, 7)).astype(np.int64)


@pytest.mark.parametrize("chip", CHIP)
def test_round_to_odd(chip: str) -> None:
    a, before = samples("f", SIZE, 1), samples("h", SIZE, 2)
    a[20:120] = (1 + np.arange(100) / 4096).astype(np.float32)
    finite = np.abs(a) < 65504
    with np.errstate(over="ignore"):
        want = np.where(np.arange(SIZE) < 201, odd(np.where(finite, a, np.float32(1))), before)
    got = SUITES[chip].run("odd", [np.where(finite, a, np.float32(1))], before)
    same_bits(got, want)


@pytest.mark.parametrize("chip", CHIP)
def test_masks(chip: str) -> None:
    halves, floats = samples("h", SIZE, 1), samples("f", SIZE, 2)
    place = np.arange(SIZE)
    got = SUITES[chip].run("mask widening", [halves], floats)
    same_bits(got, np.where((place < 192) & (place % 64 < 61), halves.astype(np.float32), floats))
    bits = np.array([0x0000FFFFFF000303 >> i & 1 for i in range(64)], bool)
    with np.errstate(over="ignore"):
        narrow = floats.astype(np.float16)
    got = SUITES[chip].run("mask array narrowing", [floats], halves)
    same_bits(got, np.where((place < 192) & bits[place % 64], narrow, halves))
    ones = np.full(SIZE, 1 + 2.0**-12, np.float32)
    got = SUITES[chip].run("register", [ones], halves)
    same_bits(got, np.where((place < 128) & (place % 64 < 16), np.float16(1), halves))


@pytest.mark.parametrize("chip", CHIP)
def test_scaled(chip: str) -> None:
    a, before = samples("i32", SIZE, 1), samples("h", SIZE, 2)
    scale = np.float32(np.float16(0.37))
    with np.errstate(over="ignore"):
        want = (a.astype(np.float32) * np.float32(2.0**-17) * scale * np.float32(2.0**17)).astype(np.float16)
    same_bits(SUITES[chip].run("scaled", [a], before), merged(before, want, FORMS["count tail"], 64))


@pytest.mark.parametrize("chip", CHIP)
@pytest.mark.parametrize("mode", ROUND)
def test_to_int4(chip: str, mode: str) -> None:
    a, before = small(), samples("u8", SIZE, 2)
    packed = nibbles(clipped(a[:200], mode))
    same_bits(SUITES[chip].run(f"to int4/{mode}", [a], before), np.concatenate([packed, before[100:]]))


@pytest.mark.parametrize("chip", CHIP)
def test_int4_mask_array(chip: str) -> None:
    a, before = small(), samples("u8", SIZE, 2)
    words = (0x0000FFFFFF000303, 0xC000000000000003)
    pairs = np.array([words[i // 64] >> i % 64 & 1 for i in range(0, 128, 2)], bool)
    packed = nibbles(clipped(a[:256], "RINT"))
    want = np.concatenate([np.where(np.tile(pairs, 2), packed, before[:128]), before[128:]])
    same_bits(SUITES[chip].run("int4 mask array", [a], before), want)


@pytest.mark.parametrize(
    ("chip", "name", "out"), [("A2", "from int4", "h"), ("950", "from int4", "h"), ("950", "int4 to bf", "bf")]
)
def test_from_int4(chip: str, name: str, out: str) -> None:
    data, before = samples("u8", SIZE, 1), samples(out, SIZE, 2)
    want = np.concatenate([unpacked(data[:100]).astype(DTYPES[out]), before[200:]])
    same_bits(SUITES[chip].run(name, [data], before), want)


def test_int4_from_int16() -> None:
    a, before = small("i16"), samples("u8", SIZE, 2)
    packed = nibbles(np.clip(a[:200].astype(np.int64), -8, 7))
    same_bits(SUITES["950"].run("int4 from int16", [a], before), np.concatenate([packed, before[100:]]))


@pytest.mark.parametrize("mode", ROUND)
def test_int64_to_double(mode: str) -> None:
    a = samples("i64", SIZE, 1)
    before = np.arange(SIZE, dtype=np.float64)
    near = a.astype(np.float64)
    exact, nearest = a.astype(np.longdouble), near.astype(np.longdouble)
    low = np.where(nearest <= exact, near, np.nextafter(near, -np.inf))
    high = np.where(nearest >= exact, near, np.nextafter(near, np.inf))
    tie = (exact - low.astype(np.longdouble) == high.astype(np.longdouble) - exact) & (low != high)
    want = {
        "RINT": near,
        "FLOOR": low,
        "CEIL": high,
        "ROUND": np.where(tie, np.where(a < 0, low, high), near),
        "TRUNC": np.where(a < 0, high, low),
    }[mode]
    got = SUITES["950"].run(f"i64 to d/{mode}", [a], before)
    same_bits(got, np.where(np.arange(SIZE) < 201, want, before))


def test_double_to_narrower() -> None:
    a = samples("f", SIZE, 1).astype(np.float64) * (1 + 2.0**-30)
    floats, integers = samples("f", SIZE, 2), samples("i32", SIZE, 3)
    head = np.arange(SIZE) < 201
    with np.errstate(over="ignore", invalid="ignore"):
        same_bits(SUITES["950"].run("d to f", [a], floats), np.where(head, a.astype(np.float32), floats))
        whole = np.where(np.isnan(a), 0, np.clip(np.trunc(a), -(2.0**31), 2.0**31 - 1)).astype(np.int32)
    same_bits(SUITES["950"].run("d to i32", [a], integers), np.where(head, whole, integers))


@pytest.mark.parametrize("mode", ROUND)
def test_truncate(mode: str) -> None:
    a, before = small(), samples("h", SIZE, 2)
    with np.errstate(invalid="ignore"):
        want = ROUND[mode](a.astype(np.float64)).astype(np.float16)
    same_bits(SUITES["950"].run(f"Truncate/{mode}", [a], before), np.where(np.arange(SIZE) < 201, want, before))
