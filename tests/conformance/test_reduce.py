"""Reductions: WholeReduceSum WholeReduceMax WholeReduceMin RepeatReduceSum BlockReduceSum BlockReduceMax BlockReduceMin
PairReduceSum ReduceSum ReduceMax ReduceMin GetReduceRepeatSumSpr (GetAccVal) GetReduceRepeatMaxMinSpr
(GetReduceMaxMinCount). Sums are trees whose order the results show."""

from typing import Any

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
SIZE = 2048
MASK = 0x00FF_0000_FFFF_0F01

PRELUDE = """
template <typename T>
void holes(LocalTensor<T> d, LocalTensor<T> a, int which) {
    uint64_t m[2] = {0x00ff0000ffff0f01u, 0};
    if (which == 0) WholeReduceSum(d, a, m, 3, 1, 1, 8);
    if (which == 1) WholeReduceMax(d, a, m, 3, 1, 1, 8);
    if (which == 2) BlockReduceSum(d, a, 3, m, 1, 1, 8);
    if (which == 3) BlockReduceMin(d, a, 3, m, 1, 1, 8);
    if (which == 4) PairReduceSum(d, a, 3, m, 1, 1, 8);
    if (which == 5) ReduceSum(d, a, d, m, 1, 8);
}
"""


def bodies(name: str) -> dict[str, str]:
    c = CTYPES[name]
    d, a, w = f"D({c})", f"A({c})", f"W({c})"
    index = f"D({c}), A({c}), W({c})"
    order = "ReduceOrder::ORDER_"
    return {
        "WholeReduceSum": f"WholeReduceSum({d}, {a}, p[0], p[1], 1, 1, 8);",
        "RepeatReduceSum": f"RepeatReduceSum({d}, {a}, p[1], p[0], 1, 1, 1, 8);",
        "PairReduceSum": f"PairReduceSum({d}, {a}, p[1], p[0], 1, 1, 8);",
        **{f"BlockReduce{x}": f"BlockReduce{x}({d}, {a}, p[1], p[0], 1, 1, 8);" for x in ("Sum", "Max", "Min")},
        **{
            f"WholeReduce{x}/{o}": f"WholeReduce{x}({d}, {a}, p[0], p[1], 1, 1, 8, {order}{o});"
            for x in ("Max", "Min")
            for o in ("VALUE_INDEX", "INDEX_VALUE", "ONLY_VALUE", "ONLY_INDEX")
        },
        "ReduceSum/count": f"ReduceSum({index}, p[0]);",
        "ReduceSum/mask": f"ReduceSum({index}, uint64_t(p[0]), p[1], 8);",
        "ReduceMax/count": f"ReduceMax({index}, p[0], true);",
        "ReduceMin/count": f"ReduceMin({index}, p[0], false);",
        "ReduceMax/mask": f"ReduceMax({index}, uint64_t(p[0]), p[1], 9, true);",
        "holes": f"holes({d}, {a}, p[2]);",
        "GetAccVal": f"ReduceSum({w}, {a}, B({c}), p[0]); SetFlag<HardEvent::V_S>(0); WaitFlag<HardEvent::V_S>(0);"
        f" D({c}).SetValue(0, GetAccVal<{c}>()); SetFlag<HardEvent::S_MTE3>(0); WaitFlag<HardEvent::S_MTE3>(0);",
    }


def integers(name: str) -> dict[str, str]:
    c = CTYPES[name]
    wide = {"i16": "i32", "u16": "u32"}.get(name, name)
    found = {
        "ReduceMax/count": f"ReduceMax(D({c}), A({c}), W({c}), p[0], true);",
        "ReduceMin/count": f"ReduceMin(D({c}), A({c}), W({c}), p[0], true);",
    }
    if DTYPES[name].itemsize < 8:
        found["WholeReduceSum"] = f"WholeReduceSum(D({CTYPES[wide]}), A({c}), p[0], p[1], 1, 1, 8);"
        found["WholeReduceMin"] = f"WholeReduceMin(D({c}), A({c}), p[0], p[1], 1, 1, 8);"
    if DTYPES[name].itemsize > 2:
        found["ReduceSum/count"] = f"ReduceSum(D({c}), A({c}), W({c}), p[0]);"
    return found


INTEGERS = ("i16", "u16", "i32", "u32", "i64", "u64")
CASES = {
    chip: {
        **{f"{name}/{case}": text for name in "hf" for case, text in bodies(name).items()},
        **({f"{n}/{case}": t for n in INTEGERS for case, t in integers(n).items()} if chip == "950" else {}),
        **(
            {
                "f/spr": "WholeReduceMax(W(float), A(float), 64, 5, 1, 1, 8); SetFlag<HardEvent::V_S>(0);"
                " WaitFlag<HardEvent::V_S>(0); float v, i; GetReduceMaxMinCount(v, i); D(float).SetValue(0, v);"
                " D(float).SetValue(1, i); SetFlag<HardEvent::S_MTE3>(0); WaitFlag<HardEvent::S_MTE3>(0);"
            }
            if chip == "A2"
            else {}
        ),
    }
    for chip in CHIP
}
SUITES = {chip: Suite("reduce", CHIP[chip], found, PRELUDE) for chip, found in CASES.items()}


def tree(values: Array) -> Array:
    """Neighbours first, every level rounded to the element type, along the last axis."""
    while values.shape[-1] > 1:
        values = (values[..., 0::2] + values[..., 1::2]).astype(values.dtype)
    return values[..., 0]


def trees(values: Array, width: int) -> Array:
    """A tree of each `width` values, until one is left."""
    while values.size > 1:
        values = tree(np.pad(values, (0, -values.size % width)).reshape(-1, width))
    return values.reshape(1)


def rows(a: Array, mask: int, repeats: int, fill: float) -> Array:
    """Repeats as rows, inactive elements replaced."""
    lanes = 256 // a.itemsize
    table = a[: repeats * lanes].reshape(repeats, lanes).copy()
    table[:, mask:] = fill
    return table


def counted_sum(chip: str, a: Array, count: int) -> Array:
    """The documented order: chips differ in how the repeats meet."""
    lanes = 256 // a.itemsize
    repeats = -(-count // lanes)
    table = np.pad(a[:count], (0, repeats * lanes - count)).reshape(repeats, lanes)
    if chip == "A2":
        sums = tree(table)
        total = sums[:1]
        for r in range(1, repeats):
            total = (total + sums[r : r + 1]).astype(a.dtype)
        return total
    if repeats > 4 or repeats == 1:
        return trees(tree(table), lanes)
    partner = np.arange(lanes) < count - (repeats - 1) * lanes
    before: Array = table[0] if repeats == 2 else table[0] + table[1] if repeats == 3 else table[2]
    met: Array = np.where(partner, before + table[-1], before)
    return tree((table[0] + table[1] + met if repeats == 4 else met).reshape(1, -1))


def index_bits(dtype: np.dtype[Any], index: Array | int) -> Array:
    return np.array(index).astype(f"u{dtype.itemsize}").view(dtype)


def finite(name: str, seed: int = 1) -> Array:
    """Values whose sums depend on their order; some are equal, and both zeros occur."""
    if name not in "hf":
        return samples(name, SIZE, seed)
    generator = np.random.default_rng(seed)
    values = (generator.standard_normal(SIZE) * np.exp2(generator.integers(-6, 6, SIZE))).astype(DTYPES[name])
    values[5::7] = np.round(values[5::7])
    return values


def run(chip: str, name: str, case: str, a: Array, before: Array, numbers: tuple[int, ...]) -> Array:
    return SUITES[chip].run(f"{name}/{case}", [a], before, numbers)


def spliced(before: Array, values: Array) -> Array:
    want = before.copy()
    want[: values.size] = values
    return want


BOTH = [(chip, name) for chip in CHIP for name in "hf"]


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_repeat_reductions(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    lanes = 256 // a.itemsize
    for mask, repeats in ((lanes, 3), (lanes - 5, 2), (1, 1)):
        sums = tree(rows(a, mask, repeats, 0))
        for case in ("WholeReduceSum", "RepeatReduceSum"):
            same_bits(run(chip, name, case, a, before, (mask, repeats)), spliced(before, sums))
        largest = rows(a, mask, repeats, -np.inf)
        at, value = largest.argmax(-1), largest.max(-1)
        pairs = np.stack([value, index_bits(a.dtype, at)], -1)
        whole = "WholeReduceMax"
        got = run(chip, name, f"{whole}/VALUE_INDEX", a, before, (mask, repeats))
        same_bits(got, spliced(before, pairs.ravel()))
        got = run(chip, name, f"{whole}/INDEX_VALUE", a, before, (mask, repeats))
        same_bits(got, spliced(before, pairs[:, ::-1].ravel()))
        got = run(chip, name, f"{whole}/ONLY_VALUE", a, before, (mask, repeats))
        same_bits(got, spliced(before, value))
        got = run(chip, name, f"{whole}/ONLY_INDEX", a, before, (mask, repeats))
        same_bits(got, spliced(before, at.astype(np.uint32).view(a.dtype)))
        smallest = rows(a, mask, repeats, np.inf).min(-1)
        got = run(chip, name, "WholeReduceMin/ONLY_VALUE", a, before, (mask, repeats))
        same_bits(got, spliced(before, smallest))


def kept(chip: str, before: Array, results: Array, alive: Array) -> Array:
    """Results without an active element: left out on chips with single instructions."""
    want = before.copy()
    flat, touched = results.ravel(), alive.ravel() if chip == "A2" else np.ones(alive.size, bool)
    want[: flat.size] = np.where(touched, flat, before[: flat.size])
    return want


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_block_and_pair_reductions(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    lanes = 256 // a.itemsize
    for mask, repeats in ((lanes, 3), (lanes - 3, 2), (lanes // 8, 1)):
        alive: Array = (rows(np.ones_like(a), mask, repeats, 0).reshape(repeats, 8, -1) > 0).max(-1)
        blocks = {fill: rows(a, mask, repeats, fill).reshape(repeats, 8, -1) for fill in (0, np.inf, -np.inf)}
        results = {"Sum": tree(blocks[0]), "Max": blocks[-np.inf].max(-1), "Min": blocks[np.inf].min(-1)}
        for kind, result in results.items():
            got = run(chip, name, f"BlockReduce{kind}", a, before, (mask, repeats))
            same_bits(got, kept(chip, before, result, alive))
        pairs = rows(a, mask, repeats, 0).reshape(repeats, -1, 2)
        alive = (rows(np.ones_like(a), mask, repeats, 0).reshape(repeats, -1, 2) > 0).max(-1)
        got = run(chip, name, "PairReduceSum", a, before, (mask, repeats))
        same_bits(got, kept(chip, before, tree(pairs), alive))


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_mask_arrays(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    lanes = 256 // a.itemsize
    active = np.array([MASK >> i & 1 if i < 64 else 0 for i in range(lanes)], bool)
    table = a[: 3 * lanes].reshape(3, lanes)
    zeroed, low = np.where(active, table, 0).astype(a.dtype), np.where(active, table, -np.inf).astype(a.dtype)
    high = np.where(active, table, np.inf).astype(a.dtype).reshape(3, 8, -1).min(-1)
    pairs = np.stack([low.max(-1), index_bits(a.dtype, low.argmax(-1))], -1)
    blocks = np.broadcast_to(active.reshape(8, -1).any(-1), (3, 8))
    couples = np.broadcast_to(active.reshape(-1, 2).any(-1), (3, lanes // 2))
    wants = [
        spliced(before, tree(zeroed)),
        spliced(before, pairs.ravel()),
        kept(chip, before, tree(zeroed.reshape(3, 8, -1)), blocks),
        kept(chip, before, high, blocks),
        kept(chip, before, tree(zeroed.reshape(3, -1, 2)), couples),
    ]
    for which, want in enumerate(wants):
        same_bits(run(chip, name, "holes", a, before, (0, 0, which)), want)


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_whole_sums(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    lanes = 256 // a.itemsize
    for count in (1, 7, lanes, lanes + 1, 2 * lanes, 3 * lanes - 9, 4 * lanes - 1, 5 * lanes, 11 * lanes + 17):
        total = counted_sum(chip, a, count)
        same_bits(run(chip, name, "ReduceSum/count", a, before, (count,)), spliced(before, total))
        same_bits(run(chip, name, "GetAccVal", a, before, (count,)), spliced(before, total))
    for mask, repeats in ((lanes, 1), (lanes - 3, 5), (lanes, 15)):
        total = trees(tree(rows(a, mask, repeats, 0)), lanes)
        same_bits(run(chip, name, "ReduceSum/mask", a, before, (mask, repeats)), spliced(before, total))


def test_zero_counts_and_nothing_written() -> None:
    a, before = finite("f"), finite("f", 2)
    for case in ("ReduceSum/count", "ReduceMax/count", "ReduceMin/count"):
        same_bits(run("A2", "f", case, a, before, (0,)), before)


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_whole_extremes(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    lanes = 256 // a.itemsize
    for count in (1, lanes - 1, lanes, 3 * lanes + 5, 15 * lanes):
        pair = np.array([a[:count].max(), index_bits(a.dtype, int(a[:count].argmax()))], a.dtype)
        same_bits(run(chip, name, "ReduceMax/count", a, before, (count,)), spliced(before, pair))
        same_bits(
            run(chip, name, "ReduceMin/count", a, before, (count,)), spliced(before, a[:count].min(keepdims=True))
        )
    step = 9 * 32 // a.itemsize
    table = np.stack([a[r * step : r * step + lanes - 2] for r in range(5)])
    row, lane = divmod(int(table.argmax()), lanes - 2)
    pair = np.array([table.max(), index_bits(a.dtype, row * step + lane)], a.dtype)
    same_bits(run(chip, name, "ReduceMax/mask", a, before, (lanes - 2, 5)), spliced(before, pair))


@pytest.mark.parametrize(("chip", "name"), BOTH)
def test_nan_and_infinity(chip: str, name: str) -> None:
    a, before = finite(name), finite(name, 2)
    a[3] = np.inf
    assert run(chip, name, "ReduceSum/count", a, before, (200,))[0] == np.inf
    assert run(chip, name, "ReduceMax/count", a, before, (200,))[0] == np.inf
    a[40] = np.nan
    for case in ("ReduceSum/count", "ReduceMax/count", "ReduceMin/count", "WholeReduceSum", "BlockReduceMax"):
        got = run(chip, name, case, a, before, (64, 1) if "count" not in case else (200,))
        assert np.isnan(got[40 // (32 // a.itemsize) if case.startswith("Block") else 0])
    a[:] = -np.inf
    lowest = -np.inf if chip == "A2" else np.finfo(a.dtype).min
    assert run(chip, name, "ReduceMax/count", a, before, (200,))[0] == lowest


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str) -> None:
    a, before = samples(name, SIZE // 2, 1), samples(name, SIZE // 2, 2)
    lanes = 256 // a.itemsize
    for count in (1, lanes + 3, 5 * lanes):
        for kind in ("max", "min"):
            at = int(getattr(a[:count], f"arg{kind}")())
            got = run("950", name, f"Reduce{kind.capitalize()}/count", a, before, (count,))
            same_bits(got, spliced(before, np.array([a[at], index_bits(a.dtype, at)], a.dtype)))
        if a.itemsize > 2:
            with np.errstate(over="ignore"):
                total = a[:count].sum(dtype=a.dtype, keepdims=True)
            same_bits(run("950", name, "ReduceSum/count", a, before, (count,)), spliced(before, total))
    if a.itemsize == 8:
        return
    table = a[: 2 * lanes].reshape(2, lanes)
    wide = samples({"i16": "i32", "u16": "u32"}.get(name, name), SIZE // 2, 3)
    sums = table[:, : lanes - 1].sum(-1, dtype=wide.dtype)
    same_bits(run("950", name, "WholeReduceSum", a, wide, (lanes - 1, 2)), spliced(wide, sums))
    pairs = np.stack([table.min(-1), index_bits(a.dtype, table.argmin(-1))], -1)
    same_bits(run("950", name, "WholeReduceMin", a, before, (lanes, 2)), spliced(before, pairs.ravel()))


def test_extreme_register() -> None:
    a, before = finite("f"), finite("f", 2)
    pair = np.array([a[:320].max(), index_bits(a.dtype, int(a[:320].argmax()))], a.dtype)
    same_bits(run("A2", "f", "spr", a, before, ()), spliced(before, pair))
