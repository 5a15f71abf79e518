"""MoeTokenUnpermuteWithRoutingMapGrad on all backends against its definition in float64, whatever the routing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import opwright as ow
from opwright.codegen.ascendc.executable import AscendcExecutable
from opwright.codegen.binding import bind, bound_arrays
from opwright.codegen.executable import Executable
from opwright.compiled import CompiledOperator
from opwright.narrowing import variant_of

Array = NDArray[Any]
Arrays = dict[str, Array]
BF16 = np.dtype(ml_dtypes.bfloat16)
F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
HALF_STEP = {F16: 2.0**-11, BF16: 2.0**-8, F32: 2.0**-24}
SUM_ERROR = 2.0**-20
"""What an f32 sum may be off, relative to the sum of the magnitudes of its terms."""

COLUMNS = [(F32, F32), (F16, F16), (BF16, BF16), (BF16, F32)]
"""Dtypes of the tokens and of the probabilities."""

NATIVE = [("numpy", "cpu"), ("c", "cpu"), ("numpy", "ascend910b"), ("c", "ascend910b")]
EMULATED = [("ascendc", "ascend910b"), ("ascendc", "ascend950")]
CORES = (1, 3, 7, 40, 48, 64)
GRAD, PROBS_GRAD = "permutedTokensGradOut", "probsGradOutOptional"
TOKENS, INDEX, ID, ROUTING = "unpermutedTokensGrad", "outIndex", "permuteTokenId", "routingMapOptional"
PERMUTED, PROBS = "permutedTokensOptional", "probsOptional"

Target = tuple[str, str]


def on(engines: Sequence[Target]) -> pytest.MarkDecorator:
    """Run a test on engines; what one compiles stays in one process."""
    params = [pytest.param(e, id="-".join(e), marks=pytest.mark.xdist_group(f"moe-{'-'.join(e)}")) for e in engines]
    return pytest.mark.parametrize("engine", params)


@dataclass(frozen=True)
class Shape:
    """Sizes of a call, and how its slots are filled.

    Attributes:
        T, H, E: tokens, their length, experts.
        K: slots a token, or a expert where `padded`.
        used: how many of the slots are used.
        routed: most experts of a token over K; below 0 each token has fewer than K.
        busy: how many experts have work.
    """

    T: int
    H: int
    E: int
    K: int
    padded: bool = False
    probs: bool = True
    used: float = 0.8
    routed: int = 0
    busy: float = 1.0

    def __str__(self) -> str:
        mode = "padded" if self.padded else "plain"
        return f"T{self.T}-H{self.H}-E{self.E}-K{self.K}-{mode}-{'probs' if self.probs else 'copy'}-{self.used}"

    @property
    def slots(self) -> int:
        """The number of slots."""
        return self.K * (self.E if self.padded else self.T)

    def places(self, random: np.random.Generator) -> tuple[Array, Array, Array]:
        """Draw outIndex, permuteTokenId and the routing map; no token has two slots of one expert."""
        busy = np.zeros(self.E, bool)
        busy[random.permutation(self.E)[: max(1, round(self.E * self.busy))]] = True
        order = np.argsort(random.random((self.T, self.E)) + 2.0 * ~busy, axis=1)
        count = random.integers(0, self.K + self.routed + 1, self.T) if self.routed >= 0 else np.zeros(self.T)
        routing = np.argsort(order, axis=1) < np.minimum(count, busy.sum())[:, None]
        index = random.permutation(self.slots).astype(np.int32)
        token = random.integers(0, self.T, self.slots).astype(np.int32)
        unused = random.random(self.slots) >= self.used
        if self.padded:
            of_place = np.concatenate([random.permutation(self.T)[: self.K] for _ in range(self.E)])
            token = of_place[index].astype(np.int32)
            unused |= ~busy[index // self.K]
        index[unused] = -random.integers(1, 1 << 31, unused.sum())
        return index, token, routing


@dataclass(frozen=True)
class Call:
    """The arrays of a call and what it must return, with the sum of the magnitudes of the terms of the dot products."""

    shape: Shape
    arrays: Arrays

    @staticmethod
    def of(shape: Shape, column: int) -> "Call":
        random = np.random.default_rng(shape.T * 31 + shape.H)
        kind, probs_kind = COLUMNS[column]
        index, token, routing = shape.places(random)
        arrays: Arrays = {TOKENS: random.standard_normal((shape.T, shape.H), np.float32).astype(kind)}
        arrays |= {INDEX: index, ID: token}
        if shape.probs:
            permuted = random.standard_normal((shape.slots, shape.H), np.float32).astype(kind)
            probs = random.standard_normal((shape.T, shape.E), np.float32).astype(probs_kind)
            arrays |= {ROUTING: routing, PERMUTED: permuted, PROBS: probs}
        return Call(shape, arrays)

    @property
    def attributes(self) -> dict[str, bool]:
        return {"paddedMode": self.shape.padded}

    def run(self, engine: Target, cores: int) -> Arrays:
        return dict(compiled(engine).run(self.arrays, self.attributes, cores=cores))

    def check(self, outputs: Mapping[str, Array]) -> None:
        grad, dots, magnitude = model(self.shape, self.arrays)
        kind = self.arrays[TOKENS].dtype
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = grad.astype(np.float32).astype(kind)
        assert bits(outputs[GRAD]) == bits(rounded), GRAD
        if self.shape.probs:
            found = outputs[PROBS_GRAD]
            assert found.shape == dots.shape
            assert found.dtype == self.arrays[PROBS].dtype
            smallest = float(np.finfo(np.float16).smallest_subnormal)
            allowed = HALF_STEP[found.dtype] * np.abs(dots) + SUM_ERROR * magnitude + smallest * (magnitude > 0)
            assert np.all(np.abs(found.astype(np.float64) - dots) <= allowed), PROBS_GRAD


def model(shape: Shape, arrays: Mapping[str, Array]) -> tuple[Array, Array, Array]:
    """The definition, one slot after the other: both gradients, and the sums of magnitudes of the second.

    Of two slots with one place the last one counts.
    """
    g = arrays[TOKENS].astype(np.float64)
    grad, dots = np.zeros((shape.slots, shape.H)), np.zeros((shape.T, shape.E) if shape.probs else (shape.T, 0))
    magnitude = np.zeros_like(dots)
    for i, p in enumerate(arrays[INDEX]):
        t = arrays[ID][i] if shape.padded else i // shape.K
        if p < 0:
            continue
        if not shape.probs:
            grad[p] = g[t]
            continue
        e = expert_of(shape, arrays, i, int(p))
        if e is None:
            grad[p] = 0
            continue
        permuted = arrays[PERMUTED][p].astype(np.float64)
        grad[p] = g[t] * arrays[PROBS][t, e].astype(np.float64)
        dots[t, e], magnitude[t, e] = (g[t] * permuted).sum(), np.abs(g[t] * permuted).sum()
    return grad, dots, magnitude


def expert_of(shape: Shape, arrays: Mapping[str, Array], slot: int, place: int) -> int | None:
    if shape.padded:
        return place // shape.K
    experts = np.flatnonzero(arrays[ROUTING][slot // shape.K])
    return int(experts[slot % shape.K]) if slot % shape.K < len(experts) else None


@cache
def compiled(engine: Target) -> CompiledOperator:
    return ow.compile("MoeTokenUnpermuteWithRoutingMapGrad", backend=engine[0], target=engine[1])


def bits(array: Array) -> bytes:
    return array.tobytes()


def all_bits(outputs: Mapping[str, Array]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in outputs.items()}


PUBLIC = [
    Shape(1, 2, 2, 2),
    Shape(40, 20, 20, 20),
    Shape(40, 20, 20, 20, padded=True),
    Shape(40, 20, 20, 20, probs=False),
    Shape(40, 20, 20, 20, padded=True, probs=False),
    Shape(30, 64, 64, 1),
]
SMALL = [
    Shape(1, 1, 1, 1),
    Shape(1, 1, 1, 1, padded=True),
    Shape(7, 33, 5, 2),
    Shape(7, 33, 5, 2, padded=True),
    Shape(7, 33, 5, 2, probs=False),
    Shape(7, 33, 5, 2, padded=True, probs=False),
    # rows of one element, narrow ones, such that no instruction divides
    Shape(30, 1, 3, 2),
    Shape(30, 7, 3, 2, padded=True),
    Shape(20, 15, 9, 4),
    Shape(20, 17, 9, 4, probs=False),
    Shape(9, 1059, 6, 3),
    Shape(9, 1059, 6, 3, padded=True),
    Shape(9, 1059, 6, 3, probs=False),
    # nothing is dropped, or everything
    Shape(12, 17, 6, 3, used=1.0),
    Shape(12, 17, 6, 3, padded=True, used=1.0),
    Shape(12, 17, 6, 3, used=0.0),
    Shape(12, 17, 6, 3, padded=True, used=0.0),
    Shape(12, 17, 6, 3, probs=False, used=0.0),
    # no expert for any token, more than K for some, few experts with work
    Shape(12, 17, 6, 3, routed=-1),
    Shape(25, 15, 40, 3, routed=20),
    Shape(25, 15, 40, 3, busy=0.1),
    Shape(25, 15, 40, 3, padded=True, busy=0.1),
    # more slots than experts, one expert, as many slots of an expert as tokens
    Shape(9, 8, 2, 4, routed=1),
    Shape(9, 8, 1, 1),
    Shape(16, 16, 4, 16, padded=True),
    # rows that no chip holds whole
    Shape(5, 20001, 7, 2),
    Shape(5, 9000, 3, 2, padded=True),
]
LARGE = [
    Shape(400, 7, 9, 2, used=0.9),
    Shape(33, 15, 256, 8),
    Shape(50, 17, 16, 16),
    Shape(60, 15, 200, 1, padded=True),
    Shape(300, 9, 16, 16, padded=True, used=0.7),
    Shape(5, 3020, 7, 2),
    Shape(5, 3020, 3, 2, padded=True),
    Shape(5, 7153, 7, 2),
    Shape(5, 7153, 3, 2, padded=True, probs=False),
]


def column_of(engine: Target, number: int, shape: Shape) -> int:
    """Return a dtype column: both targets together have all, of each mode some; an emulated kernel has one a mode."""
    if engine in EMULATED:
        return [3, 1, 0, 2][EMULATED.index(engine) + 2 * shape.padded]
    target = NATIVE.index(engine) // 2
    return (2 * number + target) % 4 if shape.probs and not shape.padded else target + 2 * shape.padded


@on([engine for engine in NATIVE if engine[0] == "c"])
@pytest.mark.parametrize("number", range(len(PUBLIC + SMALL + LARGE)))
def test_the_definition(engine: Target, number: int) -> None:
    """And any number of cores gives the same bits."""
    shape = (PUBLIC + SMALL + LARGE)[number]
    call = Call.of(shape, column_of(engine, number, shape))
    outputs = call.run(engine, CORES[0])
    call.check(outputs)
    assert all(all_bits(call.run(engine, cores)) == all_bits(outputs) for cores in CORES[1:])


@on([engine for engine in NATIVE if engine[0] == "numpy"])
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_numpy_gives_the_bits_of_c(engine: Target, number: int) -> None:
    call = Call.of(SMALL[number], column_of(engine, number, SMALL[number]))
    assert all_bits(call.run(engine, 7)) == all_bits(call.run(("c", engine[1]), 1))


@on(EMULATED)
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_emulated_kernels(engine: Target, number: int) -> None:
    call = Call.of(SMALL[number], column_of(engine, number, SMALL[number]))
    outputs = call.run(engine, CORES[0])
    call.check(outputs)
    assert all_bits(outputs) == all_bits(call.run(("c", engine[1]), 3))
    assert all(all_bits(call.run(engine, cores)) == all_bits(outputs) for cores in CORES[1:])


DOCUMENT: Arrays = {
    TOKENS: np.ones((1, 2), np.float32),
    INDEX: np.array([0, 1], np.int32),
    ID: np.zeros(2, np.int32),
    # the document's program gives int32 data to a map of bytes, and the device sees the first two of those
    ROUTING: np.array([1, 1], "<i4").view(np.int8)[:2].reshape(1, 2),
    PERMUTED: np.ones((2, 2), np.float32),
    PROBS: np.ones((1, 2), np.float32),
}


@on([*NATIVE, *EMULATED, ("reference", "cpu")])
def test_the_example_of_the_document(engine: Target) -> None:
    outputs = compiled(engine).run(DOCUMENT)
    assert outputs[GRAD].tolist() == [[1, 1], [0, 0]]
    assert outputs[PROBS_GRAD].tolist() == [[2, 0]]


@on([*NATIVE, EMULATED[0]])
@pytest.mark.parametrize("padded", [False, True])
def test_copies_keep_all_bits(engine: Target, padded: bool) -> None:
    """Signalling NaN, its payload, and -0 included."""
    call = Call.of(
        Shape(16, 17, 8, 4, padded=padded, probs=False), column_of(EMULATED[0], 0, Shape(1, 1, 1, 1, padded))
    )
    shape, kind = call.arrays[TOKENS].shape, call.arrays[TOKENS].dtype
    raw = np.random.default_rng(5).integers(0, 256, (*shape, kind.itemsize), np.uint8)
    call.arrays[TOKENS][:] = raw.view(kind)[..., 0]
    rows = {int(p): call.arrays[ID][i] if padded else i // 4 for i, p in enumerate(call.arrays[INDEX]) if p >= 0}
    found = call.run(engine, 7)[GRAD]
    assert len(rows) > 16
    for place, row in enumerate(found):
        token = rows.get(place)
        assert bits(row) == (b"\0" * row.nbytes if token is None else bits(call.arrays[TOKENS][token]))


@on([*NATIVE, EMULATED[0]])
def test_rows_without_an_expert_are_zero_whatever_they_hold(engine: Target) -> None:
    """Inf, NaN and negative numbers of tokens, rows and probabilities that no used slot meets leave no trace."""
    call = Call.of(Shape(25, 15, 12, 3, used=0.7), column_of(EMULATED[0], 0, Shape(1, 1, 1, 1)))
    arrays = call.arrays
    lost = np.arange(0, 25, 3)
    arrays[ROUTING][lost] = False
    arrays[TOKENS][lost] = np.array([np.nan, np.inf, -np.inf, -0.0, -1.0])[np.arange(15) % 5]
    unused = sorted(set(range(75)) - set(arrays[INDEX].tolist()))
    owner = {int(p): i // 3 for i, p in enumerate(arrays[INDEX]) if p >= 0}
    arrays[PERMUTED][[*unused, *(p for p, t in owner.items() if t in lost)]] = np.nan
    arrays[PROBS][~arrays[ROUTING]] = np.nan
    outputs = call.run(engine, 7)
    assert np.isfinite(outputs[GRAD].astype(np.float32)).all()
    assert np.isfinite(outputs[PROBS_GRAD].astype(np.float32)).all()
    call.check(outputs)


def kernel(engine: Target, call: Call) -> tuple[Executable, Arrays, dict[str, int]]:
    """Return the kernel alone, which cannot refuse what the data say, and what it takes."""
    operator = compiled(engine)
    binding = bind(operator.operator.op, call.arrays, call.attributes)
    runner = operator.runner(variant_of(operator.operator.op, binding))
    bound = bound_arrays(operator.operator.op, binding, call.arrays)
    return runner.executable, *runner.arguments(binding, bound)


def spoilt(shape: Shape, column: int) -> Call:
    """Return a call with places out of range, near and far, and places that are named twice."""
    call = Call.of(shape, column)
    index, token = call.arrays[INDEX], call.arrays[ID]
    slots = np.random.default_rng(9).permutation(shape.slots)[:10]
    index[slots[:4]] = [shape.slots, shape.slots + 7, 1 << 30, -shape.slots]
    index[slots[4:6]] = index[(slots[4:6] + 1) % shape.slots]
    token[slots[6:]] = [shape.T, 1 << 30, -1, -(1 << 31)]
    return call


def defined(call: Call) -> Call:
    """Return the call that the kernel must act like: slots out of range are dropped."""
    shape, arrays = call.shape, {name: array.copy() for name, array in call.arrays.items()}
    dropped = arrays[INDEX] >= shape.slots
    if shape.padded:
        dropped |= (arrays[ID] < 0) | (arrays[ID] >= shape.T)
    arrays[INDEX][dropped] = -1
    return replace(call, arrays=arrays)


@on([*NATIVE, *EMULATED])
@pytest.mark.parametrize("shape", list(SMALL[2:6]), ids=str)
def test_kernels_leave_out_places_out_of_range(engine: Target, shape: Shape) -> None:
    """Of the slots that name one place the last one owns it; the emulator finds no stray access."""
    shape = replace(shape, T=11, used=0.9)
    call = spoilt(shape, column_of(engine, 0, shape))
    executable, inputs, dims = kernel(engine, call)
    outputs = executable.run(inputs, dims, 3)
    defined(call).check(outputs)
    assert all(all_bits(executable.run(inputs, dims, cores)) == all_bits(outputs) for cores in (1, 40))


@on(EMULATED)
@pytest.mark.parametrize("padded", [False, True])
def test_little_more_moves_than_the_least(engine: Target, padded: bool) -> None:
    """The least is to read each tensor once and to write each output once.

    In padded mode tokens come in any order, so each slot reads its row. What is 4096 tokens in models is 128 here.
    """
    shape = Shape(128, 2880, 64, 8 if padded else 4, padded, used=1.0, routed=60)
    call = Call.of(shape, column_of(engine, 0, shape))
    executable, inputs, dims = kernel(engine, call)
    assert isinstance(executable, AscendcExecutable)
    _, report = executable.emulate(inputs, dims, 40)
    assert report.clean, report
    arrays = call.arrays
    rows = shape.slots if padded else shape.T
    read = arrays[INDEX].nbytes + arrays[PERMUTED].nbytes + arrays[PROBS].nbytes + arrays[TOKENS][:1].nbytes * rows
    read += arrays[ID].nbytes if padded else arrays[ROUTING].nbytes
    least = read + arrays[PERMUTED].nbytes + arrays[PROBS].nbytes
    assert report.figures.gm_read_bytes + report.figures.gm_write_bytes <= 1.15 * least
