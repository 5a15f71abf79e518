"""NsaCompressGrad on all backends against its definition in float64, and its sizes beyond 32 bits."""

import mmap
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

import opwright as ow
from opwright.backends import Engine
from opwright.codegen.ascendc.executable import AscendcExecutable
from opwright.codegen.c.executable import CExecutable, compile_flags
from opwright.codegen.dtypes import DTYPES
from opwright.codegen.executable import Executable
from opwright.codegen.footprint import tiling_numbers
from opwright.codegen.native import compile_shared
from opwright.compiled import CompiledOperator
from opwright.lowering import lower
from opwright.variants import Variant

Array = NDArray[Any]
BF16 = np.dtype(ml_dtypes.bfloat16)
HALF_STEP = {np.dtype(np.float16): 2.0**-11, BF16: 2.0**-8}
SUM_ERROR = 2.0**-20
"""What an f32 sum may be off, relative to the sum of the magnitudes of its terms."""

NATIVE = [("numpy", "cpu"), ("c", "cpu"), ("numpy", "ascend910b"), ("c", "ascend910b")]
EMULATED = [("ascendc", "ascend910b"), ("ascendc", "ascend950")]
CORES = (1, 3, 7, 40, 48, 64)

Target = tuple[str, str]


def on(engines: Sequence[Target]) -> pytest.MarkDecorator:
    """Run a test on engines; what one compiles stays in one process."""
    params = [pytest.param(e, id="-".join(e), marks=pytest.mark.xdist_group(f"nsa-{'-'.join(e)}")) for e in engines]
    return pytest.mark.parametrize("engine", params)


@dataclass(frozen=True)
class Shape:
    """Sizes of a call and the ends of its segments; None: the list is missing."""

    T: int
    N: int
    D: int
    K: int
    P: int
    act: tuple[int, ...] | None

    def __str__(self) -> str:
        act = "none" if self.act is None else "_".join(map(str, self.act)) or "empty"
        return f"T{self.T}-N{self.N}-D{self.D}-K{self.K}-P{self.P}-{act}"

    @property
    def starts(self) -> list[int]:
        """Return the first row of each window."""
        found: list[int] = []
        begin = 0
        for end in self.act or (self.T,):
            found += range(begin, end - self.K + 1, self.P)
            begin = end
        return found


@dataclass(frozen=True)
class Call:
    """The arrays of a call and what it must return, with the sum of the magnitudes of the terms of each element."""

    shape: Shape
    arrays: dict[str, Array]
    expected: dict[str, Array]
    magnitude: dict[str, Array]

    @staticmethod
    def of(shape: Shape, dtype: DTypeLike) -> "Call":
        random = np.random.default_rng(shape.T * 7 + shape.D)
        count = len(shape.starts)
        sizes = {
            "outputGrad": (count, shape.N, shape.D),
            "input": (shape.T, shape.N, shape.D),
            "weight": (shape.K, shape.N),
        }
        arrays: dict[str, Array] = {n: random.standard_normal(s, np.float32).astype(dtype) for n, s in sizes.items()}
        wide = [arrays[name].astype(np.float64) for name in sizes]
        expected, magnitude = model(shape, *wide), model(shape, *map(np.abs, wide))
        if shape.act is not None:
            arrays["actSeqLenOptionalOptional"] = np.array(shape.act, np.int64)
        return Call(shape, arrays, expected, magnitude)

    def run(self, engine: Target, cores: int) -> dict[str, Array]:
        attributes = {"compressBlockSize": self.shape.K, "compressStride": self.shape.P}
        return dict(compiled(engine).run(self.arrays, attributes, cores=cores))

    def check(self, outputs: dict[str, Array]) -> None:
        assert list(outputs) == list(self.expected)
        for name, output in outputs.items():
            wanted, smallest = self.expected[name], float(np.finfo(np.float16).smallest_subnormal)
            allowed = HALF_STEP[output.dtype] * np.abs(wanted) + SUM_ERROR * self.magnitude[name] + smallest
            assert output.shape == wanted.shape
            assert np.all(np.abs(output.astype(np.float64) - wanted) <= allowed), name


def model(shape: Shape, dy: Array, x: Array, weight: Array) -> dict[str, Array]:
    """The definition, one window after the other."""
    input_grad, weight_grad = np.zeros_like(x), np.zeros_like(weight)
    for c, start in enumerate(shape.starts):
        rows = slice(start, start + shape.K)
        input_grad[rows] += weight[:, :, None] * dy[c]
        weight_grad += (x[rows] * dy[c]).sum(axis=-1)
    return {"inputGradOut": input_grad, "weightGradOut": weight_grad}


@cache
def compiled(engine: Target) -> CompiledOperator:
    return ow.compile("NsaCompressGrad", backend=engine[0], target=engine[1])


def bits(outputs: dict[str, Array]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in outputs.items()}


DOCUMENT = [
    Shape(272, 64, 128, 32, 16, (0, 128, 272)),
    Shape(272, 128, 192, 32, 16, (0, 120, 140, 272)),
    Shape(49, 128, 192, 32, 16, (0, 5, 49)),
    Shape(136, 16, 128, 32, 16, (64, 72, 136)),
    Shape(256, 16, 32, 32, 16, (128, 256)),
    Shape(272, 64, 128, 32, 16, (128, 272)),
    Shape(64, 8, 32, 16, 16, None),
]
"""The public cases, and those that the shipped kernel gets wrong."""

SMALL = [
    Shape(272, 2, 16, 32, 16, (0, 128, 272)),
    Shape(272, 2, 16, 32, 16, (0, 120, 140, 272)),
    Shape(49, 2, 16, 32, 16, (0, 5, 49)),
    Shape(136, 2, 16, 32, 16, (64, 72, 136)),
    Shape(272, 2, 16, 32, 16, (128, 272)),
    # an empty list, empty and short segments, one of a row each, rows behind the last one
    Shape(100, 3, 16, 16, 8, ()),
    Shape(100, 3, 16, 16, 8, (0, 0, 40, 40, 40, 55, 71, 100, 100)),
    Shape(100, 3, 16, 16, 8, (60,)),
    Shape(40, 2, 16, 16, 8, tuple(range(1, 41))),
    # no window at all, no row in a segment, no row at all, one element
    Shape(100, 3, 16, 16, 8, (5, 10, 15, 20, 25, 30)),
    Shape(7, 2, 16, 8, 4, None),
    Shape(100, 3, 16, 16, 8, (0,)),
    Shape(0, 2, 16, 16, 8, None),
    Shape(1, 1, 1, 1, 1, (1,)),
    # K = P, K < P, K = 1, and rows that up to 32 windows cover
    Shape(70, 3, 16, 16, 16, (33, 70)),
    Shape(70, 3, 16, 16, 24, (33, 70)),
    Shape(40, 3, 16, 1, 1, (11, 40)),
    Shape(40, 3, 16, 1, 3, (11, 40)),
    Shape(90, 3, 16, 32, 1, (41, 90)),
    Shape(90, 2, 16, 48, 5, (1, 90)),
    Shape(60, 3, 16, 7, 3, (0, 0, 10, 13, 60)),
    # narrow and wide rows, a number of rows at once that repeats of instructions do not divide
    Shape(40, 5, 1, 16, 8, (21, 40)),
    Shape(40, 5, 7, 16, 8, (21, 40)),
    Shape(40, 5, 32, 16, 8, (21, 40)),
    Shape(40, 1, 48, 16, 8, (21, 40)),
    Shape(40, 128, 16, 16, 8, (21, 40)),
    Shape(40, 17, 256, 16, 8, (21, 40)),
    # rows longer than an instruction repeats over
    Shape(20, 2, 2100, 8, 4, (9, 20)),
    Shape(11, 3, 8200, 4, 3, (5, 11)),
]

LONG = [
    Shape(1402, 2, 16, 1400, 1, None),
    Shape(1500, 3, 7, 1400, 1400, (1480, 1500)),
    Shape(1500, 1, 2000, 1450, 1460, (30, 1500)),
]
"""Windows whose weights do not fit on chip: K > P, K = P, and K < P with long rows."""

COLUMNS = [np.float16, BF16]


def column_of(engine: Target, number: int) -> DTypeLike:
    """Return a dtype: each case has both, on one target or the other; an emulated kernel is compiled for one."""
    if engine in EMULATED:
        return COLUMNS[EMULATED.index(engine)]
    return COLUMNS[(number + NATIVE.index(engine) // 2) % 2]


@on([engine for engine in NATIVE if engine[0] == "c"])
@pytest.mark.parametrize("number", range(len(DOCUMENT + SMALL + LONG)))
def test_the_definition(engine: Target, number: int) -> None:
    """And any number of cores gives the same bits."""
    call = Call.of((DOCUMENT + SMALL + LONG)[number], column_of(engine, number))
    outputs = call.run(engine, CORES[0])
    call.check(outputs)
    assert all(bits(call.run(engine, cores)) == bits(outputs) for cores in CORES[1:])


@on([engine for engine in NATIVE if engine[0] == "numpy"])
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_numpy_gives_the_bits_of_c(engine: Target, number: int) -> None:
    call = Call.of(SMALL[number], column_of(engine, number))
    assert bits(call.run(engine, 7)) == bits(call.run(("c", engine[1]), 1))


@on(EMULATED)
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_emulated_kernels(engine: Target, number: int) -> None:
    call = Call.of(SMALL[number], column_of(engine, number))
    outputs = call.run(engine, CORES[0])
    call.check(outputs)
    assert bits(outputs) == bits(call.run(("c", engine[1]), 3))
    assert all(bits(call.run(engine, cores)) == bits(outputs) for cores in CORES[1:])


@on(EMULATED)
@pytest.mark.parametrize("number", range(len(LONG)))
def test_emulated_kernels_with_long_windows(engine: Target, number: int) -> None:
    call = Call.of(LONG[number], column_of(engine, number))
    outputs = call.run(engine, CORES[0])
    call.check(outputs)
    assert bits(outputs) == bits(call.run(("c", engine[1]), 3)) == bits(call.run(engine, 40))


@on(EMULATED)
def test_an_emulated_kernel_at_the_size_of_the_document(engine: Target) -> None:
    call = Call.of(DOCUMENT[0], column_of(engine, 0))
    call.check(call.run(engine, 40))


@on(EMULATED[:1])
def test_rows_under_no_window_are_zero_whatever_they_hold(engine: Target) -> None:
    """And NaN in the gradient of one window reaches its own rows only."""
    shape = Shape(100, 3, 16, 16, 8, (20, 30, 70))
    call = Call.of(shape, np.float16)
    outside = np.array([all(not 0 <= t - start < shape.K for start in shape.starts) for t in range(shape.T)])
    call.arrays["input"][outside] = np.nan
    outputs = call.run(engine, 7)
    call.check(outputs)
    assert outside.sum() == 4 + 10 + 0 + 30
    assert not outputs["inputGradOut"][outside].view(np.uint16).any()
    call.arrays["outputGrad"][2] = np.nan
    spoilt = np.isnan(call.run(engine, 7)["inputGradOut"]).all(axis=(1, 2))
    assert np.flatnonzero(spoilt).tolist() == list(range(shape.starts[2], shape.starts[2] + shape.K))


HUGE = Shape((1 << 19) + 1000, 64, 128, 2, 1, None)
"""More than 2^32 elements of `input`, of its gradient and of `outputGrad`."""

NO_RESERVE = 0x4000
"""Linux's MAP_NORESERVE, which Python names from 3.13 on only."""

TAIL = 1000
"""Rows that hold something: those whose places are beyond 32 bits, and a little more."""


def executable_of(engine: Target) -> Executable:
    return compiled(engine).runner(Variant(0, frozenset())).executable


def huge_dims() -> dict[str, int]:
    attributes = {"compressBlockSize": HUGE.K, "compressStride": HUGE.P, "actSeqLenType": 0}
    return {"T": HUGE.T, "N": HUGE.N, "D": HUGE.D, "C": HUGE.T - 1, "R": 1, "K": HUGE.K, **attributes}


def untouched(shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Return zeros that take memory only where somebody looks at them."""
    size = prod(shape) * np.dtype(dtype).itemsize
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE)
    return np.frombuffer(pages, dtype).reshape(shape)


def last_core_only(executable: CExecutable) -> CExecutable:
    """Return the kernel without the work of other cores, but for the first stage, which one core does alone."""
    ((name, text),) = executable.sources.items()
    first, *others = re.split(r"for \(int64_t core = 0; (core < [^;]+)(?=; \+\+core\))", text)
    loops = [f"for (int64_t core = {0 if n == 0 else 'cores - 1'}; {part}" for n, part in enumerate(others[::2])]
    assert len(loops) > 1
    sources = {name: first + "".join(loop + rest for loop, rest in zip(loops, others[1::2], strict=True))}
    library = compile_shared(sources, name, language="c", flags=compile_flags())
    return replace(executable, sources=sources, library=library)


@on([engine for engine in NATIVE if engine[0] == "c"])
def test_the_end_of_tensors_with_more_than_2_to_the_32_elements(engine: Target) -> None:
    """So many cores share the work that the last one has few rows; it finds them behind all the others."""
    cores, dims, random = 1 << 13, huge_dims(), np.random.default_rng(0)
    whole = executable_of(engine)
    assert isinstance(whole, CExecutable)
    executable = last_core_only(whole)
    results = dict(zip(executable.interface.tiling_results, executable.tiling(dims, cores), strict=True))
    tensors = [(t, untouched(t.shape({**dims, **results}), DTYPES[t.element_type])) for t in whole.interface.tensors]
    arrays = {tensor.name: array for tensor, array in tensors}
    arrays["actSeqLenOptionalOptional"][:] = HUGE.T
    arrays["weight"][:] = random.standard_normal((HUGE.K, HUGE.N))
    for name in ("outputGrad", "input"):
        arrays[name][-TAIL:] = random.standard_normal((TAIL, HUGE.N, HUGE.D))
    executable.call(list(arrays.values()), [dims[name] for name in executable.interface.dims], cores)
    dy, x = (arrays[name][-TAIL:].astype(np.float64) for name in ("outputGrad", "input"))
    weight = arrays["weight"].astype(np.float64)[..., None]
    input_grad = arrays["inputGradOut"][-TAIL:]
    rows, heads = (np.flatnonzero(input_grad.any(axis=axes)) for axes in ((1, 2), (0, 2)))
    assert 0 < len(rows) < TAIL / 2
    assert (rows[-1], heads[-1]) == (TAIL - 1, HUGE.N - 1)
    # the window that starts at row t is number t, so dy of the window from row t on stands one row further to the end
    expected = np.zeros_like(x)
    expected[1:] += weight[1] * dy[1:]
    expected[1:-1] += weight[0] * dy[2:]
    np.testing.assert_allclose(input_grad[rows][:, heads], expected[rows][:, heads], rtol=2**-10, atol=2**-18)
    products = (x * dy)[rows][:, heads].sum(axis=(0, 2))
    np.testing.assert_allclose(arrays["weightGradOut"][1, heads], products, rtol=2**-10, atol=2**-10)
    assert not arrays["inputGradOut"][: 2 * TAIL].any()


@pytest.mark.parametrize("target", ["ascend910b", "ascend950"])
@pytest.mark.parametrize("cores", [1, 40, 64])
def test_host_tiling_of_such_tensors(target: str, cores: int) -> None:
    """The host's C++ computes what Python's integers, which never overflow, compute."""
    executable = executable_of(("ascendc", target))
    assert isinstance(executable, AscendcExecutable)
    dims = huge_dims()
    launch = executable.tiling(dims, cores)
    fields = dict(zip(executable.data.fields, launch.words.tolist(), strict=True))
    lowered = lower(compiled(("numpy", target)).operator, Engine.of("numpy", target), Variant(0, frozenset()))
    numbers = tiling_numbers(lowered, {name: dims[name] for name in executable.interface.dims}, cores)
    names = executable.data.spelling.names
    assert fields.items() >= {names[name]: number for name, number in numbers.items() if name != "cores"}.items()
    parts = numbers["weight_grad_parts"] * HUGE.K * HUGE.N
    assert launch.workspace_bytes >= 4 * parts


def test_indices_of_the_emitted_kernel_have_64_bits() -> None:
    """Only identifiers of events and the loop over the words of the tiling data are narrower."""
    sources = executable_of(("ascendc", "ascend910b")).sources
    kernel = next(text for name, text in sources.items() if name.endswith("_f16.cpp"))
    narrow = set(re.findall(r"\bu?int(?:8|16|32)_t (\w+)", kernel))
    assert narrow <= {"i"} | set(re.findall(r"(\w+) = pipe->AllocEventID", kernel))
