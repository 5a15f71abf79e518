"""Sort32, MrgSort, GetMrgSortResult, Concat, Sort and Extract against NumPy."""

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

CHIPS = ("ascend910b", "ascend950")
NAMES = ("h", "f")


def _cases() -> dict[str, str]:
    cases: dict[str, str] = {}
    for name in NAMES:
        t = CTYPES[name]
        step = 8 // DTYPES[name].itemsize
        lists = ", ".join(f"A({t})[{i} * p[5] * {step}]" for i in range(4))
        lengths = "uint16_t n[4] = {uint16_t(p[0]), uint16_t(p[1]), uint16_t(p[2]), uint16_t(p[3])};"
        counts = (
            "uint16_t r[4]; GetMrgSortResult(r[0], r[1], r[2], r[3]); PipeBarrier<PIPE_ALL>();"
            " for (int i = 0; i < 4; i++) D(uint16_t).SetValue(4088 + i, r[i]);"
        )
        cases[f"sort32/{name}"] = f"Sort32(D({t}), A({t}), B(uint32_t), int32_t(p[0]));"
        cases[f"merge/{name}"] = (
            f"{lengths} MrgSort4Info info(n, p[6] != 0, uint16_t(p[4]), uint16_t(p[7]));"
            f" MrgSort(D({t}), MrgSortSrcList<{t}>({lists}), info); {counts}"
        )
        cases[f"merge/counts/{name}"] = (
            f"{lengths} uint32_t s[4] = {{}};"
            f" MrgSort<{t}, true>(D({t}), MrgSortSrcList<{t}>({lists}), n, s, uint16_t(p[4]), 1);"
            " PipeBarrier<PIPE_ALL>(); for (int i = 0; i < 4; i++) D(uint16_t).SetValue(4088 + i, uint16_t(s[i]));"
        )
        for full in ("true", "false"):
            cases[f"sort/{full}/{name}"] = (
                f"LocalTensor<{t}> prepared, tmp = W({t}); Concat(prepared, A({t}), tmp, int32_t(2 * p[0]));"
                f" Sort<{t}, {full}>(D({t}), prepared, B(uint32_t), tmp, int32_t(p[0]));"
            )
        cases[f"extract/{name}"] = f"Extract(D({t}), D(uint32_t)[1024], A({t}), int32_t(p[0]));"
        cases[f"length/{name}"] = f"D(uint32_t).SetValue(0, GetSortLen<{t}>(10) * 100 + GetSortOffset<{t}>(3));"
    return cases


SUITES = {chip: Suite(f"sort_{chip}", get_chip(chip), _cases()) for chip in CHIPS}


def _scores(name: str, count: int, seed: int = 0) -> Array:
    """Scores with ties, zeros of both signs, infinities and (first in order) NaN."""
    values = samples(name, count, seed)
    values[count // 2 :: 3] = values[1]
    return values


def _order(scores: Array) -> Array:
    """Positions in descending order, NaN first, equal scores as they came."""
    key = np.where(np.isnan(scores), np.inf, scores.astype(np.float64))
    return np.lexsort((np.arange(scores.size), -key, ~np.isnan(scores)))


def _pairs(scores: Array, indices: Array) -> Array:
    """Pairs of 8 bytes; the two bytes behind a half are 0."""
    out = np.zeros((scores.size, 8), np.uint8)
    out[:, : scores.itemsize] = scores.view(np.uint8).reshape(scores.size, scores.itemsize)
    out[:, 4:] = indices.astype(np.uint32).view(np.uint8).reshape(-1, 4)
    return out


def _sorted_pairs(scores: Array, indices: Array) -> Array:
    order = _order(scores)
    return _pairs(scores[order], indices[order])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", NAMES)
def test_sort32_sorts_groups_of_32(chip: str, name: str) -> None:
    scores = _scores(name, 128)
    indices = np.random.default_rng(0).permutation(1 << 20)[:128].astype(np.uint32)
    for repeats in (0, 1, 4):
        want = np.zeros((128, 8), np.uint8)
        for group in range(repeats):
            part = slice(32 * group, 32 * group + 32)
            want[part] = _sorted_pairs(scores[part], indices[part])
        got = SUITES[chip].run(f"sort32/{name}", [scores, indices], np.zeros(1024, np.uint8), (repeats,))
        same_bits(got, want.reshape(-1))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", NAMES)
def test_sort_of_all_and_of_groups(chip: str, name: str) -> None:
    scores = _scores(name, 160, seed=1)
    indices = np.arange(160, dtype=np.uint32)
    whole = _sorted_pairs(scores, indices).reshape(-1)
    groups = np.concatenate(
        [_sorted_pairs(s, i) for s, i in zip(np.split(scores, 5), np.split(indices, 5), strict=True)]
    )
    for full, want in (("true", whole), ("false", groups.reshape(-1))):
        got = SUITES[chip].run(f"sort/{full}/{name}", [scores, indices], np.zeros(1280, np.uint8), (5,))
        same_bits(got, want)


def _lists(name: str, lengths: tuple[int, ...], gap: int) -> tuple[Array, list[Array]]:
    """Descending lists of pairs, each `gap` pairs behind the one before, and each list's pairs."""
    memory = np.zeros((4 * gap, 8), np.uint8)
    lists: list[Array] = []
    for i, length in enumerate(lengths):
        pairs = _sorted_pairs(_scores(name, max(length, 16), seed=i)[:length], np.arange(length) + 1000 * i)
        memory[i * gap : i * gap + length] = pairs
        lists.append(pairs)
    return memory.reshape(-1), lists


def _merged(name: str, lists: list[Array], suspend: bool) -> tuple[Array, list[int]]:
    """Merge by the definition: the largest head goes first, of equal ones that of the earlier list."""
    taken = [0] * len(lists)
    out: list[Array] = []
    while True:
        heads = [i for i, pairs in enumerate(lists) if taken[i] < len(pairs)]
        if not heads or (suspend and len(heads) < len(lists)):
            return np.array(out, np.uint8).reshape(-1, 8), taken
        scores = [lists[i][taken[i]][: DTYPES[name].itemsize].view(DTYPES[name])[0] for i in heads]
        best = heads[int(_order(np.array(scores))[0])]
        out.append(lists[best][taken[best]])
        taken[best] += 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suspend", [False, True])
def test_mrg_sort_merges_lists(chip: str, name: str, suspend: bool) -> None:
    for lengths, valid in (((32, 32, 32, 32), 15), ((5, 40, 17), 7), ((20, 1), 3), ((16, 0, 3, 9), 15)):
        memory, lists = _lists(name, lengths, 64)
        want, taken = _merged(name, lists, suspend)
        given = (*lengths, *[0] * (4 - len(lengths)))
        before = np.zeros(8192, np.uint8)
        got = SUITES[chip].run(f"merge/{name}", [memory], before, (*given, valid, 64, suspend, 1))
        same_bits(got[: want.size], want.reshape(-1))
        assert got[want.size : 8176].max() == 0
        assert got.view(np.uint16)[4088 : 4088 + len(lengths)].tolist() == taken
        if suspend:
            again = SUITES[chip].run(f"merge/counts/{name}", [memory], before, (*given, valid, 64))
            same_bits(again[: want.size], want.reshape(-1))
            assert again.view(np.uint16)[4088 : 4088 + len(lengths)].tolist() == taken


def test_mrg_sort_repeats_over_lists_in_a_row() -> None:
    parts = [_lists("f", (16, 16, 16, 16), 16) for _ in range(2)]
    memory = np.concatenate([part[0] for part in parts])
    want = np.concatenate([_merged("f", part[1], False)[0] for part in parts]).reshape(-1)
    suite = SUITES["ascend910b"]
    got = suite.run("merge/f", [memory], np.zeros(8192, np.uint8), (16, 16, 16, 16, 15, 16, 0, 2))
    same_bits(got[: want.size], want)
    bad = frozenset({"sort-range"})
    for numbers in ((16, 16, 16, 15, 15, 16, 0, 2), (4096, 1, 1, 1, 15, 16, 0, 1), (1, 1, 1, 1, 5, 16, 0, 1)):
        suite.run("merge/f", [memory], np.zeros(8192, np.uint8), numbers, codes=bad)


@pytest.mark.parametrize("name", NAMES)
def test_extract_splits_pairs(name: str) -> None:
    scores = samples(name, 64)
    indices = np.arange(64, dtype=np.uint32) * 7
    got = SUITES["ascend910b"].run(f"extract/{name}", [_pairs(scores, indices)], np.zeros(8192, np.uint8), (2,))
    same_bits(got[: scores.nbytes].view(scores.dtype), scores, nan_payload=True)
    same_bits(got[4096:][: indices.nbytes].view(np.uint32), indices)
    length = SUITES["ascend910b"].run(f"length/{name}", [], np.zeros(1, np.uint32))
    assert length[0] == {"h": 40 * 100 + 12, "f": 20 * 100 + 6}[name]
