"""Conversions of the register level against NumPy: every pair of types, layouts, rounding and saturation modes."""

from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, is_float, same_bits, samples
from reg_support import BYTES, CHIP, PRELUDE, active, mask_bits, packed

TYPES = {**CTYPES, "e4m3": "fp8_e4m3fn_t", "e5m2": "fp8_e5m2_t"}
KINDS: dict[str, np.dtype[Any]] = {
    **DTYPES,
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
}
PAIRS = sorted(CHIP.register_dtypes["Cast"])
LAYOUTS = ("ZERO", "ONE", "TWO", "THREE")
ROUNDED = [("i32", "f"), ("bf", "f"), ("h", "f"), ("f", "i32"), ("u8", "h")]
MODES = ("RINT", "FLOOR", "CEIL", "ROUND", "TRUNC")
SMALL_FLOATS = ("e4m3", "e5m2")


def _case(pair: tuple[str, ...], layout: int, saturation: str, mode: str) -> str:
    dst, src = TYPES[pair[0]], TYPES[pair[1]]
    name = LAYOUTS[layout] if KINDS[pair[0]].itemsize != KINDS[pair[1]].itemsize else "UNKNOWN"
    return (
        f"static constexpr Reg::CastTrait trait{{Reg::RegLayout::{name}, Reg::SatMode::{saturation},"
        f" Reg::MaskMergeMode::ZEROING, RoundMode::CAST_{mode}}};"
        f" ONE({dst}, {src}, Reg::Cast<{dst}, {src}, trait>(z, x, m))"
    )


def _factor(pair: tuple[str, ...]) -> int:
    sizes = sorted(KINDS[name].itemsize for name in pair)
    return sizes[1] // sizes[0]


def _cases() -> dict[str, str]:
    cases = {
        f"{'/'.join(pair)}/{_factor(pair) - 1}/SAT/RINT": (pair, _factor(pair) - 1, "SAT", "RINT") for pair in PAIRS
    }
    cases |= {f"{'/'.join(pair)}/0/NO_SAT/{mode}": (pair, 0, "NO_SAT", mode) for pair in ROUNDED for mode in MODES}
    cases |= {
        f"{'/'.join(pair)}/0/NO_SAT/RINT": (pair, 0, "NO_SAT", "RINT") for pair in PAIRS if pair[0] in SMALL_FLOATS
    }
    cases |= {f"{d}/{s}/0/NO_SAT/RINT": ((d, s), 0, "NO_SAT", "RINT") for d, s in (("u8", "i32"), ("h", "bf"))}
    texts = {name: _case(*case) for name, case in cases.items()}
    for name in ("h", "bf", "f"):
        for mode in MODES:
            texts[f"Truncate/{name}/{mode}"] = (
                f"ONE({TYPES[name]}, {TYPES[name]}, Reg::Truncate<{TYPES[name]}, RoundMode::CAST_{mode}>(z, x, m))"
            )
    return texts


SUITE = Suite("reg_cast", CHIP, _cases(), PRELUDE)


def _whole(values: Array, mode: str) -> Array:
    wide = values.astype(np.float64)
    away = np.copysign(np.floor(np.abs(wide) + 0.5), wide)
    table = {"RINT": np.rint, "FLOOR": np.floor, "CEIL": np.ceil, "TRUNC": np.trunc}
    return np.copysign(away if mode == "ROUND" else table[mode](wide), wide)


def _rounded(values: Array, fraction: int, lowest: int, mode: str) -> Array:
    """Round to a float format of so many fraction bits, as double."""
    wide = values.astype(np.float64)
    exponent = np.floor(np.log2(np.where((wide == 0) | ~np.isfinite(wide), 1, np.abs(wide))))
    unit = np.exp2(np.maximum(exponent, lowest) - fraction)
    return np.where(np.isfinite(wide), _whole(wide / unit, mode) * unit, wide)


def _to_float(values: Array, name: str, mode: str, saturates: bool) -> Array:
    formats = {"f": (23, -126), "h": (10, -14), "bf": (7, -126), "e4m3": (3, -6), "e5m2": (2, -14)}
    if KINDS[name].itemsize > values.dtype.itemsize:
        return values.astype(KINDS[name])
    exact = values.astype(np.longdouble).astype(np.float64) if values.dtype.itemsize < 8 else values
    result = _rounded(exact, *formats[name], mode)
    facts: Any = cast("Any", ml_dtypes.finfo)(KINDS[name])
    if saturates and is_real(values):
        result = np.where(np.isnan(result), 0, np.clip(result, float(facts.min), float(facts.max)))
    elif name == "e4m3":
        result = np.where(np.abs(result) > float(facts.max), np.copysign(np.nan, result), result)
    return result.astype(KINDS[name])


def is_real(values: Array) -> bool:
    """Whether a type is a float of any size."""
    return is_float(values.dtype) or values.dtype in (KINDS["e4m3"], KINDS["e5m2"])


def _to_integer(values: Array, name: str, mode: str, saturates: bool) -> Array:
    limits = np.iinfo(KINDS[name])
    wide = values.astype(np.float64) if is_real(values) else values
    out: list[int] = []
    for value in wide.tolist():
        if np.isnan(value):
            out.append(0)
        elif value in (np.inf, -np.inf):
            out.append(int(limits.max if value > 0 else limits.min))
        else:
            whole = int(_whole(np.array(value), mode)) if isinstance(value, float) else int(value)
            if saturates:
                out.append(min(max(whole, int(limits.min)), int(limits.max)))
            else:
                out.append(((whole - int(limits.min)) % (1 << limits.bits)) + int(limits.min))
    return np.array(out, KINDS[name])


def _expected(pair: tuple[str, ...], x: Array, mode: str, saturates: bool) -> Array:
    dst, src = pair
    clamps = pair in {("u32", "i16"), ("i16", "h")}
    if KINDS[dst].kind in "iu":
        return _to_integer(x, dst, mode, saturates or clamps)
    if pair == ("f", "i64"):
        return x.astype(np.float32)
    return _to_float(x, dst, mode, saturates and src != "h" if dst == "bf" else saturates)


def _placed(pair: tuple[str, ...], values: Array, layout: int, bits: Array) -> Array:
    """Put converted lanes where the layout wants them; inactive ones are 0."""
    dst, src = (KINDS[name] for name in pair)
    lanes = active(bits, src.itemsize)
    result = np.zeros(BYTES // dst.itemsize, dst)
    if dst.itemsize > src.itemsize:
        part = slice(layout, None, dst.itemsize // src.itemsize)
        result[:] = np.where(lanes[part], values[part], result)
    else:
        part = slice(layout, None, src.itemsize // dst.itemsize)
        result[part] = np.where(lanes, values, result[part])
    return result


def _source(name: str) -> Array:
    count = BYTES // KINDS[name].itemsize
    if name in SMALL_FLOATS:
        return np.arange(256).astype(np.uint8).view(KINDS[name])
    values = samples(name, count, 5)
    if is_float(values.dtype):
        with np.errstate(over="ignore"):
            values[-12:] = np.array([0.5, 1.5, -0.5, -2.5, 257, 300.75, -300.75, 65519, 65520, 1e-3, 2**-15, 449])
    return values


@pytest.mark.parametrize("case", [name for name in SUITE.cases if not name.startswith("Truncate")])
def test_cast(case: str) -> None:
    dst, src, layout, saturation, mode = case.split("/")
    x = _source(src)
    with np.errstate(all="ignore"):
        values = _expected((dst, src), x, mode, saturation == "SAT")
    before = np.full(BYTES, 0x55, np.uint8).view(KINDS[dst])
    for seed in (0, 7):
        bits = mask_bits(seed)
        got = SUITE.run(case, [x, x, packed(bits)], before)
        want = _placed((dst, src), values, int(layout), bits)
        if dst in SMALL_FLOATS:
            nan = np.isnan(want.astype(np.float32))
            assert np.array_equal(np.isnan(got.astype(np.float32)), nan)
            got, want = np.where(nan, 0, got.view(np.uint8)), np.where(nan, 0, want.view(np.uint8))
        same_bits(got, want)


@pytest.mark.parametrize("name", ["h", "bf", "f"])
def test_truncate(name: str) -> None:
    x = _source(name)
    for mode in MODES:
        with np.errstate(all="ignore"):
            want = np.where(np.isfinite(x), _whole(x, mode), x.astype(np.float64)).astype(x.dtype)
        got = SUITE.run(f"Truncate/{name}/{mode}", [x, x, packed(mask_bits(0))], x)
        same_bits(got, want)
