"""Each scalar operation of the NumPy emitter against the reference interpreter, as lanes of an array and one by one."""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IndexType, IntegerType, i1
from xdsl.ir import Attribute

from opwright.codegen import scalars
from opwright.codegen.dtypes import DTYPES
from opwright.codegen.numpy import Options, emit, load
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context

Array = NDArray[Any]
BF16, F16, F32 = BFloat16Type(), Float16Type(), Float32Type()
I8, I16, I32, I64, INDEX = (*(IntegerType(n) for n in (8, 16, 32, 64)), IndexType())


@dataclass(frozen=True)
class Case:
    """An operation in generic form; i1 and index values are stored as i8 and i64."""

    name: str
    operands: tuple[Attribute, ...]
    result: Attribute
    properties: str = ""

    def __str__(self) -> str:
        types = " ".join(str(t) for t in dict.fromkeys((*self.operands, self.result)))
        return f"{self.name}{self.properties} {types}"

    def text(self) -> str:
        names = [f"a{n}" for n in range(len(self.operands))]
        stored = [storage(t) for t in (*self.operands, self.result)]
        memrefs = ", ".join(f"%m{n}: memref<?x{t}>" for n, t in enumerate(stored))
        lines = [
            line
            for n, (name, t) in enumerate(zip(names, self.operands, strict=True))
            for line in (f"%{name}_in = tile.read %m{n}[%i] : memref<?x{storage(t)}>", as_value(name, t))
        ]
        types = f"({', '.join(str(t) for t in self.operands)}) -> {self.result}"
        operands = ", ".join(f"%{name}" for name in names)
        lines += [
            f'%r = "{self.name}"({operands}){self.properties} : {types}',
            as_stored(self.result),
            f"tile.write %r_out to %m{len(names)}[%i] : memref<?x{stored[-1]}>",
        ]
        body = "\n".join(lines)
        return f"""
            func.func @f({memrefs}, %n: index) {{
              %zero = arith.constant 0 : i8
              tile.foreach (%i: 0 to %n) {{
                {body}
              }}
              func.return
            }}"""


def storage(value_type: Attribute) -> Attribute:
    return I8 if value_type == i1 else I64 if isinstance(value_type, IndexType) else value_type


def as_value(name: str, value_type: Attribute) -> str:
    if value_type == i1:
        return f"%{name} = arith.cmpi ne, %{name}_in, %zero : i8"
    if isinstance(value_type, IndexType):
        return f"%{name} = arith.index_cast %{name}_in : i64 to index"
    return f"%{name} = arith.bitcast %{name}_in : {value_type} to {value_type}"


def as_stored(value_type: Attribute) -> str:
    if value_type == i1:
        return "%r_out = arith.extui %r : i1 to i8"
    if isinstance(value_type, IndexType):
        return "%r_out = arith.index_cast %r : index to i64"
    return f"%r_out = arith.bitcast %r : {value_type} to {value_type}"


def samples(value_type: Attribute, rng: np.random.Generator, count: int = 300) -> Array:
    """Random numbers of all sizes, and every pair of special ones."""
    dtype = DTYPES[storage(value_type)]
    if value_type == i1:
        return rng.integers(0, 2, count).astype(dtype)
    if isinstance(value_type, IntegerType | IndexType):
        bits = 8 * dtype.itemsize
        high = 1 << (30 if isinstance(value_type, IndexType) else bits - 1)
        special = [0, 1, -1, 2, 7, -high, high - 1]
        small = rng.integers(-9, 10, count // 2)
        values = np.concatenate((special, small, rng.integers(-high, high, count - count // 2 - len(special))))
        return values.astype(dtype)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -1.5, np.inf, -np.inf, np.nan, 1e-40, 0.49999997]
    with np.errstate(over="ignore"):
        random = rng.standard_normal(count - len(special)) * 10.0 ** rng.integers(-3, 4, count - len(special))
        return np.concatenate((special, random)).astype(np.float32).astype(dtype)


def operands(case: Case) -> list[Array]:
    """Operands of the case; divisors are not 0, shifts within the width, and no index overflows: it is a Python int."""
    rng = np.random.default_rng(7)
    arrays = [rng.permutation(samples(t, rng)) for t in case.operands]
    if any(word in case.name for word in ("div", "rem")) and not case.name.endswith("f"):
        arrays[1][arrays[1] == 0] = 3
        arrays[1][arrays[1] == -1] = -5
    if ".sh" in case.name:
        arrays[1] %= 8 * arrays[1].itemsize if case.operands[1] != INDEX else 30
    if "fpto" in case.name:
        arrays[0] = np.clip(np.nan_to_num(arrays[0].astype(np.float32)), 0, 100).astype(arrays[0].dtype)
    return arrays


def expected(case: Case, arrays: list[Array]) -> Array:
    module = parse_module(new_context(), case.text(), "case.mlir")
    op = next(op for op in module.walk() if op.name == case.name and op.results[0].name_hint == "r")
    values = [a != 0 if t == i1 else a for a, t in zip(arrays, case.operands, strict=True)]
    with np.errstate(all="ignore"):
        result = scalars.apply(op, values, DTYPES[case.result])
    assert result is not None
    return result.astype(DTYPES[storage(case.result)])


def computed(case: Case, arrays: list[Array], *, lanes: bool) -> Array:
    module = parse_module(new_context(), case.text(), "case.mlir")
    module.verify()
    result = np.zeros(len(arrays[0]), DTYPES[storage(case.result)])
    load(emit(module, Options(lanes=lanes)))["f"](*arrays, result, len(result))
    return result


def assert_same(a: Array, b: Array) -> None:
    """Compare bits, except those of NaN."""
    if a.dtype.kind in "iu":
        np.testing.assert_array_equal(a, b)
        return
    a32, b32 = a.astype(np.float32), b.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(a32), np.isnan(b32))
    bits = np.dtype(f"u{a.dtype.itemsize}")
    numbers = ~np.isnan(a32)
    np.testing.assert_array_equal(a.view(bits)[numbers], b.view(bits)[numbers])


INTEGER = (
    *("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui", "shli", "shrui", "shrsi"),
    *("divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"),
)
FLOAT = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf")
UNARY_EXACT = ("absf", "ceil", "floor", "round", "roundeven", "sqrt", "trunc", "rsqrt")
UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "exp", "exp2", "expm1", "log"),
    *("log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
BOOLEAN = ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
FLAGS = " <{fastmath = #arith.fastmath<none>}>"

CASES = [
    *(Case(f"arith.{n}", (t, t), t) for n in INTEGER for t in (I8, I32, I64, INDEX)),
    *(Case(f"arith.{n}", (i1, i1), i1) for n in BOOLEAN),
    *(Case("arith.cmpi", (t, t), i1, f" <{{predicate = {p} : i64}}>") for p in range(10) for t in (I8, I32, INDEX, i1)),
    *(Case(f"arith.{n}", (t, t), t, FLAGS) for n in FLOAT for t in (F16, BF16, F32)),
    Case("arith.negf", (F32,), F32, FLAGS),
    *(
        Case("arith.cmpf", (F32, F32), i1, f" <{{predicate = {p} : i64, fastmath = #arith.fastmath<none>}}>")
        for p in range(16)
    ),
    *(Case("arith.select", (i1, t, t), t) for t in (F32, BF16, I32, INDEX, i1)),
    *(Case(f"math.{n}", (t,), t, FLAGS) for n in UNARY_EXACT for t in (F16, F32)),
    *(Case(f"math.{n}", (F32,), F32, FLAGS) for n in UNARY),
    *(Case(f"math.{n}", (F32, F32), F32, FLAGS) for n in ("atan2", "powf", "copysign")),
    Case("math.fma", (F32, F32, F32), F32, FLAGS),
    *(Case(f"math.{n}", (t,), t) for n in ("absi", "ctpop", "ctlz", "cttz") for t in (I8, I16, I32, I64)),
    *(Case(f"arith.{n}", (a,), b) for n in ("extsi", "extui") for a, b in ((i1, I32), (I8, I16), (I8, I64))),
    *(Case("arith.trunci", (a,), b) for a, b in ((I32, I8), (I64, I32), (I32, i1))),
    *(
        Case("arith.index_cast", (a,), b)
        for a, b in ((I8, INDEX), (I32, INDEX), (INDEX, I8), (INDEX, I32), (i1, INDEX))
    ),
    *(Case("arith.extf", (a,), F32) for a in (F16, BF16)),
    *(Case("arith.truncf", (F32,), b) for b in (F16, BF16)),
    *(
        Case(f"arith.{n}", (a,), b)
        for n in ("sitofp", "uitofp")
        for a, b in ((I8, F32), (I32, F32), (I64, F32), (i1, F32))
    ),
    *(Case(f"arith.{n}", (I8,), b) for n in ("sitofp", "uitofp") for b in (F16, BF16)),
    *(Case(f"arith.{n}", (a,), b) for n in ("fptosi", "fptoui") for a, b in ((F32, I32), (F32, I8), (BF16, I16))),
    *(Case("arith.bitcast", (a,), b) for a, b in ((F32, I32), (I32, F32), (BF16, I16), (I16, F16))),
]


@pytest.mark.parametrize("lanes", [True, False], ids=["lanes", "loop"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_operation(case: Case, lanes: bool) -> None:
    arrays = operands(case)
    assert_same(computed(case, arrays, lanes=lanes), expected(case, arrays))


def test_a_number_wins_over_nan() -> None:
    nan, a = np.float32(np.nan), np.array([1, np.nan, 0.0, -0.0], np.float32)
    b = np.array([nan, 2, -0.0, 0.0], np.float32)
    for name, numbers in (("maxnumf", [1, 2, 0.0, 0.0]), ("minnumf", [1, 2, -0.0, -0.0])):
        case = Case(f"arith.{name}", (F32, F32), F32, FLAGS)
        for lanes in (True, False):
            assert_same(computed(case, [a, b], lanes=lanes), np.array(numbers, np.float32))


@pytest.mark.parametrize("source", [I32, I64], ids=str)
def test_double_rounding_is_refused(source: Attribute) -> None:
    with pytest.raises(Diagnostic, match="would round twice") as caught:
        computed(Case("arith.sitofp", (source,), BF16), [np.zeros(1, DTYPES[source])], lanes=True)
    assert caught.value.code == "OPW412"


def test_every_operation_of_the_tables_is_tried() -> None:
    from opwright.codegen.numpy import casts, floats, integers

    tried = {case.name for case in CASES} | {arith.ConstantOp.name, arith.MaxnumfOp.name, arith.MinnumfOp.name}
    tables = {op.name for table in (casts, floats, integers) for op in table.EMITTERS}
    assert tables - tried == set()


@pytest.mark.parametrize(
    ("number", "value_type", "text"),
    [
        ("0.1", "f32", "np.float32(0.1)"),
        ("1.5", "bf16", "bfloat16(1.5)"),
        ("0x7f800000", "f32", 'np.float32("inf")'),
        ("0xff800000", "f32", 'np.float32("-inf")'),
        ("0x7fc00000", "f32", 'np.float32("nan")'),
        ("-0.0", "f32", "np.float32(-0.0)"),
        ("1.0e-40", "f32", "np.float32(1e-40)"),
        ("255", "i8", "np.int8(-1)"),
        ("-7", "i64", "np.int64(-7)"),
    ],
)
def test_constant(number: str, value_type: str, text: str) -> None:
    ir = f"func.func @f(%m: memref<1x{value_type}>) {{ %i = arith.constant 0 : index %c = arith.constant {number} : "
    module = parse_module(
        new_context(), f"{ir}{value_type} memref.store %c, %m[%i] : memref<1x{value_type}> func.return }}", "c"
    )
    source = emit(module)
    assert f"c = {text}\n" in source
    kept = np.zeros(1, {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8, "i64": np.int64}[value_type])
    load(source)["f"](kept)
    assert kept[0] == eval(text, {"np": np, "bfloat16": ml_dtypes.bfloat16}) or "nan" in text
