"""Transpose in all its forms (TransposeExt: with TransposeParamsExt) and TransDataTo5HD against NumPy."""

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

EXT = {"ascend910b": ("i8", "u8", "i16", "u16", "h", "i32", "u32", "f"), "ascend950": ("i8", "h", "bf", "f")}
SQUARE = ("i16", "u16", "h")
KINDS = {"nchw": "TransposeType::TRANSPOSE_NCHW2NHWC", "nhwc": "TransposeType::TRANSPOSE_NHWC2NCHW"}


def _cases(chip: str) -> dict[str, str]:
    cases: dict[str, str] = {}
    for name in SQUARE:
        t = CTYPES[name]
        cases[f"square/{name}"] = f"Transpose(D({t}), A({t}));"
    cases["square/in place"] = "Transpose(A(half), A(half)); PipeBarrier<PIPE_ALL>(); DataCopy(D(half), A(half), 256);"
    cases["square/ext"] = (
        "Transpose(D(uint16_t), A(uint16_t), W(uint8_t), TransposeParamsExt(0, 0, uint16_t(p[0]), 16,"
        " TransposeType::TRANSPOSE_ND2ND_B16));"
    )
    for name in EXT[chip]:
        t = CTYPES[name]
        shape = "uint16_t(p[0]), uint16_t(p[1]), uint16_t(p[2]), uint16_t(p[3])"
        for kind, enum in KINDS.items():
            cases[f"{kind}/{name}"] = f"Transpose(D({t}), A({t}), W(uint8_t), TransposeParamsExt({shape}, {enum}));"
        params = "TransDataTo5HDParams{p[0] != 0, p[1] != 0, uint8_t(p[2]), uint16_t(p[3]), uint16_t(p[4])}"
        per = 32 // DTYPES[name].itemsize
        spread = f"for (int i = 0; i < 16; i++) {{ at[i] = @; from[i] = A({t})[i * p[6] * {per}]{{}}; }}"
        target = f"D({t})[i * p[5] * {per}]"
        cases[f"blocks/addresses/{name}"] = (
            "uint64_t at[16], from[16]; "
            + spread.replace("@", f"{target}.GetPhyAddr()").replace("{}", ".GetPhyAddr()")
            + f" TransDataTo5HD<{t}>(at, from, {params});"
        )
        cases[f"blocks/tensors/{name}"] = (
            f"LocalTensor<{t}> at[16], from[16]; "
            + spread.replace("@", target).replace("{}", "")
            + f" TransDataTo5HD<{t}>(at, from, {params});"
        )
    cases["blocks/lists/h"] = (
        "LocalTensor<uint64_t> at = W(uint64_t), from = W(uint64_t)[16];"
        " for (int i = 0; i < 16; i++) { at.SetValue(i, D(half)[i * 16].GetPhyAddr());"
        " from.SetValue(i, A(half)[i * 16].GetPhyAddr()); }"
        " TransDataTo5HD<half>(at, from, TransDataTo5HDParams{false, false, 1, 0, 0});"
    )
    return cases


SUITES = {chip: Suite(f"transpose_{chip}", get_chip(chip), _cases(chip)) for chip in EXT}


@pytest.mark.parametrize("chip", EXT)
def test_square_of_16(chip: str) -> None:
    for name in SQUARE:
        source = samples(name, 256)
        want = source.reshape(16, 16).T.reshape(-1).copy()
        got = SUITES[chip].run(f"square/{name}", [source], np.zeros_like(source))
        same_bits(got, want, nan_payload=True)
    source = samples("h", 256)
    want = source.reshape(16, 16).T.reshape(-1).copy()
    same_bits(SUITES[chip].run("square/in place", [source], np.zeros_like(source)), want, nan_payload=True)
    same_bits(SUITES[chip].run("square/ext", [source], np.zeros_like(source), (16,)), want, nan_payload=True)
    bad = frozenset({"copy-range"})
    SUITES[chip].run("square/ext", [source], np.zeros_like(source), (8,), codes=bad)


@pytest.mark.parametrize("chip", EXT)
def test_planes_to_channels_and_back(chip: str) -> None:
    for name in EXT[chip]:
        per = 32 // DTYPES[name].itemsize
        for n, c, h, w in ((2, 3, 2, per), (1, 2, 1, 2 * per), (1, 1, 4, per // 4), (0, 3, 1, per)):
            source = samples(name, max(n * c * h * w, 16))[: n * c * h * w]
            before = np.zeros(max(source.size, 16), source.dtype)
            want = before.copy()
            want[: source.size] = source.reshape(n, c, h, w).transpose(0, 2, 3, 1).reshape(-1)
            got = SUITES[chip].run(f"nchw/{name}", [source], before, (n, c, h, w))
            same_bits(got, want, nan_payload=True)
            want[: source.size] = source.reshape(n, h, w, c).transpose(0, 3, 1, 2).reshape(-1)
            got = SUITES[chip].run(f"nhwc/{name}", [source], before, (n, c, h, w))
            same_bits(got, want, nan_payload=True)


def test_planes_have_whole_blocks_and_limits() -> None:
    for shape in ((1, 2, 1, 5), (1, 4096, 1, 16), (1, 1, 64, 64)):
        source = samples("h", 16)
        SUITES["ascend910b"].run("nchw/h", [source], source, shape, codes=frozenset({"copy-range"}))


def _blocks(
    name: str, source: Array, before: Array, high: tuple[int, int], repeat: int, spread: tuple[int, int]
) -> Array:
    """The block transposition by its definition."""
    per = 32 // DTYPES[name].itemsize
    out = before.copy().reshape(-1, per)
    blocks = source.reshape(-1, per)
    target = [out[(i * spread[0] + repeat) % len(out)] for i in range(16)]
    rows = np.array([blocks[i * spread[1] + repeat] for i in range(16)])
    for j in range(16):
        if per == 8:
            target[j][:] = rows[(j % 2) * 8 : (j % 2) * 8 + 8, j // 2]
        elif per == 16:
            target[j][:] = rows[:, j]
        else:
            target[j][high[0] * 16 : high[0] * 16 + 16] = rows[:, high[1] * 16 + j]
    return out.reshape(-1)


@pytest.mark.parametrize("chip", EXT)
@pytest.mark.parametrize("form", ["addresses", "tensors"])
def test_block_transposition(chip: str, form: str) -> None:
    for name in EXT[chip]:
        size = DTYPES[name].itemsize
        for high in ((0, 0), (1, 0), (0, 1)) if size == 1 else ((0, 0),):
            source = samples(name, 2048 // size)
            before = samples(name, 2048 // size, seed=1)
            want = _blocks(name, source, before, high, 0, (2, 2))
            got = SUITES[chip].run(f"blocks/{form}/{name}", [source], before, (*high, 1, 0, 0, 2, 2))
            same_bits(got, want, nan_payload=True)
            for repeat in range(3):
                before = _blocks(name, source, before, high, repeat, (4, 4))
            got = SUITES[chip].run(
                f"blocks/{form}/{name}", [source], samples(name, 2048 // size, seed=1), (*high, 3, 1, 1, 4, 4)
            )
            same_bits(got, before, nan_payload=True)


def test_one_repeat_starts_a_stride_further() -> None:
    source = samples("h", 1024)
    before = samples("h", 1024, seed=1)
    want = _blocks("h", source, before, (0, 0), 1, (2, 2))
    got = SUITES["ascend910b"].run("blocks/tensors/h", [source], before, (0, 0, 1, 1, 1, 2, 2))
    same_bits(got, want, nan_payload=True)
    got = SUITES["ascend910b"].run("blocks/lists/h", [source], np.zeros(256, np.float16))
    same_bits(got, source[:256].reshape(16, 16).T.reshape(-1).copy(), nan_payload=True)
