"""Lane-wise calls in all their forms: which elements they touch, and what they compute.

Binary: Add Sub Mul Div Max Min And Or AddRelu SubRelu AbsSub ExpSub Prelu. Unary: Abs Exp Ln Sqrt Rsqrt Reciprocal
Relu Not Neg. Scalar: Adds Muls Maxs Mins Subs Divs Ands Ors LeakyRelu ShiftLeft ShiftRight. Other forms of the first
ones in tests/test_emulator_numerics.py.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from harness import CTYPES, DTYPES, Array, Suite, is_float, same_bits, samples
from lanes import FORMS, SIZE, merged, statement

from opwright.passes.chips import get_chip

One = Callable[[Array], Array]
Two = Callable[[Array, Array], Array]
SCALAR = 3


def wide(a: Array) -> Array:
    return a.astype(np.float32) if is_float(a.dtype) else a


def relu(a: Array) -> Array:
    return np.where(~(a <= 0), a, np.zeros_like(a))


def signed_zero_extreme(choose: Two, larger: bool) -> Two:
    def function(a: Array, b: Array) -> Array:
        if not is_float(a.dtype):
            return choose(a, b)
        zeros = (a == 0) & (b == 0)
        negative = np.signbit(a) & np.signbit(b) if larger else np.signbit(a) | np.signbit(b)
        return np.where(zeros, np.where(negative, np.float32(-0.0), np.float32(0.0)), choose(a, b))

    return function


def quotient(a: Array, b: Array) -> Array:
    if is_float(a.dtype):
        return a / b
    exact = [int(abs(int(x)) // abs(int(y))) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)]
    return np.array(exact, a.dtype)


def integer_reciprocal(a: Array) -> Array:
    unit = (a == 1) | ((a.dtype.kind == "i") & (a + 1 == 0))
    return np.where(a == 0, ~a, np.where(unit, a, 0))


BINARY: dict[str, Two] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": quotient,
    "Max": signed_zero_extreme(np.maximum, True),
    "Min": signed_zero_extreme(np.minimum, False),
    "And": np.bitwise_and,
    "Or": np.bitwise_or,
}
NARROW = {"AddRelu": "Add", "SubRelu": "Sub"}
COUNTED: dict[str, Two] = {
    "AbsSub": lambda a, b: np.abs(wide(a - b)),
    "ExpSub": lambda a, b: np.exp((wide(a) - wide(b)).astype(np.float64)).astype(np.float32),
    "Prelu": lambda a, b: np.where(wide(a) < 0, wide(a) * wide(b), wide(a)),
}
UNARY: dict[str, One] = {
    "Abs": np.abs,
    "Exp": lambda a: np.exp(a.astype(np.float64)).astype(np.float32),
    "Ln": lambda a: np.log(a.astype(np.float64)).astype(np.float32),
    "Sqrt": np.sqrt,
    "Rsqrt": lambda a: (1 / np.sqrt(a.astype(np.float64))).astype(np.float32),
    "Reciprocal": lambda a: 1 / a if is_float(a.dtype) else integer_reciprocal(a),
    "Relu": relu,
    "Neg": lambda a: -a,
    "Not": lambda a: ~a,
}
SCALARS = {"Adds": "Add", "Muls": "Mul", "Maxs": "Max", "Mins": "Min"}
FLEXIBLE = {**SCALARS, "Subs": "Sub", "Divs": "Div", "Ands": "And", "Ors": "Or"}


def left(a: Array, n: int) -> Array:
    """Shift to the left; a signed value keeps its sign bit."""
    unsigned = a.view(f"u{a.itemsize}")
    width = 8 * a.itemsize
    plain = unsigned << np.uint64(n).astype(unsigned.dtype) if n < width else np.zeros_like(unsigned)
    if a.dtype.kind == "u":
        return plain
    sign = unsigned.dtype.type(1 << (width - 1))
    return ((unsigned & sign) | (plain & ~sign)).view(a.dtype)


def right(a: Array, n: int, round_up: bool = False) -> Array:
    whole = a >> a.dtype.type(n)
    return whole + ((a >> a.dtype.type(n - 1)) & 1) if round_up and a.dtype.kind == "i" else whole


def numbers(api: str, name: str, seed: int) -> Array:
    values = samples(name, SIZE, seed)
    if api.startswith("Div") and not is_float(values.dtype):
        values[values == 0] = 7
        if values.dtype.kind == "i":
            values[values == -1] = 7
    return values


def compute(api: str, name: str, a: Array, b: Array) -> Array:
    """The result of an API, rounded once to the element type, relu after the rounding."""
    dtype = DTYPES[name]
    if api in NARROW:
        return relu(BINARY[NARROW[api]](wide(a), wide(b)).astype(dtype))
    if api in {"And", "Or", "Not"}:
        bits = f"u{a.itemsize}"
        raw = UNARY[api](a.view(bits)) if api == "Not" else BINARY[api](a.view(bits), b.view(bits))
        return raw.view(dtype)
    return (UNARY[api](wide(a)) if api in UNARY else BINARY[api](wide(a), wide(b))).astype(dtype)


Case = tuple[str, str, str]
MASKED = {"A2": ("mask", "mask array"), "950": ("mask array",)}
CHIP = {"A2": get_chip("ascend910b"), "950": get_chip("ascend950")}


def named(chip: str, api: str) -> list[str]:
    return sorted(row[0] for row in CHIP[chip].vector_dtypes.get(api, ()))


def cases(chip: str) -> dict[Case, str]:
    """All forms for one type of each API, and the count form of the types that only it has."""
    return {**binary_cases(chip), **unary_cases(chip), **scalar_cases(chip)}


def binary_cases(chip: str) -> dict[Case, str]:
    found: dict[Case, str] = {}
    for api in (*BINARY, *NARROW):
        for name in named(chip, api):
            masked = name in "hf" or api in {"And", "Or"}
            forms = FORMS if api == "Add" and name in "hf" else MASKED[chip] if masked else ("count tail",)
            if name == ("i16" if api in {"And", "Or"} else "f") or api == "Add" or api in NARROW:
                found |= binary(api, name, forms)
        for name in named(chip, f"{api}/count") if chip == "950" else ():
            found |= binary(api, name, ("count tail",))
    return found


def unary_cases(chip: str) -> dict[Case, str]:
    found: dict[Case, str] = {}
    for api in UNARY:
        for name in named(chip, api):
            if name == ("i16" if api == "Not" else "f"):
                found |= unary(api, name, (*MASKED[chip], "register"))
        for name in named(chip, f"{api}/count"):
            found |= unary(api, name, ("count tail",))
    return found


def scalar_cases(chip: str) -> dict[Case, str]:
    found: dict[Case, str] = {}
    for api in (*FLEXIBLE, "LeakyRelu", "ShiftLeft", "ShiftRight"):
        for name in named(chip, api):
            if name in {"f", "i16"}:
                whole = api == "Adds" and name == "f"
                found |= scalar(api, name, FORMS if whole else ("count tail", *MASKED[chip]))
        for name in sorted({row[0] for row in CHIP[chip].vector_dtypes.get(f"{api}/count", ()) if len(row) == 2}):
            found |= scalar(api, name, ("count tail",))
    return found


def binary(api: str, name: str, forms: Iterable[str]) -> dict[Case, str]:
    c = CTYPES[name]
    operands = f"D({c}), A({c}), B({c})"
    return {(api, name, f): statement(api, (name,), operands, FORMS[f], "{1, 1, 1, 8, 8, 8}") for f in forms}


def unary(api: str, name: str, forms: Iterable[str]) -> dict[Case, str]:
    c = CTYPES[name]
    return {(api, name, f): statement(api, (name,), f"D({c}), A({c})", FORMS[f], "{1, 1, 8, 8}") for f in forms}


def scalar(api: str, name: str, forms: Iterable[str]) -> dict[Case, str]:
    c = CTYPES[name]
    operands = f"D({c}), A({c}), {c}({SCALAR})" if name != "bf" else f"D({c}), A({c}), ToBfloat16({SCALAR})"
    return {(api, name, f): statement(api, (name,), operands, FORMS[f], "{1, 1, 8, 8}") for f in forms}


EXTRA = {
    "A2": {
        ("And", "i32", "halves"): "And(D(int32_t), A(int32_t), B(int32_t), 2 * 100);",
        ("And", "i32", "operator"): "LocalTensor<int32_t> t = D(int32_t); t.SetSize(100);"
        " LocalTensor<int32_t> u = A(int32_t), v = B(int32_t); t = u & v;",
        ("Sub", "f", "operator"): "LocalTensor<float> t = D(float); t.SetSize(77);"
        " LocalTensor<float> u = A(float), v = B(float); t = u - v;",
        ("Add", "f", "accumulate"): "Add(D(float), A(float), D(float), 64, 5, {1, 1, 1, 0, 8, 0});",
        ("Add", "h", "strides"): "Add(D(half), A(half), B(half), 100, 3, {2, 1, 0, 16, 4, 1});",
        ("ShiftRight", "i16", "round"): "ShiftRight(D(int16_t), A(int16_t), int16_t(3), 128, 2, {1, 1, 8, 8}, true);",
        ("Adds", "f", "repeat 255"): "Adds(D(float), A(float), 3.0f, 8, 255, {1, 1, 0, 0});",
    },
    "950": {
        ("Subs", "f", "scalar first"): "Subs(D(float), 3.0f, A(float), 100);",
        ("Divs", "h", "scalar first"): "Divs(D(half), half(3), A(half), 100);",
        ("ShiftLeft", "i32", "tensor"): "ShiftLeft(D(int32_t), A(int32_t), C(int32_t), 100);",
        ("ShiftRight", "u16", "tensor"): "ShiftRight(D(uint16_t), A(uint16_t), C(int16_t), 100);",
        ("AbsSub", "h", "count"): "AbsSub(D(half), A(half), B(half), 201);",
        ("ExpSub", "h", "count"): "ExpSub(D(float), A(half), B(half), 201);",
        ("Prelu", "f", "count"): "Prelu(D(float), A(float), B(float), 201);",
    },
}
CASES = {chip: {**cases(chip), **EXTRA[chip]} for chip in CHIP}
SUITES = {
    chip: Suite("elementwise", CHIP[chip], {"/".join(key): text for key, text in found.items()})
    for chip, found in CASES.items()
}


def strided(a: Array, b: Array, before: Array) -> Array:
    """What the strides of the case "strides" reach, element by element."""
    want = before.copy()
    for r in range(3):
        for lane in range(100):
            block, rest = divmod(lane, 16)
            want[256 * r + 32 * block + rest] = a[64 * r + lane] + b[16 * r + rest]
    return want


def accumulated(a: Array, before: Array) -> Array:
    want = before.copy()
    for row in a[:320].reshape(5, 64):
        want[:64] = row + want[:64]
    return want


def by_tensor(api: str, a: Array, c: Array) -> Array:
    shift = left if api == "ShiftLeft" else right
    return np.array([shift(a[i : i + 1], int(c[i % c.size]))[0] for i in range(SIZE)], a.dtype)


def special(case: Case, a: Array, b: Array, c: Array, before: Array) -> Array:
    """The cases of `EXTRA`."""
    api, name, form = case
    dtype = DTYPES[name]
    by = np.full_like(a, SCALAR)
    head = {"operator": 77 if api == "Sub" else 100, "count": 201, "round": 256, "repeat 255": 8}.get(form, 100)
    results: dict[str, Callable[[], Array]] = {
        "halves": lambda: compute(api, name, a, b),
        "operator": lambda: compute(api, name, a, b),
        "scalar first": lambda: compute(FLEXIBLE[api], name, by, a),
        "count": lambda: COUNTED[api](a, b).astype(before.dtype),
        "round": lambda: right(a, 3, round_up=True),
        "repeat 255": lambda: a + dtype.type(3),
        "tensor": lambda: by_tensor(api, a, c),
    }
    return np.where(np.arange(SIZE) < head, results[form](), before)


def expected(case: Case, a: Array, b: Array, before: Array) -> Array:
    """The cases whose form is one of `FORMS`."""
    api, name, form = case
    dtype = DTYPES[name]
    if api in {"ShiftLeft", "ShiftRight"}:
        result = left(a, SCALAR) if api == "ShiftLeft" else right(a, SCALAR)
    elif api == "LeakyRelu":
        result = np.where(np.signbit(wide(a)), wide(a) * SCALAR, wide(a)).astype(dtype)
    elif api in FLEXIBLE:
        result = compute(FLEXIBLE[api], name, a, np.full_like(a, SCALAR))
    else:
        result = compute(api, name, a, b)
    return merged(before, result, FORMS[form], 256 // dtype.itemsize)


@pytest.mark.parametrize(("chip", "case"), [(chip, case) for chip in CASES for case in CASES[chip]], ids=str)
def test_call(chip: str, case: Case) -> None:
    api, name, form = case
    a, b = numbers("", name, 1), numbers(api, name, 2)
    if api == "Div" and not is_float(a.dtype):
        a = numbers(api, name, 1)
    out = "f" if api == "ExpSub" else name
    before = samples(out, SIZE, 3)
    shifts = np.arange(SIZE) % 16
    c = shifts.astype(DTYPES[name].str.replace("u", "i")) if form == "tensor" else np.zeros(0, np.uint8)
    got = SUITES[chip].run("/".join(case), [a, b, c], before)
    with np.errstate(all="ignore"):
        if form == "strides":
            want = strided(a, b, before)
        elif form == "accumulate":
            want = accumulated(a, before)
        else:
            want = expected(case, a, b, before) if form in FORMS else special(case, a, b, c, before)
    same_bits(got, want.astype(before.dtype))
