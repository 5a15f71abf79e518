"""Gather, Gatherb, Scatter and GatherMask against NumPy, and the offsets they refuse."""

import numpy as np
import pytest
from harness import AREA, CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

A2 = get_chip("ascend910b")
A5 = get_chip("ascend950")
TYPES = {"ascend910b": ("i16", "u16", "h", "bf", "i32", "u32", "f"), "ascend950": ("i16", "h", "bf", "f", "u64", "i64")}
BYTES = {"ascend950": ("i8", "u8")}


def _cases(chip: str) -> dict[str, str]:
    cases: dict[str, str] = {}
    for name in (*TYPES[chip], *BYTES.get(chip, ())):
        t = CTYPES[name]
        cases[f"gather/count/{name}"] = f"Gather(D({t}), A({t}), B(uint32_t), uint32_t(p[0]), uint32_t(p[1]));"
        if chip == "ascend950":
            cases[f"scatter/count/{name}"] = f"Scatter(D({t}), A({t}), B(uint32_t), uint32_t(p[0]), uint32_t(p[1]));"
    for name in TYPES[chip]:
        t = CTYPES[name]
        args = f"D({t}), A({t}), B(uint32_t), uint32_t(p[0])"
        cases[f"gather/mask/{name}"] = f"Gather({args}, uint64_t(p[1]), uint8_t(p[2]), uint16_t(p[3]));"
        bits = "uint64_t bits[2] = {uint64_t(p[1]), uint64_t(p[4])};"
        cases[f"gather/bits/{name}"] = f"{bits} Gather({args}, bits, uint8_t(p[2]), uint16_t(p[3]));"
        if chip == "ascend950":
            cases[f"scatter/mask/{name}"] = f"Scatter({args}, uint64_t(p[1]), uint8_t(p[2]), uint8_t(p[3]));"
    for t in ("uint16_t", "uint32_t"):
        params = "GatherRepeatParams{uint8_t(p[1]), uint8_t(p[2])}"
        cases[f"gatherb/{t}"] = f"Gatherb(D({t}), A({t}), B(uint32_t), uint8_t(p[0]), {params});"
    count = "uint64_t n = 0;"
    params = "GatherMaskParams{uint8_t(p[3]), uint16_t(p[4]), uint16_t(p[5]), uint8_t(p[6])}, n"
    store = "PipeBarrier<PIPE_ALL>(); D(uint32_t).SetValue(2047, uint32_t(n)); PipeBarrier<PIPE_ALL>();"
    for name, pattern in (("h", "uint16_t"), ("f", "uint32_t"), ("i32", "uint32_t")):
        t = CTYPES[name]
        head = f"{count} GatherMask(D({t}), A({t})"
        cases[f"compress/builtin/{name}"] = f"{head}, uint8_t(p[0]), p[1] != 0, uint32_t(p[2]), {params}); {store}"
        cases[f"compress/user/{name}"] = f"{head}, B({pattern}), p[1] != 0, uint32_t(p[2]), {params}); {store}"
    cases["compress/in place"] = (
        f"{count} GatherMask(A(half), A(half), uint8_t(p[0]), p[1] != 0, uint32_t(p[2]), {params});"
        " PipeBarrier<PIPE_ALL>(); DataCopy(D(half), A(half), 512);"
    )
    return cases


SUITES = {name: Suite(f"gather_{name}", get_chip(name), _cases(name)) for name in TYPES}
NOTHING = np.zeros(0, np.uint8)


def _offsets(name: str, count: int, low: int = 0, high: int = 1024) -> Array:
    size = DTYPES[name].itemsize
    picks = np.random.default_rng(count).integers(low // size, high // size, count)
    return (picks * size).astype(np.uint32)


@pytest.mark.parametrize("chip", TYPES)
def test_gather_by_count(chip: str) -> None:
    for name in (*TYPES[chip], *BYTES.get(chip, ())):
        size = DTYPES[name].itemsize
        source = samples(name, 1024 // size)
        for count, base in ((0, 0), (1, 0), (33, 64), (200, 0)):
            offsets = _offsets(name, count, high=1024 - base)
            before = samples(name, 256, seed=3)
            want = before.copy()
            want[:count] = source[(offsets + base) // size]
            got = SUITES[chip].run(f"gather/count/{name}", [source, offsets], before, (base, count))
            same_bits(got, want, nan_payload=True)


@pytest.mark.parametrize("chip", TYPES)
def test_gather_by_mask_leaves_other_lanes_alone(chip: str) -> None:
    for name in TYPES[chip]:
        size = DTYPES[name].itemsize
        lanes = 256 // size
        source = samples(name, 1024 // size)
        offsets = _offsets(name, 3 * lanes)
        before = samples(name, 4 * lanes, seed=5)
        for case, mask, active in (
            ("mask", lanes - 3, np.arange(lanes) < lanes - 3),
            ("bits", 0b1001_0110, np.isin(np.arange(lanes), (1, 2, 4, 7))),
        ):
            want = before.copy()
            for repeat in range(3):
                rows = want[repeat * (lanes + 32 // size) :][:lanes]
                rows[active] = source[offsets[repeat * lanes :][:lanes] // size][active]
            got = SUITES[chip].run(f"gather/{case}/{name}", [source, offsets], before, (0, mask, 3, 9))
            same_bits(got, want, nan_payload=True)


def test_gathered_offsets_must_be_aligned_and_inside() -> None:
    source = samples("f", 64)
    before = samples("f", 8)
    bad = frozenset({"gather-offset"})
    for offset in (2, AREA, AREA - 2):
        offsets = np.array([0, offset], np.uint32)
        got = SUITES["ascend910b"].run("gather/count/f", [source, offsets], before, (0, 2), codes=bad)
        same_bits(got[:1], source[:1])
    blocks = np.zeros(8, np.uint32)
    blocks[3] = 16
    SUITES["ascend910b"].run("gatherb/uint32_t", [source, blocks], np.zeros(64, np.uint32), (1, 1, 8), codes=bad)


@pytest.mark.parametrize("t", ["uint16_t", "uint32_t"])
def test_gatherb_moves_blocks(t: str) -> None:
    dtype = np.dtype(t.removesuffix("_t"))
    source = np.arange(2048 // dtype.itemsize, dtype=dtype)
    offsets = (np.random.default_rng(0).integers(0, 64, 16) * 32).astype(np.uint32)
    for block, repeat in ((1, 8), (0, 8), (2, 17), (1, 9)):
        before = np.full(4096 // dtype.itemsize, 7, dtype)
        want = before.copy().view(np.uint8).reshape(-1, 32)
        for i, offset in enumerate(offsets):
            want[i // 8 * repeat + i % 8 * max(block, 1)] = source.view(np.uint8)[offset : offset + 32]
        got = SUITES["ascend910b"].run(f"gatherb/{t}", [source, offsets], before, (2, block, repeat))
        same_bits(got, want.reshape(-1).view(dtype))


def test_scatter_is_the_inverse_of_gather() -> None:
    for name in (*TYPES["ascend950"], "i8", "u8"):
        size = DTYPES[name].itemsize
        source = samples(name, 96)
        offsets = (np.random.default_rng(1).permutation(512)[:96] * size).astype(np.uint32)
        before = samples(name, 600, seed=2)
        want = before.copy()
        want[offsets // size + 64 // size] = source
        got = SUITES["ascend950"].run(f"scatter/count/{name}", [source, offsets], before, (64, 96))
        same_bits(got, want, nan_payload=True)
    lanes = 64
    source = samples("f", 2 * lanes)
    offsets = (np.random.default_rng(2).permutation(256)[: 2 * lanes] * 4).astype(np.uint32)
    before = samples("f", 256, seed=4)
    want = before.copy()
    for repeat in range(2):
        picked = slice(repeat * lanes, repeat * lanes + 20)
        want[offsets[picked] // 4] = source[picked]
    got = SUITES["ascend950"].run("scatter/mask/f", [source, offsets], before, (0, 20, 2, 8))
    same_bits(got, want, nan_payload=True)


def _addresses(repeats: int, per: int, lanes: int, block: int, repeat_stride: int, per_block: int) -> Array:
    """The element index that each element of each repeat has, by strides in blocks."""
    index = np.arange(per)
    chunk, lane = index // lanes, index % lanes
    places = (chunk * 8 * block + lane // per_block * block) * per_block + lane % per_block
    return np.concatenate([places + r * repeat_stride * per_block for r in range(repeats)])


@pytest.mark.parametrize("chip", TYPES)
@pytest.mark.parametrize("name", ["h", "f", "i32"])
def test_gather_mask_packs_built_in_patterns(chip: str, name: str) -> None:
    size = DTYPES[name].itemsize
    lanes, per_block = 256 // size, 32 // size
    source = samples(name, 4096 // size)
    for pattern in range(1, 8):
        for counter, mask, block, repeats, stride in ((0, 0, 1, 3, 8), (0, 0, 2, 1, 0), (1, lanes + 5, 1, 2, 9)):
            per = mask if counter else lanes
            places = _addresses(repeats, per, lanes, block, stride, per_block)
            lane = np.tile(np.arange(per) % lanes, repeats)
            chosen = {1: lane % 2 == 0, 2: lane % 2 == 1, 7: lane >= 0}.get(pattern, lane % 4 == pattern - 3)
            packed = source[places[chosen]]
            before = np.zeros(AREA // size, DTYPES[name])
            got = SUITES[chip].run(
                f"compress/builtin/{name}", [source], before, (pattern, counter, mask, block, repeats, stride, 0)
            )
            same_bits(got[: packed.size], packed, nan_payload=True)
            assert got.view(np.uint32)[2047] == packed.size


@pytest.mark.parametrize("name", ["h", "f", "i32"])
def test_gather_mask_packs_by_a_pattern_of_bits(name: str) -> None:
    size = DTYPES[name].itemsize
    lanes, per_block = 256 // size, 32 // size
    source = samples(name, 4096 // size)
    bits = np.random.default_rng(7).integers(0, 2, 4096).astype(np.uint8)
    pattern = np.packbits(bits, bitorder="little")
    for counter, mask, repeats, stride, pattern_stride in (
        (0, 0, 3, 8, 1),
        (0, 0, 2, 8, 0),
        (1, 70, 2, 4, 0),
        (1, 1, 3, 1, 1),
    ):
        per = mask if counter else lanes
        places = _addresses(repeats, per, lanes, 1, stride, per_block)
        chosen = np.concatenate([bits[r * pattern_stride * 256 :][:per] for r in range(repeats)]).astype(bool)
        packed = source[places[chosen]]
        before = np.zeros(AREA // size, DTYPES[name])
        numbers = (0, counter, mask, 1, repeats, stride, pattern_stride)
        got = SUITES["ascend910b"].run(f"compress/user/{name}", [source, pattern], before, numbers)
        same_bits(got[: packed.size], packed, nan_payload=True)
        assert got.view(np.uint32)[2047] == packed.size


def test_gather_mask_works_in_place() -> None:
    source = samples("h", 512)
    got = SUITES["ascend910b"].run("compress/in place", [source], np.zeros(512, np.float16), (2, 0, 0, 1, 4, 8, 0))
    same_bits(got[:256], source[1::2], nan_payload=True)


def test_gather_mask_refuses_bad_patterns_and_counts() -> None:
    source = samples("h", 128)
    before = np.zeros(AREA // 2, np.float16)
    for pattern, counter in ((0, 0), (8, 0), (1, 1)):
        SUITES["ascend910b"].run(
            "compress/builtin/h", [source], before, (pattern, counter, 0, 1, 1, 8, 0), codes=frozenset({"mask-range"})
        )
