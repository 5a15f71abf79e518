"""Each modelled instruction, in each dtype of the chip table, against a NumPy statement of its documented result."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import CHIPS, Chip

Array = npt.NDArray[Any]

COUNT = 200
CTYPES = {
    "i8": "int8_t",
    "u8": "uint8_t",
    "i16": "int16_t",
    "u16": "uint16_t",
    "i32": "int32_t",
    "u32": "uint32_t",
    "i64": "int64_t",
    "u64": "uint64_t",
    "h": "half",
    "bf": "bfloat16_t",
    "f": "float",
}
DTYPES: dict[str, np.dtype[Any]] = {
    **{name: np.dtype(ctype.removesuffix("_t")) for name, ctype in CTYPES.items() if name[0] in "iu"},
    "h": np.dtype(np.float16),
    "bf": np.dtype(ml_dtypes.bfloat16),
    "f": np.dtype(np.float32),
}
FLOATS = {"h", "bf", "f"}
FINFO = cast("Callable[[np.dtype[Any]], Any]", ml_dtypes.finfo)
MODES = ["NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC"]

HEAD = """
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
T scalar(GM_ADDR address) {
    T value;
    memcpy(&value, address, sizeof value);
    return value;
}

template <typename D, typename S0, typename S1>
using Body = void (*)(LocalTensor<D>, LocalTensor<S0>, LocalTensor<S1>, GM_ADDR);

template <typename D, typename S0, typename S1>
void run(GM_ADDR x0, GM_ADDR x1, GM_ADDR y, GM_ADDR tiling, Body<D, S0, S1> body) {
    constexpr uint32_t total = 256;
    TPipe pipe;
    TBuf<> dst, src0, src1;
    pipe.InitBuffer(dst, total * sizeof(D));
    pipe.InitBuffer(src0, total * sizeof(S0));
    pipe.InitBuffer(src1, total * sizeof(S1));
    GlobalTensor<D> yGm;
    GlobalTensor<S0> x0Gm;
    GlobalTensor<S1> x1Gm;
    yGm.SetGlobalBuffer((__gm__ D*)y, total);
    x0Gm.SetGlobalBuffer((__gm__ S0*)x0, total);
    x1Gm.SetGlobalBuffer((__gm__ S1*)x1, total);
    DataCopy(src0.Get<S0>(), x0Gm, total);
    DataCopy(src1.Get<S1>(), x1Gm, total);
    DataCopy(dst.Get<D>(), yGm, total);
    PipeBarrier<PIPE_ALL>();
    body(dst.Get<D>(), src0.Get<S0>(), src1.Get<S1>(), tiling);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, dst.Get<D>(), total);
}

extern "C" __global__ __aicore__ void numerics(GM_ADDR x0, GM_ADDR x1, GM_ADDR y, GM_ADDR tiling) {
"""


def f32(values: Array) -> Array:
    return values.astype(np.float32)


def extreme(choose: Callable[[Array, Array], Array], negative_first: bool) -> Callable[[Array, Array], Array]:
    """Maximum or minimum that propagates NaN and orders -0 below +0."""

    def function(a: Array, b: Array) -> Array:
        if a.dtype.kind in "iu":
            return choose(a, b)
        result = choose(a, b)
        zeros = (a == 0) & (b == 0)
        sign = np.signbit(a) & np.signbit(b) if not negative_first else np.signbit(a) | np.signbit(b)
        return np.where(zeros, np.copysign(np.zeros_like(a), np.where(sign, -1, 1).astype(a.dtype)), result)

    return function


def divide(a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        return a / b
    quotient = np.abs(a.astype(np.int64)) // np.abs(b.astype(np.int64))
    return quotient * np.sign(a.astype(np.int64)) * np.sign(b.astype(np.int64))


BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": divide,
    "Max": extreme(np.maximum, False),
    "Min": extreme(np.minimum, True),
    "And": np.bitwise_and,
    "Or": np.bitwise_or,
}
SCALAR = {"Adds": "Add", "Muls": "Mul", "Maxs": "Max", "Mins": "Min"}


def bitwise_not(a: Array) -> Array:
    return (~a.view(f"u{a.itemsize}")).view(a.dtype)


def rounded(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Compute in double and round once to float."""
    return lambda a: function(a.astype(np.float64)).astype(np.float32)


UNARY: dict[str, Callable[[Array], Array]] = {
    "Abs": np.abs,
    "Exp": rounded(np.exp),
    "Ln": rounded(np.log),
    "Sqrt": np.sqrt,
    "Rsqrt": rounded(lambda a: 1 / np.sqrt(a)),
    "Reciprocal": lambda a: np.float32(1) / a,
    "Relu": lambda a: np.where(a < 0, 0, a + 0).astype(a.dtype),
}


def samples(dtype: str, seed: int) -> Array:
    """256 values: the special ones of the type first, then random ones."""
    kind = DTYPES[dtype]
    generator = np.random.default_rng(seed)
    if dtype not in FLOATS:
        info = np.iinfo(kind)
        special = [0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1]
        values = generator.integers(info.min, info.max, 256, dtype=kind, endpoint=True)
    else:
        info = FINFO(kind)
        smallest = float(info.smallest_subnormal)
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, float(info.max), float(info.min), smallest, -3 * smallest]
        special += [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 127.5, -128.5, 255.5, 65519.0, 65520.0]
        with np.errstate(over="ignore"):
            values = (generator.standard_normal(256) * 10.0 ** generator.integers(-6, 7, 256)).astype(kind)
    with np.errstate(over="ignore"):
        values[: len(special)] = [kind.type(value) for value in special]
    return np.roll(values, 7 * seed)


def round_half_away(a: Array) -> Array:
    return np.copysign(np.floor(np.abs(a) + 0.5), a)


ROUND: dict[str, Callable[[Array], Array]] = {
    "NONE": np.rint,
    "RINT": np.rint,
    "FLOOR": np.floor,
    "CEIL": np.ceil,
    "ROUND": round_half_away,
    "TRUNC": np.trunc,
}


def cast_to_integer(values: Array, dst: str, mode: str) -> Array:
    info = np.iinfo(DTYPES[dst])
    whole = ROUND[mode](values.astype(np.float64))
    low, high = float(info.min), float(info.max)
    inside = np.where((whole > low) & (whole < high), whole, 0).astype(np.int64).astype(object)
    result = np.where(whole <= low, info.min, np.where(whole >= high, info.max, inside))
    return np.where(np.isnan(whole), 0, result).astype(DTYPES[dst])


def neighbours(dst: str, nearest: Array) -> tuple[Array, Array]:
    """The next lower and the next higher value of a 16- or 32-bit format."""
    kind = DTYPES[dst]
    unsigned = np.dtype(f"u{kind.itemsize}")
    top = 1 << (8 * kind.itemsize - 1)
    bits = nearest.view(unsigned).astype(np.int64)
    order = np.where(bits >= top, top - bits, bits)

    def back(number: Array) -> Array:
        return np.where(number < 0, top - number, number).astype(unsigned).view(kind)

    return back(order - 1), back(order + 1)


def cast_to_float(values: Array, dst: str, mode: str) -> Array:
    """Round to the format by choosing between the two neighbours of the exact value."""
    nearest = values.astype(DTYPES[dst])
    exact = values.astype(np.longdouble)
    if mode in {"NONE", "RINT"}:
        return nearest
    below, above = neighbours(dst, nearest)
    near = nearest.astype(np.longdouble)
    low = np.where(near <= exact, nearest, below)
    high = np.where(near >= exact, nearest, above)
    if mode == "ROUND":
        middle = (low.astype(np.longdouble) + high.astype(np.longdouble)) / 2
        tie = (exact == middle) & (low != high)
        return np.where(tie, np.where(exact < 0, low, high), nearest)
    up = {"FLOOR": np.zeros(len(exact), bool), "CEIL": np.ones(len(exact), bool), "TRUNC": exact < 0}[mode]
    keep = ~(np.abs(exact) < np.longdouble(2) ** int(FINFO(DTYPES[dst]).maxexp)) | (near == exact)
    return np.where(keep, nearest, np.where(up, high, low)).astype(DTYPES[dst])


def expected_cast(values: Array, dst: str, src: str, mode: str) -> Array:
    if dst == src:
        return (ROUND[mode](values) + 0).astype(values.dtype)
    if dst not in FLOATS and src not in FLOATS:
        info = np.iinfo(DTYPES[dst])
        return np.clip(values.astype(object), info.min, info.max).astype(DTYPES[dst])
    if dst not in FLOATS:
        return cast_to_integer(values, dst, mode)
    return cast_to_float(values, dst, mode)


def cast_modes(dst: str, src: str) -> list[str]:
    """The round modes of a conversion, by the reference's tables."""
    if dst not in FLOATS and src not in FLOATS:
        return ["NONE"]
    exact = {("h", "i8"), ("h", "u8"), ("f", "i16"), ("f", "h"), ("f", "bf")}
    if (dst, src) in exact:
        return ["NONE"]
    with_none = {("i8", "h"), ("u8", "h"), ("h", "i16"), ("f", "i32"), ("h", "f")}
    return MODES if (dst, src) in with_none else MODES[1:]


Case = tuple[str, tuple[str, ...], str]


def cases(chip: Chip) -> Iterator[Case]:
    for api in sorted(chip.vector_dtypes):
        for dtypes in sorted(types for types in chip.vector_dtypes[api] if "i4" not in types):
            modes = cast_modes(*dtypes) if api == "Cast" else [""]
            yield from ((api, dtypes, mode) for mode in modes if api in KNOWN)


def call(case: Case) -> str:
    """The C++ statement of a case; d, a and b are the operands."""
    api, dtypes, mode = case
    if api in BINARY:
        return f"{api}(d, a, b, {COUNT})"
    if api in SCALAR:
        return f"{api}(d, a, scalar<{CTYPES[dtypes[0]]}>(tiling), {COUNT})"
    if api == "Duplicate":
        return f"Duplicate(d, scalar<{CTYPES[dtypes[0]]}>(tiling), {COUNT})"
    if api == "Cast":
        return f"Cast(d, a, RoundMode::CAST_{mode}, {COUNT})"
    if api == "Copy":
        return f"Copy(d, a, {256 // DTYPES[dtypes[0]].itemsize}, 1, {{1, 1, 8, 8}})"
    return f"{api}(d, a, {COUNT})"


KNOWN = {*BINARY, *SCALAR, *UNARY, "Not", "Duplicate", "Copy", "Cast"}
TARGETS = {name: chip for name, chip in CHIPS.items() if chip.vector_dtypes and name != "ascend910_93"}
ALL = [(name, *case) for name, chip in TARGETS.items() for case in cases(chip)]


@cache
def kernel(target: str) -> EmulatedKernel:
    """One kernel with all cases of a target, chosen by the tiling key."""
    lines = [HEAD]
    for key, case in enumerate(cases(TARGETS[target])):
        types = [CTYPES[name] for name in case[1]] + ["float"] * (3 - len(case[1]))
        parameters = ", ".join(f"LocalTensor<{name}> {operand}" for name, operand in zip(types, "dab", strict=True))
        body = f"[]({parameters}, GM_ADDR tiling) {{ (void)a; (void)b; (void)tiling; {call(case)}; }}"
        lines.append(f"    if (TILING_KEY_IS({key})) return run<{', '.join(types)}>(x0, x1, y, tiling, {body});")
    return EmulatedKernel(
        {"numerics.cpp": "\n".join(lines) + "\n}\n"}, "numerics", ["x0", "x1", "y", "tiling"], TARGETS[target]
    )


def expected(case: Case, a: Array, b: Array, scalar: Array) -> Array:
    api, dtypes, mode = case
    wide = f32 if dtypes[0] in FLOATS else np.asarray
    every = np.broadcast_to(scalar, a.shape)
    moved = {"Duplicate": every, "Copy": a}
    if api in moved:
        return moved[api]
    if api == "Not":
        return bitwise_not(a)
    if api == "Cast":
        return expected_cast(a, dtypes[0], dtypes[1], mode)
    if api in UNARY:
        return UNARY[api](wide(a)).astype(DTYPES[dtypes[0]])
    function = BINARY[SCALAR.get(api, api)]
    return function(wide(a), wide(every if api in SCALAR else b)).astype(DTYPES[dtypes[0]])


@pytest.mark.parametrize(("target", "api", "dtypes", "mode"), ALL, ids=str)
def test_instruction(target: str, api: str, dtypes: tuple[str, ...], mode: str) -> None:
    case = (api, dtypes, mode)
    names = (*dtypes, "f", "f")[:3]
    a = samples(names[1], 1)
    b = samples(names[2], 2)
    if api == "Div" and dtypes[0] not in FLOATS:
        b[b == 0] = 1
        a[b.astype(np.int64) == -1] = 5
    if len(dtypes) == 3 and dtypes[0] in FLOATS:
        a[150:154], b[150:154] = [0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0]
    scalar = samples(dtypes[0], 3)[30]
    y = samples(dtypes[0], 4)
    before = y.copy()
    key = list(cases(TARGETS[target])).index(case)
    arguments = [read_only(a), read_only(b), y, scalar.tobytes()]
    report = kernel(target).run(arguments, 1, roles={"y": Role.INOUT}, tiling_key=key)
    assert report.clean, report
    count = 256 // y.itemsize if api == "Copy" else COUNT
    with np.errstate(all="ignore"):
        want = expected(case, a, b, scalar)[:count]
    got = y[:count]
    same = (got.view(f"u{y.itemsize}") == want.view(f"u{y.itemsize}")) if want.flags.c_contiguous else got == want
    nan = np.isnan(f32(got)) & np.isnan(f32(want)) if dtypes[0] in FLOATS else np.zeros(count, bool)
    wrong = np.flatnonzero(~(same | nan))
    assert wrong.size == 0, [(a[i], b[i], got[i], want[i]) for i in wrong[:5]]
    assert y[count:].tobytes() == before[count:].tobytes()
