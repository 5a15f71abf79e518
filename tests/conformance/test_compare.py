"""Comparisons into bits, the compare-mask register, and selections: Compare (CompareRegister in the chip table)
Compares CompareScalar GetCmpMask SetCmpMask Select."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, is_float, same_bits, samples

from opwright.passes.chips import get_chip

CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
MODES: dict[str, Callable[[Any, Any], Any]] = {
    "LT": operator.lt,
    "GT": operator.gt,
    "EQ": operator.eq,
    "LE": operator.le,
    "GE": operator.ge,
    "NE": operator.ne,
}
SIZE = 512
SCALAR = 2
MASK = 0x0F0F_1234_5678_9ABC


def types_of(chip: str, api: str) -> list[str]:
    rows = [*CHIP[chip].vector_dtypes[api], *CHIP[chip].vector_dtypes.get(f"{api}/count", ())]
    return sorted({row[-1] for row in rows} - {"d"})


def comparisons(chip: str) -> dict[str, str]:
    """Compare in every mode for half, and one mode an element type; all forms for float."""
    found: dict[str, str] = {}
    for name in types_of(chip, "Compare"):
        for mode in MODES if name == "h" else ("EQ",) if chip == "A2" and name == "i32" else ("LE",):
            c, count = CTYPES[name], 512 // DTYPES[name].itemsize
            found[f"Compare/{name}/{mode}"] = f"Compare(D(uint8_t), A({c}), B({c}), CMPMODE::{mode}, {count});"
            scalar = f"ToBfloat16({SCALAR})" if name == "bf" else f"{c}({SCALAR})"
            found[f"Compares/{name}/{mode}"] = f"Compares(D(uint8_t), A({c}), {scalar}, CMPMODE::{mode}, {count});"
    return found


OTHER = {
    "mask": "Compare(D(uint8_t), A(float), B(float), CMPMODE::LT, 64, 3, {1, 1, 1, 8, 8, 16});",
    "scalar mask": "CompareScalar(D(uint8_t), A(float), 2.0f, CMPMODE::GT, 64, 3, {1, 1, 8, 16});",
    "register half": "Compare(A(half), B(half), CMPMODE::GE, 128, {1, 1, 1, 8, 8, 8}); PipeBarrier<PIPE_V>();"
    " GetCmpMask(D(uint8_t));",
    "register": f"SetCmpMask(C(uint64_t)); PipeBarrier<PIPE_V>(); uint64_t m[2] = {{{MASK:#x}u, 0}};"
    " Compare(A(float), B(float), CMPMODE::LT, m, {1, 1, 1, 8, 8, 8}); PipeBarrier<PIPE_V>(); GetCmpMask(D(uint16_t));",
}
SELECTS = {
    "tensor": "Select(D(half), C(uint8_t), A(half), B(half), SELMODE::VSEL_TENSOR_TENSOR_MODE, 200);",
    "reuse": "Select(D(half), C(uint16_t), A(half), B(half), SELMODE::VSEL_CMPMASK_SPR, 200);",
    "scalar": "Select(D(half), C(uint32_t), A(half), half(2), SELMODE::VSEL_TENSOR_SCALAR_MODE, 200);",
    "tensor mask": "Select(D(half), C(uint64_t), A(half), B(half), SELMODE::VSEL_TENSOR_TENSOR_MODE, 100, 2,"
    " {1, 1, 1, 8, 8, 8});",
    "scalar mask": "uint64_t m[2] = {0xff0fu, 0x8001u};"
    " Select(D(half), C(uint8_t), A(half), half(2), SELMODE::VSEL_TENSOR_SCALAR_MODE, m, 2, {1, 1, 1, 8, 8, 8});",
    "register": "SetVectorMask<half>(~0ull, ~0ull); SetCmpMask(C(uint8_t)); PipeBarrier<PIPE_V>();"
    " Select<half, SELMODE::VSEL_CMPMASK_SPR>(D(half), A(half), B(half), 2, {1, 1, 1, 8, 8, 8});",
    "register scalar": "SetVectorMask<half>(~0ull, ~0ull); SetCmpMask(B(uint8_t)); PipeBarrier<PIPE_V>();"
    " Select<half, uint8_t>(D(half), C(uint8_t), A(half), 2, {1, 1, 1, 8, 8, 8});",
    "register address": "SetVectorMask<half>(~0ull, ~0ull);"
    " Duplicate(W(uint32_t), static_cast<uint32_t>(C(uint8_t).GetPhyAddr()), 8); PipeBarrier<PIPE_V>();"
    " SetVectorMask<half>(~0ull, ~0ull); SetCmpMask(W(uint32_t)); PipeBarrier<PIPE_V>();"
    " Select<half, SELMODE::VSEL_TENSOR_TENSOR_MODE>(D(half), A(half), B(half), 2, {1, 1, 1, 8, 8, 8});",
}
ONLY_950 = {
    "LT first": "Compares(D(uint8_t), half(2), A(half), CMPMODE::LT, 256);",
    "Compare masked": "Compare(D(uint8_t), A(half), B(half), CMPMODE::LT, 100, 2, {1, 1, 1, 8, 8, 8});",
    "operator": "LocalTensor<uint8_t> t = D(uint8_t); LocalTensor<int32_t> u = A(int32_t), v = B(int32_t);"
    " u.SetSize(128); v.SetSize(128); t = u <= v;",
}
CASES = {
    chip: {
        **comparisons(chip),
        **{f"forms/{name}": text for name, text in OTHER.items()},
        **{f"Select/{name}": text for name, text in SELECTS.items()},
        **({f"950/{name}": text for name, text in ONLY_950.items()} if chip == "950" else {}),
    }
    for chip in CHIP
}
SUITES = {chip: Suite("compare", CHIP[chip], found) for chip, found in CASES.items()}


def pair(name: str) -> tuple[Array, Array]:
    """Two sources that agree now and then; the special values stand at the start of the first one."""
    a, b = samples(name, SIZE, 1), samples(name, SIZE, 2)
    b[::3] = a[::3]
    return a, b


def packed(flags: Array) -> Array:
    return np.packbits(flags, bitorder="little")


def compared(chip: str, mode: str, a: Array, b: Array) -> Array:
    """Bits of a comparison; only some chips call NaN unequal."""
    with np.errstate(invalid="ignore"):
        flags = MODES[mode](a, b)
    if mode == "NE" and chip == "A2" and is_float(a.dtype):
        flags &= ~np.isnan(a) & ~np.isnan(b)
    return packed(flags)


@pytest.mark.parametrize(
    ("chip", "name"), [(c, n) for c in CASES for n in CASES[c] if n.startswith("Compare")], ids=str
)
def test_comparison(chip: str, name: str) -> None:
    api, kind, mode = name.split("/")
    a, b = pair(kind)
    before = samples("u8", 128, 3)
    doubtful = chip == "A2" and mode == "NE"
    got = SUITES[chip].run(name, [a, b], before, codes=frozenset({"chip-dependent"} if doubtful else ()))
    count = 512 // a.itemsize
    other = np.full_like(a, SCALAR) if api == "Compares" else b
    want = compared(chip, mode, a[:count], other[:count])
    same_bits(got, np.concatenate([want, before[want.size :]]))


@pytest.mark.parametrize("chip", CHIP)
@pytest.mark.parametrize("name", OTHER)
def test_other_forms(chip: str, name: str) -> None:
    a, b = pair("h" if name == "register half" else "f")
    a, b = np.tile(a, 2)[:SIZE], np.tile(b, 2)[:SIZE]
    old = samples("u8", 16, 5)
    before = samples("u8", 64, 4)
    got = SUITES[chip].run(f"forms/{name}", [a, b, old], before)
    if name == "mask":
        rows = np.concatenate([b[128 * r : 128 * r + 64] for r in range(3)])
        want = packed(a[:192] < rows)
    elif name == "scalar mask":
        want = packed(np.concatenate([a[128 * r : 128 * r + 64] for r in range(3)]) > 2)
    elif name == "register half":
        want = packed(a[:128] >= b[:128])
    else:
        active = np.array([MASK >> i & 1 for i in range(64)], bool)
        kept = np.unpackbits(old, bitorder="little").astype(bool)
        flags = np.where(active, a[:64] < b[:64], kept[:64] if chip == "A2" else False)
        want = packed(np.concatenate([flags, kept[64:] if chip == "A2" else np.zeros(64, bool)]))
    same_bits(got, np.concatenate([want, before[want.size :]]))


@pytest.mark.parametrize("chip", CHIP)
@pytest.mark.parametrize("name", SELECTS)
def test_select(chip: str, name: str) -> None:
    a, b, before = samples("h", SIZE, 1), samples("h", SIZE, 2), samples("h", SIZE, 3)
    bits = samples("u8", 64, 4)
    got = SUITES[chip].run(f"Select/{name}", [a, b, bits], before)
    lane = np.arange(SIZE)
    flags = np.unpackbits(bits, bitorder="little").astype(bool)
    chosen = flags[lane % 128] if name in {"reuse", "register"} else flags[lane]
    scalar = b[0] if name == "register scalar" else np.float16(2)
    result = np.where(chosen, a, scalar if "scalar" in name else b)
    touched = lane < (256 if name.startswith("register") else 200)
    if name == "tensor mask":
        touched = (lane < 256) & (lane % 128 < 100)
    elif name == "scalar mask":
        words = np.array([0xFF0F, 0x8001], np.uint64)
        touched = (lane < 256) & ((words[lane % 128 // 64] >> (lane % 64).astype(np.uint64)) & np.uint64(1) == 1)
    same_bits(got, np.where(touched, result, before))


@pytest.mark.parametrize("name", ONLY_950)
def test_forms_of_one_chip(name: str) -> None:
    a, b = pair("i32" if name == "operator" else "h")
    before = samples("u8", 64, 3)
    got = SUITES["950"].run(f"950/{name}", [a, b], before)
    lane = np.arange(256)
    want = {
        "LT first": lambda: packed(np.float16(2) < a[:256]),
        "Compare masked": lambda: packed((a[:256] < b[:256]) & (lane % 128 < 100)),
        "operator": lambda: packed(a[:128] <= b[:128]),
    }[name]()
    same_bits(got, np.concatenate([want, before[want.size :]]))
