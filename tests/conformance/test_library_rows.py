"""Calls of the high-level library on rows: SoftMax SimpleSoftMax LogSoftMax SoftmaxFlash SoftmaxFlashV2 SoftmaxGrad
SoftmaxGradFront AdjustSoftMaxRes; LayerNorm DeepNorm RmsNorm Normalize WelfordUpdate WelfordFinalize; Sum Mean
ReduceSum ReduceMean ReduceProd ReduceMax ReduceMin ReduceAll ReduceAny (by pattern) ReduceXorSum; TopK; AscendQuant
AscendDequant; Select (by bytes) DropOut CumSum; ReduceRepeat ReduceDataBlock ReducePairElem.

Results are NumPy's in double precision, rounded to float and then to the type.
"""

import re
from typing import Any

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

CHIP = get_chip("ascend910b")
ROWS, PITCH, USED = 5, 16, 13
COUNT = ROWS * PITCH

PRELUDE = """
static constexpr SoftmaxConfig narrow{true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
static constexpr LayerNormConfig plain{true, true};
static constexpr CumSumConfig along{true, false, true}, down{false, false, true};
static constexpr WelfordUpdateConfig inplace{true};

template <typename T>
SoftMaxTiling softmaxShape() {
    SoftMaxTiling tiling;
    tiling.srcM = 5;
    tiling.srcK = 16;
    return tiling;
}
template <typename Tiling>
Tiling normShape() {
    Tiling tiling{};
    tiling.bLength = 1;
    tiling.sLength = 5;
    tiling.hLength = 16;
    tiling.originalHLength = 13;
    return tiling;
}
static constexpr uint32_t matrix[2] = {5, 13};
static constexpr uint32_t halves[2] = {5, 16};
using AR = Pattern::Reduce::AR;
using RA = Pattern::Reduce::RA;
"""


def bodies(name: str) -> dict[str, str]:
    c = CTYPES[name]
    d, a, b, x = (f"{area}({c})" for area in "DABC")
    tmp, shape = "W(uint8_t)", "{5, 16, 5, 13}"
    tiling = f"softmaxShape<{c}>()"
    results = f"{d}, {d}[128], {d}[384]"
    flash = f"{results}, {a}, {d}[640], {b}, {x}"
    return {
        "SoftMax": f"SoftMax<{c}>({results}, {a}, {tmp}, {tiling}, {shape});",
        "SoftMax/alone": f"SoftMax<{c}>({d}, {a}, {tiling}, {shape});",
        "SoftMax/narrow": f"SoftMax<{c}, false, false, false, narrow>({d}, {d}[128], {d}[256], {a},"
        f" {tiling}, {shape});",
        "SimpleSoftMax": f"SimpleSoftMax({d}, {b}, {x}, {a}, {tmp}, {tiling}, {shape});",
        "LogSoftMax": f"LogSoftMax({results}, {a}, {tmp}, {tiling}, {shape});",
        "SoftmaxFlash": f"SoftmaxFlash<{c}>({flash}, {tmp}, {tiling}, true, {shape});",
        "SoftmaxFlashV2": f"SoftmaxFlashV2<{c}, true>({flash}, {tiling}, {shape});",
        "SoftmaxFlashV2/first": f"SoftmaxFlashV2<{c}, false>({flash}, {tmp}, {tiling}, {shape});",
        "SoftmaxGrad": f"SoftmaxGrad<{c}>({d}, {a}, {b}, {tmp}, {tiling}, false, {shape});",
        "SoftmaxGradFront": f"SoftmaxGradFront<{c}>({d}, {a}, {b}, {tiling}, {shape});",
        "LayerNorm": f"auto t = normShape<LayerNormTiling>();"
        f" LayerNorm({results}, {a}, {b}, {x}, {tmp}, {c}(0.25f), t);",
        "DeepNorm": f"auto t = normShape<DeepNormTiling>();"
        f" DeepNorm({results}, {a}, {b}[512], {x}, {b}, {tmp}, {c}(1.5f), {c}(0.25f), t);",
        "RmsNorm": f"RmsNorm({d}, {a}, {b}, {tmp}, {c}(0.25f), normShape<RmsNormTiling>());",
        "LayerNorm/rows": f"LayerNorm<{c}, {c}>({d}, D(float)[512], D(float)[640], {a}, {b}, {x}, 0.25f, {tmp},"
        " LayerNormPara{5, 13, 16}, LayerNormSeparateTiling{});",
        "LayerNorm/plain": f"LayerNorm<{c}, {c}, false, plain>({d}, D(float)[512], D(float)[640], {a}, {b}, {x}, 0.25f,"
        " LayerNormPara{5, 13, 16}, LayerNormSeparateTiling{});",
        "Normalize": f"Normalize<{c}, {c}>({d}, D(float)[512], C(float)[256], C(float)[512], {a}, {b}, {x}, {tmp},"
        " 0.25f, NormalizePara{5, 13, 16});",
        "Sum": f"Sum({d}, {a}, {tmp}, SumParams{{5, 16, 13}});",
        "Mean": f"Mean({d}, {a}, MeanParams{{5, 16, 13}});",
        "TopK": f"TopK<{c}>({d}, D(int32_t)[512], {a}, B(int32_t), C(bool), {tmp}, 5, TopkTiling{{}},"
        " TopKInfo{2, 32, 30});",
        "TopK/smallest": f"TopK<{c}, true, true>({d}, D(int32_t)[512], {a}, B(int32_t), C(bool), 5, TopkTiling{{}},"
        " TopKInfo{2, 32, 30}, false);",
        "TopK/small": f"TopK<{c}, true, false, false, TopKMode::TOPK_NSMALL>({d}, D(int32_t)[512], {a}, B(int32_t),"
        f" C(bool), {tmp}, 5, TopkTiling{{}}, TopKInfo{{2, 32, 30}});",
        "AscendQuant": f"AscendQuant({'D(int8_t)'}, {a}, {tmp}, 2.0f, 0.9f, p[0]);",
        "AscendQuant/channels": f"AscendQuant<{c}>(D(int8_t), {a}, {b}, {x}, 16, 16, p[0]);",
        "Select": f"Select({d}, {a}, {c}(2), B(uint8_t), {tmp}, SelectWithBytesMaskShapeInfo());",
        "Select/bytes": "SelectWithBytesMaskShapeInfo i; i.firstAxis = 5; i.srcLastAxis = 16; i.maskLastAxis = 32;"
        f" Select({d}, {a}, {c}(2), B(uint8_t), {tmp}, i); PipeBarrier<PIPE_V>();"
        f" Select({d}[128], {c}(2), {a}, C(uint8_t), {tmp}, i);",
        "DropOut": f"DropOutShapeInfo i; i.firstAxis = 5; i.srcLastAxis = 16; i.maskLastAxis = 16;"
        f" DropOut({d}, {a}, B(uint8_t), {tmp}, 0.5f, i);",
        "DropOut/bits": f"DropOutShapeInfo i; i.firstAxis = 5; i.srcLastAxis = 16; i.maskLastAxis = 2;"
        f" DropOut<{c}, false, 3>({d}, {a}, B(uint8_t), 0.5f, i);",
        "CumSum": f"CumSum<{c}, along>({d}, {d}[128], {a}, {tmp}, CumSumInfo{{5, 16}});",
        "CumSum/down": f"CumSum<{c}, down>({d}, {d}[128], {a}, CumSumInfo{{5, 16}});",
        "ReduceRepeat": f"ReduceRepeat<ReduceType::SUM>({d}, {a}, 50, 3, 1, 1, 8);"
        f" ReduceRepeat<ReduceType::MAX>({d}[16], {a}, 50, 3, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);",
        "ReduceDataBlock": f"ReduceDataBlock<ReduceType::MIN>({d}, {a}, {256 // DTYPES[name].itemsize}, 2, 1, 1, 8);",
        "ReducePairElem": f"uint64_t m[2] = {{~0ull, {'~0ull' if name == 'h' else '0'}}};"
        f" ReducePairElem<ReduceType::SUM>({d}, {a}, m, 2, 1, 1, 8);",
        "ReduceMax/pattern": f"ReduceMax<{c}, AR>({d}, {a}, {tmp}, matrix, true);"
        f" ReduceMin<{c}, RA>({d}[64], {a}, matrix, true);",
    }


FLOAT_ONLY = {
    "ReduceSum": "ReduceSum<float, AR>(D(float), A(float), W(uint8_t), matrix, true);"
    " ReduceSum<float, RA, true>(D(float)[64], A(float), matrix, true);",
    "ReduceMean": "ReduceMean<float, AR>(D(float), A(float), matrix, true);",
    "ReduceProd": "ReduceProd<float, RA>(D(float), A(float), W(uint8_t), halves, true);",
    "ReduceAll": "ReduceAll<float, AR>(D(float), A(float), matrix, true);"
    " ReduceAny<float, RA>(D(float)[64], A(float), W(uint8_t), matrix, true);",
    "WelfordUpdate": "WelfordUpdate<half, float, false, inplace>(D(float), D(float)[64], B(float), C(float), A(half),"
    " W(uint8_t), WelfordUpdateParam{1, 64, 35, 0.125f});",
    "WelfordFinalize": "WelfordFinalizePara s{3, 64, 3, 64, 0, 0, 1.0f / 64, 1.0f / 192, 0};"
    " WelfordFinalize(D(float), D(float)[64], B(float), C(float), W(uint8_t), s);"
    " WelfordFinalizePara t{3, 64, 3, 40, 2, 24, 1.0f / 64, 1.0f / 168, 0};"
    " WelfordFinalize(D(float)[128], D(float)[192], B(float), C(float), t);"
    " WelfordFinalize(D(float)[256], D(float)[320], B(float), C(float), A(int32_t), t);",
    "Adjust": "bool found = AdjustSoftMaxRes<float, float>(D(float), A(float), 0xFF7FFFFF, 7.0f, {5, 16, 5, 16});"
    " SetFlag<HardEvent::V_S>(0); WaitFlag<HardEvent::V_S>(0); D(float).SetValue(100, found);"
    " SetFlag<HardEvent::S_MTE3>(0); WaitFlag<HardEvent::S_MTE3>(0);",
    "Dequant": "AscendDequant(D(half), A(int32_t), B(uint64_t), W(uint8_t), DequantParams{5, 16, 13});",
    "Dequant/scalar": "AscendDequant(D(bfloat16_t), A(int32_t), 0.5f, DequantParams{1, 80, 16});",
    "mixed": "SoftMax(D(half), D(float)[128], D(float)[384], A(half), softmaxShape<half>());",
    "ReduceXorSum": "ReduceXorSum(D(int16_t), A(int16_t), B(int16_t), W(uint8_t), p[0]);",
    "bad": "Sum(D(float), A(float), SumParams{5, 13, 13});"
    " RmsNorm(D(float), A(float), B(float), 0.25f, RmsNormTiling{});",
}
CASES = {
    **{f"{name}/{case}": text for name in "hf" for case, text in bodies(name).items() if case != "Select"},
    **FLOAT_ONLY,
}
SUITE = Suite("library_rows", CHIP, CASES, PRELUDE)
PADDED = re.compile(r"/(SoftMax|SimpleSoftMax|LogSoftMax|Softmax(Flash|FlashV2|Grad)|\w+Norm|Normalize)(/|$)")
NAMES = pytest.mark.parametrize("name", ["h", "f"])


def numbers(name: str, seed: int = 0, count: int = COUNT) -> Array:
    return (np.random.default_rng(seed).normal(0, 2, count)).astype(DTYPES[name])


def rounded(values: Array, name: str) -> Array:
    return values.astype(np.float32).astype(DTYPES[name])


def run(case: str, *sources: Array, size: int = 1024, name: str = "f", codes: frozenset[str] = frozenset()) -> Array:
    """Run a case; the suite stores the padding of rows too, which is undefined."""
    if PADDED.search(case):
        codes = frozenset({"ub-uninitialized"})
    return SUITE.run(case, list(sources), np.zeros(size, DTYPES[name]), (COUNT,), codes=codes)


def table(flat: Array, used: int = USED) -> Array:
    """The used part of the rows, in double precision."""
    return flat[:COUNT].reshape(ROWS, PITCH)[:, :used].astype(np.float64)


def blocks(column: Array, name: str) -> Array:
    """A value of each row, repeated over a block."""
    return np.repeat(rounded(column, name), 32 // DTYPES[name].itemsize)


def same_rows(got: Array, want: Array, name: str) -> None:
    same_bits(got[:COUNT].reshape(ROWS, PITCH)[:, :USED], rounded(want, name))


def softmax(x: Array) -> tuple[Array, Array, Array]:
    largest = x.max(1, keepdims=True)
    powers = np.exp(x - largest)
    total = sequential(powers)
    return powers / total, total, largest


def sequential(x: Array) -> Array:
    """Row sums from left to right."""
    return np.cumsum(x, axis=1)[:, -1:]


@NAMES
def test_softmax(name: str) -> None:
    a = numbers(name)
    shares, total, largest = softmax(table(a))
    for case in ("SoftMax", "SoftMax/alone"):
        same_rows(run(f"{name}/{case}", a, name=name), shares, name)
    got = run(f"{name}/SoftMax", a, name=name)
    same_bits(got[128 : 128 + blocks(total, name).size], blocks(total, name))
    same_bits(got[384 : 384 + blocks(total, name).size], blocks(largest, name))
    got = run(f"{name}/SoftMax/narrow", a, name=name)
    same_bits(got[128:133], rounded(total[:, 0], name))
    same_bits(got[256:261], rounded(largest[:, 0], name))
    same_rows(run(f"{name}/LogSoftMax", a, name=name), np.log10(shares), name)
    sums, tops = numbers(name, 1)[:ROWS], numbers(name, 2)[:ROWS]
    sums = np.abs(sums) + np.ones_like(sums)
    got = run(f"{name}/SimpleSoftMax", a, blocks(sums, name), blocks(tops, name), name=name)
    wide = [v.astype(np.float64)[:, None] for v in (sums, tops)]
    same_rows(got, np.exp(table(a) - wide[1]) / wide[0], name)


def test_softmax_of_half_with_float_sums() -> None:
    a = numbers("h")
    shares, total, largest = softmax(table(a, PITCH))
    got = run("mixed", a)
    same_bits(got.view(np.float16)[:COUNT], rounded(shares, "h").ravel())
    same_bits(got[128:168], blocks(total, "f"))
    same_bits(got[384:424], blocks(largest, "f"))


@NAMES
def test_softmax_in_pieces(name: str) -> None:
    a = numbers(name)
    before = np.abs(numbers(name, 1)[:ROWS]) + np.ones(ROWS, DTYPES[name])
    tops = numbers(name, 2)[:ROWS]
    x, in_sum, in_max = table(a), before.astype(np.float64)[:, None], tops.astype(np.float64)[:, None]
    largest = np.maximum(x.max(1, keepdims=True), in_max)
    factor = np.exp(in_max - largest)
    powers = np.exp(x - largest)
    total = factor * in_sum + sequential(powers)
    sources = (a, blocks(before, name), blocks(tops, name))
    width = ROWS * 32 // DTYPES[name].itemsize
    for case, result, carried in (
        ("SoftmaxFlashV2", powers, factor),
        ("SoftmaxFlash", powers / total, factor * in_sum / total),
    ):
        got = run(f"{name}/{case}", *sources, name=name)
        same_rows(got, result, name)
        same_bits(got[128 : 128 + width], blocks(total, name))
        same_bits(got[384 : 384 + width], blocks(largest, name))
        same_bits(got[640 : 640 + width], blocks(carried, name))
    _, total, largest = softmax(x)
    got = run(f"{name}/SoftmaxFlashV2/first", *sources, name=name)
    same_rows(got, np.exp(x - largest), name)
    same_bits(got[128 : 128 + width], blocks(total, name))
    assert not got[640 : 640 + width].any()


@NAMES
def test_gradient_of_softmax(name: str) -> None:
    a, b = numbers(name, 1), numbers(name, 2)
    products = sequential(table(a) * table(b))
    same_rows(run(f"{name}/SoftmaxGrad", a, b, name=name), (table(a) - products) * table(b), name)
    got = run(f"{name}/SoftmaxGradFront", a, b, name=name)
    same_bits(got[: ROWS * 32 // DTYPES[name].itemsize], blocks(products, name))


def test_adjusted_rows() -> None:
    result, lowest = numbers("f"), np.finfo(np.float32).min
    tops = np.repeat(np.array([1, lowest, 2, 3, lowest], np.float32), 8)
    before = np.zeros(128, np.float32)
    before[:COUNT] = result
    want = before.copy()
    want[:COUNT].reshape(ROWS, PITCH)[[1, 4]] = 7
    want[100] = 1
    same_bits(SUITE.run("Adjust", [tops], before), want)
    want = before.copy()
    same_bits(SUITE.run("Adjust", [np.ones(40, np.float32)], before), want)


def moments(x: Array) -> tuple[Array, Array]:
    """The mean and the variance of rows as sums of shares, from left to right."""
    mean = sequential(x / x.shape[1])
    return mean, sequential((x - mean) * (x - mean) / x.shape[1])


@NAMES
def test_norms(name: str) -> None:
    a, gamma, beta = (numbers(name, seed) for seed in (1, 2, 3))
    x, scale, shift = table(a), gamma[:USED].astype(np.float64), beta[:USED].astype(np.float64)
    mean, variance = moments(x)
    want = (x - mean) * (1 / np.sqrt(variance + 0.25)) * scale + shift
    got = run(f"{name}/LayerNorm", a, gamma, beta, name=name)
    same_rows(got, want, name)
    same_bits(got[128:133], rounded(mean[:, 0], name))
    same_bits(got[384:389], rounded(variance[:, 0], name))
    for case, result in (("rows", want), ("plain", (x - mean) * (1 / np.sqrt(variance + 0.25)))):
        got = run(f"{name}/LayerNorm/{case}", a, gamma, beta, name=name, size=2048)
        same_rows(got, result, name)
        floats = got.view(np.float32)
        same_bits(floats[512:517], rounded(mean[:, 0], "f"))
        same_bits(floats[640:645], rounded(1 / np.sqrt(variance + 0.25)[:, 0], "f"))
    squares = sequential(x * x) / USED
    same_rows(run(f"{name}/RmsNorm", a, gamma, name=name), x * (1 / np.sqrt(squares + 0.25)) * scale, name)


@NAMES
def test_norms_of_sums_and_of_known_moments(name: str) -> None:
    a, gx, beta = (numbers(name, seed) for seed in (1, 2, 3))
    gamma = numbers(name, 4, PITCH)
    scale, shift = gamma[:USED].astype(np.float64), beta[:USED].astype(np.float64)
    x = 1.5 * table(a) + table(gx)
    mean, variance = moments(x)
    second = np.zeros(512 + COUNT, DTYPES[name])
    second[:PITCH], second[512:] = gamma, gx
    got = run(f"{name}/DeepNorm", a, second, beta, name=name)
    same_rows(got, (x - mean) * (1 / np.sqrt(variance + 0.25)) * scale + shift, name)
    same_bits(got[384:389], rounded(variance[:, 0], name))
    known = np.zeros(520, np.float32)
    known[256:261], known[512:517] = np.arange(5), np.arange(5) + 1
    third = known.view(DTYPES[name]).copy()
    third[:PITCH] = beta[:PITCH]
    rstd = 1 / np.sqrt(known[512:517].astype(np.float64) + 0.25)
    got = run(f"{name}/Normalize", a, gamma, third, name=name, size=2048)
    same_rows(got, (table(a) - np.arange(5)[:, None]) * rstd[:, None] * scale + shift, name)
    same_bits(got.view(np.float32)[512:517], rounded(rstd, "f"))


def test_moments_in_pieces() -> None:
    x, mean, squares = numbers("h", 1, 64), numbers("f", 2, 64), np.abs(numbers("f", 3, 64))
    got = run("WelfordUpdate", x, mean, squares)
    before, value = mean.astype(np.float64), x.astype(np.float64)
    now = (before + (value - before) * 0.125).astype(np.float32)
    more = (squares + (value - before) * (value - now.astype(np.float64))).astype(np.float32)
    same_bits(got[:64], np.where(np.arange(64) < 35, now, mean))
    same_bits(got[64:128], np.where(np.arange(64) < 35, more, squares))
    counts = np.random.default_rng(4).integers(1, 5, 64).astype(np.int32)
    got = run("WelfordFinalize", counts, mean, squares)
    parts: list[tuple[int, Array, Any]] = [
        (0, np.full(64, 3.0), np.float32(1 / 192)),
        (128, np.where(np.arange(64) < 40, 3.0, 2.0), np.float32(1 / 168)),
        (256, counts.astype(np.float64), np.float32(1 / 168)),
    ]
    for at, count, share in parts:
        each = np.full(64, np.float64(np.float32(1 / 64))) if at == 0 else count * np.float64(share)
        center = np.cumsum(before * each)[-1]
        total = np.cumsum(squares.astype(np.float64) + count * (before - center) * (before - center))[-1]
        same_bits(got[at : at + 1], np.array([center]).astype(np.float32))
        same_bits(got[at + 64 : at + 65], np.array([total * np.float64(share)], np.float32))


def tree(values: Array) -> Array:
    """Neighbours first, every level rounded."""
    padded = np.zeros((*values.shape[:-1], 256 // values.itemsize), values.dtype)
    padded[..., : values.shape[-1]] = values
    while padded.shape[-1] > 1:
        padded = (padded[..., 0::2] + padded[..., 1::2]).astype(values.dtype)
    return padded[..., 0]


@NAMES
def test_sums_and_means_of_rows(name: str) -> None:
    a = numbers(name)
    sums = tree(a.reshape(ROWS, PITCH)[:, :USED])
    same_bits(run(f"{name}/Sum", a, name=name)[:ROWS], sums)
    same_bits(run(f"{name}/Mean", a, name=name)[:ROWS], rounded(sums.astype(np.float64) / USED, name))
    assert run("bad", a, codes=frozenset({"count-range"})).any() == 0


def test_reductions_by_pattern() -> None:
    a = numbers("f")
    padded = np.zeros(128, np.float32)
    padded[:COUNT] = a
    x = table(a)
    got = run("ReduceSum", a)
    same_bits(got[:ROWS], rounded(sequential(x)[:, 0], "f"))
    same_bits(got[64 : 64 + USED], rounded(sequential(x.T)[:, 0], "f"))
    same_bits(run("ReduceMean", a)[:ROWS], rounded(sequential(x)[:, 0] / USED, "f"))
    same_bits(run("ReduceProd", a)[:PITCH], rounded(np.cumprod(table(a, PITCH), axis=0)[-1], "f"))
    bits = (a > -1).astype(np.float32)
    got = run("ReduceAll", bits)
    same_bits(got[:ROWS], rounded(table(bits).min(1), "f"))
    same_bits(got[64 : 64 + USED], rounded(table(bits).max(0), "f"))
    for name in ("h", "f"):
        b = numbers(name)
        got = run(f"{name}/ReduceMax/pattern", b, name=name)
        same_bits(got[:ROWS], rounded(table(b).max(1), name))
        same_bits(got[64 : 64 + USED], rounded(table(b).min(0), name))


def test_sum_of_exclusive_ors_saturates() -> None:
    a, b = samples("i16", COUNT, 1), samples("i16", COUNT, 2)
    want = np.clip((a ^ b).astype(np.int64).sum(), -32768, 32767)
    assert run("ReduceXorSum", a, b, name="i16", size=16)[0] == want


@NAMES
def test_top_k(name: str) -> None:
    a = numbers(name, 1, 64).round(0)
    a[[3, 40]] = np.nan
    x = a.reshape(2, 32)[:, :30].astype(np.float64)
    order = np.argsort(np.where(np.isnan(x), -np.inf, -x), axis=1, kind="stable")[:, :5]
    got = run(f"{name}/TopK", a, name=name, size=2048)
    pitch = 8 * 4 // DTYPES[name].itemsize
    same_bits(got[: 2 * pitch].reshape(2, pitch)[:, :5], np.take_along_axis(a.reshape(2, 32), order, 1))
    assert np.array_equal(got.view(np.int32)[512:528].reshape(2, 8)[:, :5], order)
    low = np.argsort(np.where(np.isnan(x), -np.inf, x), axis=1, kind="stable")[:, :5]
    labels = np.arange(100, 164, dtype=np.int32)
    got = run(f"{name}/TopK/smallest", a, labels, np.array([False, True]), name=name, size=2048)
    indices = got.view(np.int32)[512:528].reshape(2, 8)[:, :5]
    assert np.array_equal(indices[0], low[0] + 100)
    assert np.array_equal(indices[1], [30] * 5)
    got = run(f"{name}/TopK/small", a, labels, name=name, size=2048)
    assert np.array_equal(got.view(np.int32)[512:522], np.concatenate([order[0] + 100, order[1] + 132]))
    same_bits(got[:10], np.take_along_axis(a.reshape(2, 32), order, 1).ravel())


@NAMES
def test_quantisation(name: str) -> None:
    a, b, c = (numbers(name, seed) * DTYPES[name].type(20) for seed in (1, 2, 3))
    half = a.astype(np.float16)

    def quantised(scale: Array, offset: Array) -> Array:
        return np.clip(np.rint((half * scale).astype(np.float16) + offset), -128, 127).astype(np.int8)

    got = SUITE.run(f"{name}/AscendQuant", [a], np.zeros(256, np.int8), (COUNT,))
    same_bits(got[:COUNT], quantised(np.full(COUNT, 2, np.float16), np.full(COUNT, 0.9, np.float16)))
    got = SUITE.run(f"{name}/AscendQuant/channels", [a, b, c], np.zeros(256, np.int8), (COUNT,))
    same_bits(got[:COUNT], quantised(*(np.tile(v[:16].astype(np.float16), ROWS) for v in (b, c))))


def test_dequantisation() -> None:
    a = np.random.default_rng(1).integers(-(2**25), 2**25, COUNT).astype(np.int32)
    scales = (np.abs(numbers("f", 2, 16)) / 2**20).astype(np.float32)
    packed = scales.view(np.uint32).astype(np.uint64) | np.uint64(5 << 32)
    got = SUITE.run("Dequant", [a, packed], np.zeros(256, np.float16), codes=frozenset({"ub-uninitialized"}))
    want = (a.reshape(ROWS, PITCH).astype(np.float32) * scales)[:, :USED]
    same_rows(got, want, "h")
    got = SUITE.run("Dequant/scalar", [a], np.zeros(256, DTYPES["bf"]))
    same_bits(got[:COUNT], (a.astype(np.float32) * np.float32(0.5)).astype(DTYPES["bf"]))


@NAMES
def test_selection_by_bytes_and_drop_out(name: str) -> None:
    a = numbers(name)
    mask, other = (np.random.default_rng(s).integers(0, 2, (ROWS, 32)).astype(np.uint8) for s in (1, 2))
    got = run(f"{name}/Select/bytes", a, mask, other, name=name)
    two = DTYPES[name].type(2)
    same_bits(got[:COUNT], np.where(mask[:, :PITCH].ravel() == 0, a, two))
    same_bits(got[128 : 128 + COUNT], np.where(other[:, :PITCH].ravel() == 0, two, a))
    kept = np.random.default_rng(3).integers(0, 2, (ROWS, PITCH)).astype(np.uint8)
    want = a * two * kept.ravel().astype(a.dtype) + np.zeros_like(a)
    same_bits(run(f"{name}/DropOut", a, kept, name=name)[:COUNT], want)
    packed = np.packbits(kept, axis=1, bitorder="little")
    same_bits(run(f"{name}/DropOut/bits", a, packed, name=name)[:COUNT], want)


@NAMES
def test_running_sums(name: str) -> None:
    a = numbers(name)
    x = a.reshape(ROWS, PITCH)
    for case, axis, last in (("CumSum", 1, (slice(None), -1)), ("CumSum/down", 0, (-1, slice(None)))):
        sums = np.add.accumulate(x, axis=axis)
        got = run(f"{name}/{case}", a, name=name)
        same_bits(got[:COUNT], sums.ravel())
        same_bits(got[128 : 128 + sums[last].size], sums[last])


@NAMES
def test_reductions_that_name_their_operation(name: str) -> None:
    lanes = 256 // DTYPES[name].itemsize
    a = numbers(name, 1, 3 * lanes)
    x = a.reshape(3, lanes)
    got = run(f"{name}/ReduceRepeat", a, name=name)
    same_bits(got[:3], tree(x[:, :50]))
    same_bits(got[16:19], x[:, :50].max(1))
    got = run(f"{name}/ReduceDataBlock", a, name=name)
    same_bits(got[:16], x[:2].reshape(16, -1).min(1))
    got = run(f"{name}/ReducePairElem", a, name=name)
    same_bits(got[:lanes], (x[:2, 0::2] + x[:2, 1::2]).ravel())
