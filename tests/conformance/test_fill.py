"""Filling, moving and spreading: Duplicate Copy DataCopy DataCopyPad Brcb Broadcast (BroadCast) CreateVecIndex Arange
(ArithProgression), and the mask register: SetMaskCount SetMaskNorm SetVectorMask ResetMask."""

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples
from lanes import FORMS, SIZE, merged, statement

from opwright.passes.chips import get_chip

CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
TYPES = ("i16", "u16", "h", "bf", "i32", "u32", "f")
WIDE = {"A2": TYPES, "950": ("i8", "u8", *TYPES, "i64", "u64")}
INDEX = {"A2": ("i16", "h", "i32", "f"), "950": ("i16", "h", "i32", "f", "i64")}
BROADCAST = {"A2": ("i8", "u8", "h", "f"), "950": ("i8", "u8", "h", "f", "bf", "i64")}

PRELUDE = """
template <typename T>
void spread(LocalTensor<T> d, LocalTensor<T> a, LocalTensor<uint8_t> w, int which) {
    const uint32_t row[2] = {1, 64}, column[2] = {5, 1}, full[2] = {5, 64}, one[1] = {1}, line[1] = {77};
    if (which == 0) BroadCast<T, 2, 0>(d, a, full, row);
    if (which == 1) Broadcast<T, 2, 1>(d, a, full, column, w);
    if (which == 2) Broadcast<T, 1, 0>(d, a, line, one);
}
"""


def cases(chip: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in WIDE[chip]:
        c, b, mask = CTYPES[name], DTYPES[name].itemsize, name in TYPES
        value = "ToBfloat16(3)" if name == "bf" else f"{c}(3)"
        for form in ("count tail", *("mask", "mask array", "register", "counter") * mask * (name == "h")):
            text = statement("Duplicate", (name,), f"D({c}), {value}", FORMS[form], "1, 8")
            found[f"Duplicate/{name}/{form}"] = text
        found[f"Copy/{name}"] = f"Copy(D({c}), A({c}), {256 // b - 3}, 3, {{1, 1, 8, 8}});"
        found[f"Brcb/{name}"] = f"Brcb(D({c}), A({c}), 3, {{1, 8}});"
    for name in INDEX[chip]:
        c, block = CTYPES[name], 32 // DTYPES[name].itemsize
        if name != "i64":
            found[f"CreateVecIndex/{name}/count"] = f"CreateVecIndex(D({c}), {c}(2040), 300);"
            found[f"CreateVecIndex/{name}/mask"] = f"CreateVecIndex(D({c}), {c}(5), {2 * block + 1}, 3, 1, 8);"
            array = f"uint64_t m[2] = {{{0x00F1_0000_FFFF_0F01:#x}u, 0}}; CreateVecIndex(D({c}), {c}(5), m, 3, 1, 8);"
            found[f"CreateVecIndex/{name}/array"] = array
        found[f"Arange/{name}"] = f"Arange(D({c}), {c}(5), {c}(3), 299);"
        found[f"ArithProgression/{name}"] = f"ArithProgression(D({c}), {c}(5), {c}(3), {block - 1});"
    for name in BROADCAST[chip]:
        c = CTYPES[name]
        found[f"Broadcast/{name}"] = f"spread(D({c}), A({c}), w, p[0]);"
    found["Copy/counter"] = (
        "SetMaskCount(); SetVectorMask<half, MaskMode::COUNTER>(200);"
        " Copy<half, false>(D(half), A(half), MASK_PLACEHOLDER, 2, {2, 1, 100, 20}); SetMaskNorm(); ResetMask();"
    )
    found["Copy/array"] = "uint64_t m[2] = {0xff01u, 3}; Copy(D(half), A(half), m, 2, {1, 1, 8, 8});"
    found["DataCopy/UB"] = "DataCopy(D(half), A(half), 208);"
    if chip == "950":
        found["Duplicate/tensor"] = "Duplicate(D(half), A(half), 201);"
        found["Copy/count"] = "Copy(D(half), A(half), 201);"
    for name in ("u8", "h", "f"):
        c = CTYPES[name]
        copy = f"GlobalTensor<{c}> g; g.SetGlobalBuffer((__gm__ {c}*)x0, area / sizeof({c}));"
        params = f"{{3, 5 * sizeof({c}), 7 * sizeof({c}), 1, 0}}"
        found[f"DataCopyPad/in/{name}"] = f"{copy} DataCopyPad(D({c}), g, {params}, {{true, 1, 2, {c}(9)}});"
        found[f"DataCopyPad/plain/{name}"] = (
            f"{copy} DataCopyPad(W({c}), g, {params}, {{false, 0, 0, {c}(0)}});"
            f" PipeBarrier<PIPE_ALL>(); g.SetGlobalBuffer((__gm__ {c}*)y, area / sizeof({c}));"
            f" DataCopyPad(g[3], W({c}), {{3, 5 * sizeof({c}), 1, 2 * sizeof({c}), 0}}); PipeBarrier<PIPE_ALL>();"
            f" DataCopy(D({c}), g, {SIZE});"
        )
    return found


CASES = {chip: cases(chip) for chip in CHIP}
SUITES = {chip: Suite("fill", CHIP[chip], found, PRELUDE) for chip, found in CASES.items()}
ALL = [(chip, name) for chip in CASES for name in CASES[chip]]


def of(api: str) -> list[tuple[str, str]]:
    return [(chip, name) for chip, name in ALL if name.partition("/")[0] == api]


@pytest.mark.parametrize(("chip", "name"), of("Duplicate"), ids=str)
def test_duplicate(chip: str, name: str) -> None:
    _, kind, form = name.split("/") if name.count("/") == 2 else ("", "h", "count tail")
    a, before = samples(kind, SIZE, 1), samples(kind, SIZE, 2)
    value = a[0] if name == "Duplicate/tensor" else np.full(1, 3).astype(before.dtype)[0]
    got = SUITES[chip].run(name, [a], before)
    same_bits(got, merged(before, np.full_like(before, value), FORMS[form], 256 // before.itemsize))


@pytest.mark.parametrize(("chip", "name"), of("Copy"), ids=str)
def test_copy(chip: str, name: str) -> None:
    kind = name.partition("/")[2] if name.partition("/")[2] in DTYPES else "h"
    a, before = samples(kind, SIZE, 1), samples(kind, 2 * SIZE if kind == "h" else SIZE, 2)
    want, lanes = before.copy(), 256 // a.itemsize
    place = np.arange(SIZE)
    match name:
        case "Copy/counter":
            for r in range(2):
                for i in range(200):
                    want[r * 1600 + i // 16 * 32 + i % 16] = a[r * 320 + i]
        case "Copy/array":
            bits = np.array([0xFF01 >> i & 1 if i < 64 else 3 >> (i - 64) & 1 for i in range(lanes)], bool)
            want[:256] = np.where(np.tile(bits, 2), a[:256], before[:256])
        case "Copy/count":
            want[:201] = a[:201]
        case _:
            active = (place < 3 * lanes) & (place % lanes < lanes - 3)
            want[:SIZE] = np.where(active, a, before[:SIZE])
    same_bits(SUITES[chip].run(name, [a], before), want)


@pytest.mark.parametrize(("chip", "name"), of("Brcb"), ids=str)
def test_brcb(chip: str, name: str) -> None:
    kind = name.partition("/")[2]
    a, before = samples(kind, SIZE, 1), samples(kind, SIZE, 2)
    filled = np.repeat(a[:24], 32 // a.itemsize)
    same_bits(SUITES[chip].run(name, [a], before), np.concatenate([filled, before[filled.size :]]))


@pytest.mark.parametrize(("chip", "name"), of("Broadcast"), ids=str)
def test_broadcast(chip: str, name: str) -> None:
    kind = name.partition("/")[2]
    a, before = samples(kind, SIZE, 1), samples(kind, SIZE, 2)
    wants = [np.tile(a[:64], 5), np.repeat(a[:5], 64), np.repeat(a[:1], 77)]
    for which, want in enumerate(wants):
        got = SUITES[chip].run(name, [a], before, (which,))
        same_bits(got, np.concatenate([want, before[want.size :]]))


def chained(values: Array, step: float, block: int, lanes: int) -> Array:
    """Blocks of the first repeat, then repeats, each the one before plus a step rounded to the type."""
    for i in range(block, values.size):
        back = block if i < lanes else lanes
        values[i] = values[i - back] + values.dtype.type(step * back)
    return values


@pytest.mark.parametrize(("chip", "name"), of("CreateVecIndex"), ids=str)
def test_create_index(chip: str, name: str) -> None:
    _, kind, form = name.split("/")
    before = samples(kind, SIZE, 2)
    lanes = 256 // before.itemsize
    head = lanes if chip == "950" or form == "array" else 32 // before.itemsize
    first = 2040 if form == "count" else 5
    values = chained((first + np.arange(SIZE)).astype(before.dtype), 1, head, lanes)
    lane = np.arange(SIZE)
    bits = np.array([0x00F1_0000_FFFF_0F01 >> i & 1 if i < 64 else 0 for i in range(lanes)], bool)
    active = {
        "count": lane < 300,
        "mask": (lane < 3 * lanes) & (lane % lanes <= 64 // before.itemsize),
        "array": (lane < 3 * lanes) & bits[lane % lanes],
    }[form]
    same_bits(SUITES[chip].run(name, [], before), np.where(active, values, before))


@pytest.mark.parametrize(("chip", "name"), [*of("Arange"), *of("ArithProgression")], ids=str)
def test_arange(chip: str, name: str) -> None:
    api, kind = name.split("/")
    before = samples(kind, SIZE, 2)
    block, lanes = 32 // before.itemsize, 256 // before.itemsize
    count = 299 if api == "Arange" else block - 1
    values = chained((5 + 3 * np.arange(SIZE)).astype(before.dtype), 3, lanes if chip == "950" else block, lanes)
    written = -(-count // block) * block if chip == "A2" and count > block else count
    same_bits(SUITES[chip].run(name, [], before), np.concatenate([values[:written], before[written:]]))


@pytest.mark.parametrize(("chip", "name"), [*of("DataCopy"), *of("DataCopyPad")], ids=str)
def test_data_copy(chip: str, name: str) -> None:
    kind = name.rpartition("/")[2] if name.startswith("DataCopyPad") else "h"
    a, before = samples(kind, SIZE, 1), samples(kind, SIZE, 2)
    block = 32 // a.itemsize
    want = before.copy()
    if name == "DataCopy/UB":
        want[:208] = a[:208]
    for r in range(3 if name.startswith("DataCopyPad") else 0):
        piece = a[12 * r : 12 * r + 5]
        if "/in/" in name:
            at = r * 2 * block
            want[at : at + 8] = [before.dtype.type(9), *piece, *[before.dtype.type(9)] * 2]
        else:
            want[3 + 7 * r : 8 + 7 * r] = piece
    got = SUITES[chip].run(name, [a], before)
    if "/in/" in name:
        touched = np.zeros(SIZE, bool)
        for r in range(3):
            touched[r * 2 * block : r * 2 * block + 8] = True
        got = np.where(touched, got, before)
    same_bits(got, want)
