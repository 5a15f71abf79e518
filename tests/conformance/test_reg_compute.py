"""Arithmetic, comparison and reduction of the register level against NumPy, in every dtype of the chip table."""

import operator
from collections.abc import Callable
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, is_float, same_bits, samples
from reg_support import BYTES, CHIP, PRELUDE, active, mask_bits, packed

SEEDS = (0, 1, 7)
UNARY = ("Abs", "Neg", "Relu", "Not", "Exp", "Ln", "Log", "Log2", "Log10", "Sqrt")
BINARY = ("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "Xor", "Prelu", "AbsSub", "MulAddDst", "MulDstAdd")
SCALAR = ("Adds", "Maxs", "Mins", "Muls", "LeakyRelu", "Axpy", "ShiftLefts", "ShiftRights")
SHIFT = ("ShiftLeft", "ShiftRight")
COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "LT": operator.lt,
    "GT": operator.gt,
    "EQ": operator.eq,
    "LE": operator.le,
    "GE": operator.ge,
    "NE": operator.ne,
}
FACTOR = 3


def _types(api: str) -> list[str]:
    return sorted(row[0] for row in CHIP.register_dtypes[api.removesuffix("s") if "Shift" in api else api])


def _lanewise() -> dict[str, str]:
    cases: dict[str, str] = {}
    for api in (*UNARY, *BINARY, *SCALAR, *SHIFT):
        for name in _types(api):
            t = CTYPES[name]
            args = {"U": "z, x, m", "B": "z, x, y, m", "S": f"z, x, {FACTOR}, m"}
            kind = "U" if api in UNARY else "S" if api in SCALAR else "B"
            if api in SHIFT:
                signed = CTYPES[name.replace("u", "i")]
                args["B"] = f"z, x, (Reg::RegTensor<{signed}>&)y, m"
            cases[f"{api}/{name}"] = f"ONE({t}, {t}, Reg::{api}({args[kind]}))"
    for api in ("Add", "Max", "Min"):
        cases[f"{api}/merging"] = f"ONE(float, float, Reg::{api}<float, Reg::MaskMergeMode::MERGING>(z, x, y, m))"
    cases["Exp/exact"] = (
        "static constexpr Reg::ExpSpecificMode mode{Reg::MaskMergeMode::ZEROING,"
        " Reg::ExpAlgo::PRECISION_1ULP_FTZ_FALSE}; ONE(float, float, Reg::Exp<float, &mode>(z, x, m))"
    )
    return cases


def _compared() -> dict[str, str]:
    cases: dict[str, str] = {}
    for mode in COMPARE:
        for name in _types("Compare") if mode == "LT" else ("f",):
            t = CTYPES[name]
            cases[f"Compare/{mode}/{name}"] = (
                f"ONE({t}, {t}, Reg::MaskReg q; Reg::Compare<{t}, CMPMODE::{mode}>(q, x, y, m);"
                " Reg::Not(q, q, m); Reg::Not(q, q, m); Reg::Select(z, x, y, q))"
            )
    cases["Compares"] = (
        "ONE(float, float, Reg::MaskReg q; Reg::Compares<float, CMPMODE::GT>(q, x, 0.5f, m); Reg::Select(z, x, y, q))"
    )
    return cases


def _reduced() -> dict[str, str]:
    cases: dict[str, str] = {}
    for dst, src in sorted(CHIP.register_dtypes["ReduceSum"]):
        cases[f"Sum/{dst}/{src}"] = f"ONE({CTYPES[dst]}, {CTYPES[src]}, Reg::Reduce<Reg::ReduceType::SUM>(z, x, m))"
    for dst, src in sorted(CHIP.register_dtypes["ReduceDataBlockSum"]):
        body = "Reg::ReduceDataBlock<Reg::ReduceType::SUM>(z, x, m)"
        cases[f"BlockSum/{dst}/{src}"] = f"ONE({CTYPES[dst]}, {CTYPES[src]}, {body})"
    for name in _types("ReduceMax"):
        cases[f"Max1/{name}"] = f"ONE({CTYPES[name]}, {CTYPES[name]}, Reg::ReduceMax(z, x, m))"
    for name in _types("ReduceDataBlockMax"):
        cases[f"BlockMin/{name}"] = f"ONE({CTYPES[name]}, {CTYPES[name]}, Reg::ReduceMinWithDataBlock(z, x, m))"
    for name in _types("PairReduceElem"):
        cases[f"Pair/{name}"] = f"ONE({CTYPES[name]}, {CTYPES[name]}, Reg::PairReduceElem(z, x, m))"
    return cases


def _fused_cases() -> dict[str, str]:
    cases: dict[str, str] = {}
    for layout in ("ZERO", "ONE"):
        arguments = f"float, half, Reg::RegLayout::{layout}"
        cases[f"ExpSub/{layout}"] = f"ONE(float, half, Reg::ExpSub<{arguments}>(z, x, y, m))"
        cases[f"MulsCast/{layout}"] = (
            f"ONE(half, float, Reg::MulsCast<half, float, float, Reg::RegLayout::{layout}>(z, x, 0.3f, m))"
        )
    for name in ("i32", "u32"):
        t = CTYPES[name]
        cases[f"Mull/{name}"] = (
            f"ONE({t}, {t}, Reg::RegTensor<{t}> low; Reg::Mull(low, z, x, y, m); Reg::Xor(z, z, low, m))"
        )
        for api in ("Add", "Sub"):
            cases[f"{api}C/{name}"] = (
                f"ONE({t}, {t}, Reg::MaskReg q; Reg::{api}(q, z, x, y, m); Reg::{api}C(q, x, z, y, q, m);"
                " Reg::Select(z, x, z, q))"
            )
    return cases


CASES = {**_lanewise(), **_compared(), **_reduced(), **_fused_cases()}
SUITE = Suite("reg_compute", CHIP, CASES, PRELUDE)


def _flushed(values: Array) -> Array:
    if not is_float(values.dtype):
        return values
    smallest = float(cast("Any", ml_dtypes.finfo)(values.dtype).smallest_normal)
    wide = values.astype(np.float64)
    return np.where(np.abs(wide) < smallest, np.copysign(0.0, wide), wide).astype(values.dtype)


def _unit(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A function computed in double, rounded to float and to the type, without subnormals."""

    def unit(x: Array) -> Array:
        exact = function(_flushed(x).astype(np.float64)).astype(np.float32)
        return _flushed(exact.astype(x.dtype))

    return unit


def _bits(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda x: function(x.view(f"u{x.itemsize}")).view(x.dtype)


def _divide(x: Array, y: Array) -> Array:
    if is_float(x.dtype):
        return _flushed(_flushed(x) / _flushed(y))
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    quotients = [-1 if q == 0 else (abs(p) // abs(q)) * (-1 if (p < 0) != (q < 0) else 1) for p, q in pairs]
    mask = (1 << (8 * x.itemsize)) - 1
    return np.array([q & mask for q in quotients], f"u{x.itemsize}").view(x.dtype)


def _extreme(choose: Callable[[Array, Array], Array], largest: bool) -> Callable[[Array, Array], Array]:
    def function(x: Array, y: Array) -> Array:
        result = choose(x, y)
        if not is_float(x.dtype):
            return result
        sign = np.signbit(x) & np.signbit(y) if largest else np.signbit(x) | np.signbit(y)
        zero = np.copysign(np.zeros(x.size), np.where(sign, -1.0, 1.0)).astype(x.dtype)
        return np.where((x == 0) & (y == 0), zero, result)

    return function


def _fused(x: Array, y: Array, z: Array) -> Array:
    if not is_float(x.dtype):
        return x * y + z
    return (x.astype(np.longdouble) * y.astype(np.longdouble) + z.astype(np.longdouble)).astype(x.dtype)


def _leaky(x: Array, slope: Array) -> Array:
    keep = (x > 0) | ((x == 0) & ~np.signbit(x))
    return np.where(keep, x, x * slope.astype(x.dtype))


def _shift(x: Array, amount: Array, left: bool) -> Array:
    width = 8 * x.itemsize
    inside = (amount >= 0) & (amount < width)
    safe = np.where(inside, amount, 0).astype(x.dtype)
    if left:
        unsigned = f"u{x.itemsize}"
        return np.where(inside, (x.view(unsigned) << safe.view(unsigned)).view(x.dtype), 0).astype(x.dtype)
    return np.where(inside, x >> safe, np.where(x < 0, -1, 0).astype(x.dtype))


def _binary(api: str, x: Array, y: Array, z: Array) -> Array:
    table: dict[str, Callable[[], Array]] = {
        "Add": lambda: x + y,
        "Sub": lambda: x - y,
        "Mul": lambda: x * y,
        "Div": lambda: _divide(x, y),
        "Max": lambda: _extreme(np.maximum, True)(x, y),
        "Min": lambda: _extreme(np.minimum, False)(x, y),
        "And": lambda: x & y,
        "Or": lambda: x | y,
        "Xor": lambda: x ^ y,
        "Prelu": lambda: _leaky(x, y),
        "LeakyRelu": lambda: _leaky(x, y),
        "AbsSub": lambda: np.abs(x - y),
        "MulAddDst": lambda: _fused(x, y, z),
        "MulDstAdd": lambda: _fused(z, x, y),
        "Axpy": lambda: _fused(y, x, z),
        "ShiftLeft": lambda: _shift(x, y.view(f"i{y.itemsize}"), True),
        "ShiftRight": lambda: _shift(x, y.view(f"i{y.itemsize}"), False),
    }
    return table[api]().astype(x.dtype)


UNARY_WANT: dict[str, Callable[[Array], Array]] = {
    "Abs": np.abs,
    "Neg": lambda x: -x,
    "Relu": lambda x: np.where(x < 0, 0, x + np.array(0, x.dtype)).astype(x.dtype),
    "Not": _bits(lambda x: ~x),
    "Exp": _unit(np.exp),
    "Ln": _unit(np.log),
    "Log": _unit(np.log),
    "Log2": _unit(np.log2),
    "Log10": _unit(np.log10),
    "Sqrt": _unit(np.sqrt),
}


def _inputs(name: str, api: str = "") -> tuple[Array, Array, Array]:
    count = BYTES // DTYPES[name].itemsize
    x, y, z = (samples(name, count, seed) for seed in (1, 2, 3))
    if "Shift" in api:
        y = np.resize(np.arange(10 * y.itemsize), count).astype(y.dtype)
    return x, y, z


def _masked(result: Array, seed: int, other: Array | None = None) -> Array:
    lanes = active(mask_bits(seed), result.itemsize)
    return np.where(lanes, result, np.zeros_like(result) if other is None else other)


def _check(case: str, sources: tuple[Array, Array], before: Array, seed: int, want: Array) -> None:
    got = SUITE.run(case, [*sources, packed(mask_bits(seed))], before)
    same_bits(got, want)


@pytest.mark.parametrize("api", UNARY)
def test_one_register(api: str) -> None:
    for name in _types(api):
        x, y, z = _inputs(name)
        with np.errstate(all="ignore"):
            want = UNARY_WANT[api](x)
        for seed in SEEDS:
            _check(f"{api}/{name}", (x, y), z, seed, _masked(want, seed))


@pytest.mark.parametrize("api", [*BINARY, *SHIFT, *SCALAR])
def test_two_operands(api: str) -> None:
    for name in _types(api):
        x, y, z = _inputs(name, api)
        if api in SCALAR:
            y = np.full_like(x, FACTOR)
        with np.errstate(all="ignore"):
            base = api.removesuffix("s") if api in SCALAR and api[-1] == "s" else api
            want = _binary(base, x, y, z)
        for seed in SEEDS:
            _check(f"{api}/{name}", (x, y), z, seed, _masked(want, seed))


@pytest.mark.parametrize("api", ["Add", "Max", "Min"])
def test_merging_keeps_the_other_lanes(api: str) -> None:
    x, y, z = _inputs("f")
    with np.errstate(all="ignore"):
        want = _binary(api, x, y, z)
    for seed in SEEDS:
        _check(f"{api}/merging", (x, y), z, seed, _masked(want, seed, z))


def test_exact_modes_keep_subnormals() -> None:
    x = np.linspace(-104, -86, 64).astype(np.float32)
    want = np.exp(x.astype(np.float64)).astype(np.float32)
    assert (want[want != 0] < 1e-38).any()
    _check("Exp/exact", (x, x), x, 0, want)
    _check("Exp/f", (x, x), x, 0, _flushed(want))


@pytest.mark.parametrize("mode", COMPARE)
def test_compare_and_select(mode: str) -> None:
    for name in _types("Compare") if mode == "LT" else ("f",):
        x, y, z = _inputs(name)
        y[::3] = x[::3]
        with np.errstate(all="ignore"):
            truth = COMPARE[mode](x, y)
        for seed in SEEDS:
            chosen = truth & active(mask_bits(seed), x.itemsize)
            _check(f"Compare/{mode}/{name}", (x, y), z, seed, np.where(chosen, x, y))


def test_compare_with_a_scalar() -> None:
    x, y, z = _inputs("f")
    with np.errstate(all="ignore"):
        chosen = (x > np.float32(0.5)) & active(mask_bits(7), 4)
    _check("Compares", (x, y), z, 7, np.where(chosen, x, y))


def _tree(values: Array) -> Array:
    """Sums along the last axis: neighbours first, then neighbours of the sums."""
    while values.shape[-1] > 1:
        values = values[..., ::2] + values[..., 1::2]
    return values[..., 0]


def _first(values: Array, dtype: np.dtype[Any]) -> Array:
    out = np.zeros(BYTES // dtype.itemsize, dtype)
    out[: values.size] = values
    return out


def _finite(name: str) -> Array:
    values, _, _ = _inputs(name)
    if not is_float(values.dtype):
        return values
    return np.where(np.isfinite(values) & (values != 0), np.clip(values, -50, 50), 1).astype(values.dtype)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums(seed: int) -> None:
    for dst, src in sorted(CHIP.register_dtypes["ReduceSum"]):
        x = _finite(src)
        z = samples(dst, BYTES // DTYPES[dst].itemsize)
        counted = _masked(x, seed).astype(DTYPES[dst])
        _check(f"Sum/{dst}/{src}", (x, x), z, seed, _first(_tree(counted), DTYPES[dst]))
        if x.itemsize < 8:
            blocks = counted.reshape(8, -1)
            _check(f"BlockSum/{dst}/{src}", (x, x), z, seed, _first(_tree(blocks), DTYPES[dst]))
    for name in _types("PairReduceElem"):
        x = _finite(name)
        pairs = _masked(x, seed).reshape(-1, 2)
        _check(f"Pair/{name}", (x, x), x, seed, _first(pairs[:, 0] + pairs[:, 1], x.dtype))


@pytest.mark.parametrize("seed", [0, 7])
def test_extremes(seed: int) -> None:
    for name in _types("ReduceMax"):
        x = _finite(name)
        lanes = active(mask_bits(seed), x.itemsize)
        index = int(np.flatnonzero(lanes & (x == x[lanes].max()))[0])
        want = np.zeros_like(x)
        want[0] = x[index]
        want.view(f"u{x.itemsize}")[1] = index
        _check(f"Max1/{name}", (x, x), x, seed, want)
    for name in _types("ReduceDataBlockMax"):
        x = _finite(name)
        lanes = active(mask_bits(seed), x.itemsize).reshape(8, -1)
        assert lanes.any(axis=1).all()
        least = [row[chosen].min() for row, chosen in zip(x.reshape(8, -1), lanes, strict=True)]
        _check(f"BlockMin/{name}", (x, x), x, seed, _first(np.array(least, x.dtype), x.dtype))


def test_maximum_of_a_nan_and_of_zeros() -> None:
    x = np.full(64, -0.0, np.float32)
    x[[5, 9]] = 0.0
    want = np.zeros(64, np.float32)
    want.view(np.uint32)[1] = 5
    _check("Max1/f", (x, x), x, 0, want)
    x[[20, 30]] = np.nan
    want[0] = np.nan
    want.view(np.uint32)[1] = 20
    _check("Max1/f", (x, x), x, 0, want)


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1)])
def test_fused_conversions(layout: str, part: int) -> None:
    x, y, z = _inputs("h")
    bits = mask_bits(7)
    with np.errstate(all="ignore"):
        difference = (x.astype(np.float32) - y.astype(np.float32))[part::2]
        wide = np.where(active(bits, 2)[part::2], _unit(np.exp)(difference), np.float32(0))
        _check(f"ExpSub/{layout}", (x, y), np.zeros(64, np.float32), 7, wide)
        a = np.random.default_rng(3).integers(-2000, 2000, 64).astype(np.float32)
        narrow = np.zeros(128, np.float16)
        product = (a * np.float32(0.3)).astype(np.float64)
        magnitude = np.abs(product)
        unit = np.exp2(np.maximum(np.floor(np.log2(np.maximum(magnitude, 1e-9))), -14) - 10)
        away = np.copysign(np.floor(magnitude / unit + 0.5) * unit, product)
        narrow[part::2] = np.where(active(bits, 4), away, 0)
    _check(f"MulsCast/{layout}", (a, a), z, 7, narrow)


@pytest.mark.parametrize("name", ["i32", "u32"])
def test_wide_products_and_carries(name: str) -> None:
    x, y, z = _inputs(name)
    wide = [(p * q) & (2**64 - 1) for p, q in zip(x.tolist(), y.tolist(), strict=True)]
    mixed = np.array([(w >> 32) ^ (w & 0xFFFFFFFF) for w in wide], np.uint32).view(x.dtype)
    _check(f"Mull/{name}", (x, y), z, 7, _masked(mixed, 7))
    for api in ("Add", "Sub"):
        first = [(p + q) if api == "Add" else p + (0xFFFFFFFF - q) + 1 for p, q in _words(x, y)]
        carry = [value >> 32 for value in first]
        low = np.array([value & 0xFFFFFFFF for value in first], np.uint32)
        second = [
            p + (q if api == "Add" else 0xFFFFFFFF - q) + c for (p, q), c in zip(_words(low, y), carry, strict=True)
        ]
        top = np.array([value >> 32 for value in second], np.bool_)
        chosen = np.where(top, np.array([value & 0xFFFFFFFF for value in second], np.uint32), low)
        _check(f"{api}C/{name}", (x, y), z, 0, chosen.view(x.dtype))


def _words(x: Array, y: Array) -> list[tuple[int, int]]:
    return list(zip(x.view(np.uint32).tolist(), y.view(np.uint32).tolist(), strict=True))
