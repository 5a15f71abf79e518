"""Elementwise functions of the high-level library: Tanh Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Log Log2
Log10 Erf Erfc Lgamma Digamma Trunc Frac Floor Ceil Round Sign ClampMax ClampMin Exp Sigmoid Silu Swish Gelu FasterGelu
FasterGeluV2 Power Fmod Xor GeGLU ReGlu SwiGLU, and on newer chips Hypot IsFinite IsNan IsInf Rint SinCos Fma Clamp
LogicalNot LogicalAnd LogicalOr LogicalXor LogicalAnds LogicalOrs BitwiseNot BitwiseAnd BitwiseOr BitwiseXor Where.

Each is the function of Python's math module in double precision, rounded to float and then to the type.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from harness import AREA, CTYPES, DTYPES, Array, Suite, same_bits, samples

from opwright.passes.chips import get_chip

CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}
Number = Callable[..., float]
Two = Callable[[float, float], float]
COUNT = 300


def guarded(function: Number) -> Number:
    """Return a function that gives what C gives where Python raises."""

    def call(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return limits(function, args[0])
        except OverflowError:
            return math.inf if args[0] > 0 or function in (math.cosh, math.lgamma) else -math.inf

    return call


def limits(function: Number, x: float) -> float:
    """Return the value at a pole, and NaN outside of the domain."""
    if function is math.lgamma:
        return math.inf
    if function is math.atanh and abs(x) == 1:
        return math.copysign(math.inf, x)
    return -math.inf if x == 0 and function in (math.log, math.log2, math.log10) else math.nan


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def cubed(x: float, _: float) -> float:
    return math.pow(x, 3)


def doubled(_: float, y: float) -> float:
    return math.pow(2, y)


def ge_glu(x: float, y: float) -> float:
    return x * gelu(y)


def re_glu(x: float, y: float) -> float:
    return x * relu(y)


def swi_glu(x: float, y: float) -> float:
    return x * y / (1 + exp(-1.5 * y))


def frac(x: float) -> float:
    return x - whole(truncated)(x)


def faster_gelu(x: float) -> float:
    return x / (1 + exp(-1.702 * x))


def silu(x: float) -> float:
    return x * sigmoid(x)


def swish(x: float) -> float:
    return x / (1 + exp(-1.75 * x))


def at_most_half(x: float) -> float:
    return min(x, 0.5)


def at_least_half(x: float) -> float:
    return max(x, 0.5)


def exp(x: float) -> float:
    return math.inf if x >= 709 else math.exp(x)


def whole(function: Number) -> Number:
    def call(x: float) -> float:
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return call


def truncated(x: float) -> float:
    return float(math.trunc(x))


def sign(x: float) -> float:
    return x if math.isnan(x) else float((x > 0) - (x < 0))


def relu(x: float) -> float:
    return x if x > 0 else 0.0


def gelu(x: float) -> float:
    return x / (1 + exp(-1.595769121605730711759 * (x + 0.044715 * x * x * x)))


def parabola_gelu(x: float) -> float:
    part = min(abs(x) * math.sqrt(0.5), 1.769) - 1.769
    return x * (sign(x) * (-0.1444 * part * part + 0.5) + 0.5)


UNARY: dict[str, Number] = {
    **{name: guarded(getattr(math, name.lower())) for name in ("Tanh", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan")},
    **{name: guarded(getattr(math, name.lower())) for name in ("Sinh", "Cosh", "Asinh", "Acosh", "Atanh")},
    **{name: guarded(getattr(math, name.lower())) for name in ("Log", "Log2", "Log10", "Erf", "Erfc", "Lgamma")},
    "Trunc": whole(truncated),
    "Frac": frac,
    "Floor": whole(math.floor),
    "Ceil": whole(math.ceil),
    "Round": whole(round),
    "Sign": sign,
    "Sigmoid": sigmoid,
    "Gelu": gelu,
    "FasterGelu": faster_gelu,
    "FasterGeluV2": parabola_gelu,
    "Silu": silu,
}
FINITE = ("Gelu", "FasterGelu", "FasterGeluV2", "Silu", "GeGLU", "SwiGLU", "Sin", "Cos", "Tan")
"""Functions whose values at infinity the library does not say."""

NO_SCRATCH = ("Silu", "Log", "Log10")


def moderate(values: Array, name: str) -> Array:
    return (
        np.where(np.isfinite(values.astype(np.float64)), values, 1).astype(values.dtype) if name in FINITE else values
    )


def applied(function: Number, *operands: Array) -> Array:
    dtype = operands[0].dtype
    numbers = [function(*(float(x) for x in row)) for row in zip(*operands, strict=True)]
    with np.errstate(over="ignore"):
        return np.array(numbers, np.float64).astype(np.float32).astype(dtype)


def unary_bodies(name: str) -> dict[str, str]:
    c = CTYPES[name]
    found: dict[str, str] = {}
    for api in UNARY:
        found[api] = f"{api}(D({c}), A({c}), p[0]);"
        if api not in NO_SCRATCH:
            found[f"{api}/tmp"] = f"{api}<{c}>(D({c}), A({c}), W(uint8_t), p[0]);"
    found["Exp"] = f"Exp<{c}, 10>(D({c}), A({c}), W(uint8_t), p[0]);"
    found["Exp/level"] = f"Exp<{c}, 0>(D({c}), A({c}), p[0]);"
    found["Digamma"] = f"Digamma(D({c}), A({c}), W(uint8_t), p[0]);"
    found["Swish"] = f"Swish(D({c}), A({c}), p[0], {c}(1.75f));"
    found["ClampMax"] = f"ClampMax(D({c}), A({c}), W(uint8_t), {c}(0.5f), p[0]);"
    found["ClampMin"] = f"ClampMin(D({c}), A({c}), {c}(0.5f), p[0]);"
    found["Tanh/all"] = f"Tanh(D({c}), A({c}), W(uint8_t));"
    found["Trunc/all"] = f"Trunc(D({c}), A({c}));"
    return found


def binary_bodies(name: str) -> dict[str, str]:
    c = CTYPES[name]
    both = f"D({c}), A({c}), B({c})"
    return {
        **{api: f"{api}({both}, W(uint8_t), p[0]);" for api in ("Power", "Fmod", "GeGLU", "ReGlu")},
        "SwiGLU": f"SwiGLU({both}, 1.5f, W(uint8_t), p[0]);",
        "Power/exponent": f"Power(D({c}), A({c}), {c}(3), W(uint8_t), p[0]);",
        "Power/base": f"Power(D({c}), {c}(2), B({c}), p[0]);",
    }


POINTERS = """
template <typename T> using One = void(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t&);
template <typename T>
using Two = void(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<T>&, const int32_t&);
template <typename T> using Named = void(const LocalTensor<T>&, const LocalTensor<T>&, const uint32_t);
template <typename T>
using Masked = void(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<T>&, uint64_t, const uint8_t,
                    const BinaryRepeatParams&);
template <typename T, One<T>* one, Two<T>* two, Named<T>* named, Masked<T>* masked>
void through(LocalTensor<T> d, LocalTensor<T> a, LocalTensor<T> b, int32_t count) {
    one(d, a, count);
    two(d[512], a, b, count);
    named(d[1024], a, count);
    masked(d[1536], a, b, 64, 2, BinaryRepeatParams{});
}
"""
OLD = Suite(
    "library_math",
    CHIP["A2"],
    {
        **{
            f"{name}/{api}": text
            for name in "hf"
            for api, text in {**unary_bodies(name), **binary_bodies(name)}.items()
        },
        "i16/Xor": "Xor(D(int16_t), A(int16_t), B(int16_t), W(uint8_t), p[0]);",
        "i32/Power": "Power(D(int32_t), A(int32_t), B(int32_t), W(uint8_t), p[0]);",
        "f/same": "Tanh(D(float), D(float), p[0]);",
        "f/scratch": "Trunc(D(float), D(float), p[0]); Tanh(D(float)[64], D(float), W(uint8_t), 8);"
        " Copy(D(float), W(float), 64, 1, {1, 1, 8, 8});",
        "f/pointer": "through<float, Abs<float>, Mul<float>, Tanh<float>, Sub<float>>"
        "(D(float), A(float), B(float), p[0]);",
    },
    POINTERS,
)


@pytest.mark.parametrize("name", ["h", "f"])
@pytest.mark.parametrize("api", list(UNARY))
def test_functions_of_one_operand(name: str, api: str) -> None:
    a = moderate(samples(name, COUNT, seed=sum(map(ord, api))), api)
    before = samples(name, 320)
    want = before.copy()
    want[:COUNT] = applied(UNARY[api], a)
    for case in (api, f"{api}/tmp"):
        if case in unary_bodies(name):
            same_bits(OLD.run(f"{name}/{case}", [a], before, (COUNT,)), want)


def test_functions_take_the_whole_source_without_a_count() -> None:
    a = samples("f", AREA // 4)
    same_bits(OLD.run("f/Tanh/all", [a], np.zeros_like(a)), applied(UNARY["Tanh"], a))
    same_bits(OLD.run("f/Trunc/all", [a], np.zeros_like(a)), applied(UNARY["Trunc"], a))


@pytest.mark.parametrize("name", ["h", "f"])
def test_functions_with_a_number(name: str) -> None:
    a = moderate(samples(name, COUNT), "Gelu")
    numbers: dict[str, Number] = {
        "Exp": exp,
        "Exp/level": exp,
        "Swish": swish,
        "ClampMax": at_most_half,
        "ClampMin": at_least_half,
    }
    for api, function in numbers.items():
        same_bits(OLD.run(f"{name}/{api}", [a], np.zeros_like(a), (COUNT,)), applied(function, a))


def digamma(x: float) -> float:
    if x < 0.5:
        return math.nan if x == math.floor(x) else digamma(1 - x) - math.pi / math.tan(math.pi * x)
    below = sum(1 / (x + i) for i in range(40))
    y = x + 40
    return math.log(y) - 0.5 / y - 1 / (12 * y**2) + 1 / (120 * y**4) - below


def test_digamma_to_a_rounding() -> None:
    a = np.concatenate([np.linspace(-3.75, 30, 200), [0, -1, 1, 2, 1e4]]).astype(np.float32)
    got = OLD.run("f/Digamma", [a], np.zeros_like(a), (a.size,))
    np.testing.assert_array_max_ulp(got, applied(digamma, a), maxulp=1)


@pytest.mark.parametrize("name", ["h", "f"])
def test_functions_of_two_operands(name: str) -> None:
    a, b = (moderate(samples(name, COUNT, seed), "Gelu") for seed in (1, 2))
    small = (np.arange(COUNT) % 7 - 3).astype(a.dtype)
    base = np.abs(np.where(a == 0, 1, np.clip(a, -8, 8))).astype(a.dtype)
    numbers: dict[str, tuple[Number, Array, Array]] = {
        "Power": (math.pow, base, small),
        "Power/exponent": (cubed, base, small),
        "Power/base": (doubled, base, small),
        "Fmod": (math.fmod, a, np.where(b == 0, 1, b).astype(a.dtype)),
        "GeGLU": (ge_glu, a, b),
        "ReGlu": (re_glu, a, b),
        "SwiGLU": (swi_glu, a, b),
    }
    for case, (function, first, second) in numbers.items():
        got = OLD.run(f"{name}/{case}", [first, second], np.zeros_like(a), (COUNT,))
        same_bits(got, applied(function, first, second))


def test_integer_powers_and_exclusive_or() -> None:
    a, b = samples("i16", COUNT, 1), samples("i16", COUNT, 2)
    same_bits(OLD.run("i16/Xor", [a, b], np.zeros_like(a), (COUNT,)), a ^ b)
    base, exponent = (np.arange(COUNT) % 19 - 9).astype(np.int32), (np.arange(COUNT) % 40).astype(np.int32)
    want = np.array([pow(int(x), int(n)) & 0xFFFFFFFF for x, n in zip(base, exponent, strict=True)], np.uint32)
    same_bits(OLD.run("i32/Power", [base, exponent], np.zeros_like(base), (COUNT,)), want.view(np.int32))


def test_apis_as_pointers() -> None:
    a, b = samples("f", COUNT, 1), samples("f", COUNT, 2)
    got = OLD.run("f/pointer", [a, b], np.zeros(1792, np.float32), (COUNT,))
    same_bits(got[:COUNT], np.abs(a))
    with np.errstate(all="ignore"):
        same_bits(got[512 : 512 + COUNT], a * b)
        same_bits(got[1536 : 1536 + 128], (a - b)[:128])
    same_bits(got[1024 : 1024 + COUNT], applied(UNARY["Tanh"], a))


def test_overlap_and_temporary_memory_are_checked() -> None:
    before = np.ones(320, np.float32)
    OLD.run("f/same", [], before, (64,), codes=frozenset({"ub-overlap"}))
    OLD.run("f/scratch", [], before, (64,), codes=frozenset({"ub-uninitialized", "ub-race"}))


LOGIC = {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}
BITS = {"And": np.bitwise_and, "Or": np.bitwise_or, "Xor": np.bitwise_xor}
TESTED = ("i16", "h", "f")


def logic(c: str, x: str) -> str:
    second = "" if x == "Not" else f"B({c}), "
    return f"Logical{x}(D(bool), A({c}), {second}p[0]);"


NEW = Suite(
    "library_logic",
    CHIP["950"],
    {
        **{f"f/{api}": f"{api}(D(float), A(float), W(uint8_t), p[0]);" for api in ("IsNan", "IsInf", "Rint")},
        "b8/IsFinite": "IsFinite(D(bool), A(half), p[0]);",
        "f/SinCos": "SinCos(D(float), D(float)[512], A(float), W(uint8_t), p[0]);",
        "h/Fma": "Fma(D(half), A(half), B(half), C(half), p[0]);",
        "f/Hypot": "Hypot(D(float), A(float), B(float), W(uint8_t), p[0]);",
        "f/Clamp": "Clamp(D(float), A(float), B(float), 0.5f, p[0]);",
        "f/Where": "Where(D(float), A(float), 0.5f, B(bool), p[0]);",
        "i32/BitwiseNot": "BitwiseNot(D(int32_t), A(int32_t), p[0]);",
        **{f"i32/Bitwise{x}": f"Bitwise{x}(D(int32_t), A(int32_t), B(int32_t), p[0]);" for x in BITS},
        "f/LogicalAnds": "LogicalAnds(D(bool), A(float), 2.0f, p[0]);",
        "f/LogicalOrs": "LogicalOrs(D(bool), 0.0f, A(float), p[0]);",
        **{f"{name}/Logical{x}": logic(CTYPES[name], x) for name in TESTED for x in (*LOGIC, "Not")},
        "bf/ReGlu": "ReGlu(D(bfloat16_t), A(bfloat16_t), B(bfloat16_t), p[0]);",
        "i64/Sign": "Sign(D(int64_t), A(int64_t), p[0]);",
    },
)


def ran(case: str, sources: list[Array], dtype: str | type = "f") -> Array:
    kind = np.dtype(DTYPES.get(dtype, dtype) if isinstance(dtype, str) else dtype)
    return NEW.run(case, sources, np.zeros(COUNT, kind), (COUNT,))


def test_tests_of_floats() -> None:
    a = samples("f", COUNT)
    for api, test in (("IsNan", np.isnan), ("IsInf", np.isinf)):
        same_bits(ran(f"f/{api}", [a]), test(a).astype(np.float32))
    half = samples("h", COUNT)
    assert np.array_equal(ran("b8/IsFinite", [half], np.bool_), np.isfinite(half))
    same_bits(ran("f/Rint", [a]), np.rint(a))


def test_logic_of_numbers_and_bits() -> None:
    for name in TESTED:
        a, b = samples(name, COUNT, 1), samples(name, COUNT, 2)
        b[::3] = 0
        for x, function in LOGIC.items():
            assert np.array_equal(ran(f"{name}/Logical{x}", [a, b], np.bool_), function(a, b))
        assert np.array_equal(ran(f"{name}/LogicalNot", [a], np.bool_), np.logical_not(a))
    a = samples("f", COUNT)
    assert np.array_equal(ran("f/LogicalAnds", [a], np.bool_), a != 0)
    assert np.array_equal(ran("f/LogicalOrs", [a], np.bool_), a != 0)
    x, y = samples("i32", COUNT, 1), samples("i32", COUNT, 2)
    for name, bits in BITS.items():
        same_bits(ran(f"i32/Bitwise{name}", [x, y], "i32"), bits(x, y))
    same_bits(ran("i32/BitwiseNot", [x], "i32"), ~x)


def test_choices_and_functions_of_newer_chips() -> None:
    a, b, c = (moderate(samples("f", COUNT, seed), "Gelu") for seed in (1, 2, 3))
    both = NEW.run("f/SinCos", [a], np.zeros(1024, np.float32), (COUNT,))
    same_bits(both[:COUNT], applied(math.sin, a))
    same_bits(both[512 : 512 + COUNT], applied(math.cos, a))
    same_bits(ran("f/Hypot", [a, b]), applied(math.hypot, a, b))
    same_bits(ran("f/Clamp", [a, b]), np.minimum(np.maximum(a, b), np.float32(0.5)))
    condition = np.arange(COUNT) % 3 == 0
    same_bits(ran("f/Where", [a, condition]), np.where(condition, a, np.float32(0.5)))
    x, y, z = (np.clip(v, -99, 99).astype(np.float16) for v in (a, b, c))
    exact = x.astype(np.float64) * y.astype(np.float64) + z.astype(np.float64)
    same_bits(ran("h/Fma", [x, y, z], "h"), exact.astype(np.float32).astype(np.float16))
    wide = [v.astype(DTYPES["bf"]) for v in (x, y)]
    same_bits(ran("bf/ReGlu", wide, "bf"), applied(re_glu, *wide))
    integers = samples("i64", COUNT)
    same_bits(ran("i64/Sign", [integers], "i64"), np.sign(integers))
