"""NsaCompressGrad on all backends against its definition in float64, and its sizes beyond 32 bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

import opwright as ow
from opwright.compiled import CompiledOperator

Array = NDArray[Any]
BF16 = np.dtype(ml_dtypes.bfloat16)
HALF_STEP = {np.dtype(np.float16): 2.0**-11, BF16: 2.0**-8}
SUM_ERROR = 2.0**-20
"""What an f32 sum may be off, relative to the sum of the magnitudes of its terms."""

NATIVE = [("numpy", "cpu"), ("c", "cpu"), ("numpy", "ascend910b"), ("c", "ascend910b")]
EMULATED = [("ascendc", "ascend910b"), ("ascendc", "ascend950")]
CORES = (1, 3, 7, 40, 48, 64)

Engine = tuple[str, str]


def on(engines: Sequence[Engine]) -> pytest.MarkDecorator:
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
        sizes = {"outputGrad": (count, shape.N, shape.D), "input": (shape.T, shape.N, shape.D), "weight": (shape.K, shape.N)}
        arrays: dict[str, Array] = {n: random.standard_normal(s, np.float32).astype(dtype) for n, s in sizes.items()}
        wide = [arrays[name].astype(np.float64) for name in sizes]
        expected, magnitude = model(shape, *wide), model(shape, *map(np.abs, wide))
        if shape.act is not None:
            arrays["actSeqLenOptional"] = np.array(shape.act, np.int64)
        return Call(shape, arrays, expected, magnitude)

    def run(self, engine: Engine, cores: int) -> dict[str, Array]:
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
def compiled(engine: Engine) -> CompiledOperator:
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

SEGMENTS = [
    Shape(100, 3, 16, 16, 8, ()),
    Shape(100, 3, 16, 16, 8, (0, 0, 40, 40, 40, 55, 71, 100, 100)),
    Shape(100, 3, 16, 16, 8, (0,)),
    Shape(100, 3, 16, 16, 8, (60,)),
    Shape(100, 3, 16, 16, 8, (5, 10, 15, 20, 25, 30)),
    Shape(7, 2, 16, 8, 4, None),
    Shape(1, 1, 1, 1, 1, (1,)),
    Shape(300, 2, 16, 16, 8, tuple(range(1, 301))),
]
"""Empty, short and missing segments; rows behind the last one; no window at all."""

WINDOWS = [
    Shape(70, 3, 16, 16, 16, (33, 70)),
    Shape(70, 3, 16, 16, 24, (33, 70)),
    Shape(40, 3, 16, 1, 1, (11, 40)),
    Shape(40, 3, 16, 1, 3, (11, 40)),
    Shape(90, 3, 16, 32, 1, (41, 90)),
    Shape(90, 2, 16, 48, 5, (1, 90)),
    Shape(60, 3, 16, 7, 3, (0, 0, 10, 13, 60)),
]
"""K = P, K < P, K = 1, and rows that up to 32 windows cover."""

WIDTHS = [
    Shape(40, 5, 1, 16, 8, (21, 40)),
    Shape(40, 5, 7, 16, 8, (21, 40)),
    Shape(40, 5, 16, 16, 8, (21, 40)),
    Shape(40, 5, 32, 16, 8, (21, 40)),
    Shape(40, 5, 48, 16, 8, (21, 40)),
    Shape(40, 1, 48, 16, 8, (21, 40)),
    Shape(40, 128, 48, 16, 8, (21, 40)),
    Shape(40, 1, 256, 16, 8, (21, 40)),
    Shape(40, 33, 256, 16, 8, (21, 40)),
]
WIDE = [Shape(20, 2, 2100, 8, 4, (9, 20))]
"""A row of a window that is longer than a tile."""


@on(NATIVE)
@pytest.mark.parametrize("dtype", [np.float16, BF16], ids=["f16", "bf16"])
@pytest.mark.parametrize("shape", DOCUMENT + SEGMENTS + WINDOWS + WIDTHS, ids=str)
def test_the_definition(engine: Engine, shape: Shape, dtype: DTypeLike) -> None:
    call = Call.of(shape, dtype)
    outputs = call.run(engine, 3)
    call.check(outputs)
