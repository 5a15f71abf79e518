"""Evaluating many points at once gives the bits of one point after the other, in order of the nest."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.ir import Block, SSAValue

from opwright.codegen.binding import bind, bound_arrays, shape_of
from opwright.codegen.reference import compute as vectorised
from opwright.codegen.reference import evaluate
from opwright.codegen.reference.evaluate import OperatorRun, identity
from opwright.codegen.reference.types import Types
from opwright.codegen.scalars import apply
from opwright.codegen.symbols import symbol_values
from opwright.dialect.index_expr import evaluate as index_value
from opwright.dialect.spec.attrs import tensor_type
from opwright.dialect.spec.nests import Nest
from opwright.dialect.spec.ops import ComputeOp, EachOp, IndexOp, OperatorOp, ReadOp, WriteOp
from opwright.loading import load
from opwright.passes.registry import get_all_passes

Array = NDArray[Any]
COMBINE = {"add": np.add, "max": np.maximum, "min": np.minimum}


class Points(OperatorRun):
    """Runs each compute one point after the other."""

    def _compute(self, op: ComputeOp) -> list[Array]:
        results: list[Array] = []
        for number, result in enumerate(op.results_):
            tensor = tensor_type(result)
            dtype = self.types.accumulated(tensor)
            combiner = next(w.combine for w in op.walk() if isinstance(w, WriteOp) and w.number.data == number)
            results.append(np.full(shape_of(tensor, self.binding.dims), identity(combiner, dtype), dtype))
        self.run_nest(op, dict(self.integers) | dict(self.scalars), results)
        return [a.astype(self.types.stored(tensor_type(r))) for a, r in zip(results, op.results_, strict=True)]

    def run_nest(self, nest: Nest, values: dict[SSAValue, Any], results: list[Array]) -> None:
        for point in self.points(nest, values, 0):
            self.run_block(nest.body.block, point, results)

    def points(self, nest: Nest, values: dict[SSAValue, Any], number: int) -> Iterator[dict[SSAValue, Any]]:
        if number == len(nest.dims):
            yield values
            return
        operands = [int(values.get(v, 0)) for v in nest.bound_values]
        low = max(index_value(e, operands) for e in nest.lower.data[number].data)
        high = min(index_value(e, operands) for e in nest.upper.data[number].data)
        for value in range(low, high):
            yield from self.points(nest, values | {nest.dims[number]: value}, number + 1)

    def run_block(self, block: Block, values: dict[SSAValue, Any], results: list[Array]) -> None:
        for op in block.ops:
            match op:
                case EachOp():
                    self.run_nest(op, values, results)
                case WriteOp():
                    self.write(op, values, results[op.number.data])
                case ReadOp():
                    values[op.result] = self.read(op, values)
                case IndexOp():
                    values[op.result] = index_value(op.indices.data[0], [int(values[v]) for v in op.operands_])
                case _:
                    operands = [np.asarray(values[v]) for v in op.operands]
                    values[op.results[0]] = apply(op, operands, self.types.scalar(op.results[0].type))

    def read(self, op: ReadOp, values: dict[SSAValue, Any]) -> Array:
        tensor = self.tensors[op.tensor]
        dtype = self.types.scalar(op.result.type)
        if tensor is None:
            return np.asarray(values[op.absent] if op.absent else None, dtype)
        place = tuple(index_value(e, [int(values[v]) for v in op.operands_]) for e in op.indices.data)
        inside = all(0 <= i < size for i, size in zip(place, tensor.shape, strict=True))
        assert inside or op.outside is not None
        return np.asarray(tensor[place] if inside or op.outside is None else values[op.outside], dtype)

    def write(self, op: WriteOp, values: dict[SSAValue, Any], target: Array) -> None:
        if op.guard is None or values[op.guard]:
            place = tuple(index_value(e, [int(values[v]) for v in op.operands_]) for e in op.indices.data)
            value = np.asarray(values[op.value], target.dtype)
            target[place] = COMBINE[op.combine](target[place], value) if op.combine else value


def by_points(operator: OperatorOp, arrays: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Array]:
    binding = bind(operator, arrays, attrs)
    integers = symbol_values(operator, binding.dims, binding.attrs)
    run = Points(binding, Types(binding.dtypes, "f32"), integers)
    with np.errstate(all="ignore"):
        for op in operator.body.block.ops:
            run.step(op, bound_arrays(operator, binding, arrays))
    return run.outputs


def convolution() -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(0)
    shapes = {"gradY": (19, 2, 5), "x": (19, 2, 5), "weight": (3, 5)}
    arrays: dict[str, Any] = {name: rng.standard_normal(s).astype(ml_dtypes.bfloat16) for name, s in shapes.items()}
    return {**arrays, "maskOptional": rng.random((2, 19)) < 0.7}, {}


def windows() -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(1)
    shapes = {"dy": (4, 2, 3), "x": (23, 2, 3), "weight": (4, 2)}
    arrays: dict[str, Any] = {name: rng.standard_normal(s).astype(np.float16) for name, s in shapes.items()}
    return {**arrays, "act": [7, 9, 23]}, {"size": 4, "stride": 6}


def scatter() -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(2)
    slot = rng.permutation(15).astype(np.int32)
    slot[[2, 7]] = -1
    floats = {"g": (5, 4), "probs": (5, 6), "tokens": (15, 4)}
    arrays: dict[str, Any] = {name: rng.standard_normal(s).astype(np.float32) for name, s in floats.items()}
    return {**arrays, "slot": slot, "routing": rng.random((5, 6)) < 0.5}, {}


CASES = {
    "MaskedCausalConv1dBackward": convolution,
    "tests/specs/windows_gradient.py": windows,
    "tests/specs/expert_scatter.py": scatter,
    "tests/specs/reductions.mlir": convolution,
}


def same_bits(a: dict[str, Array], b: dict[str, Array]) -> None:
    assert a.keys() == b.keys()
    for name, value in a.items():
        assert value.dtype == b[name].dtype
        assert value.tobytes() == b[name].tobytes(), name


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("budget", [1, 7, 1 << 20])
def test_any_number_of_lanes(root: Path, monkeypatch: pytest.MonkeyPatch, spec: str, budget: int) -> None:
    monkeypatch.setattr(vectorised, "LANE_BUDGET", budget)
    arrays, attrs = CASES[spec]()
    op = load(root / spec if "/" in spec else spec).op
    same_bits(evaluate(op, arrays, attrs), by_points(op, arrays, attrs))


PIPELINE = ("specialize", "inline-producers", "unroll", "fuse", "split-reductions", "legalize-types")


@pytest.mark.parametrize("masked", [False, True])
def test_ir_after_each_pass(masked: bool) -> None:
    arrays, attrs = convolution()
    if not masked:
        del arrays["maskOptional"]
    operator = load("MaskedCausalConv1dBackward")
    expected = evaluate(operator.op, arrays, attrs)
    passes, op, out = get_all_passes(), operator.op, expected
    for name in PIPELINE:
        options = {"column": 1, "present": ("maskOptional",) * masked} if name == "specialize" else {}
        passes[name]()(**options).apply(Context(), operator.module)
        operator.module.verify()
        (op,) = [op for op in operator.module.body.block.ops if isinstance(op, OperatorOp)]
        out = evaluate(op, arrays, attrs)
        same_values(out["gradXOut"], expected["gradXOut"])
        if name == "split-reductions":
            expected["gradWeightOut"] = rounded_alike(out["gradWeightOut"], expected["gradWeightOut"])
        same_values(out["gradWeightOut"], expected["gradWeightOut"])
    same_bits(out, by_points(op, arrays, attrs))


def rounded_alike(split: Array, whole: Array) -> Array:
    """The sums of the chunks, once they are seen to differ from the whole sums by the order alone."""
    np.testing.assert_allclose(split.astype(np.float32), whole.astype(np.float32), rtol=2.0**-7)
    return split


def same_values(a: Array, b: Array) -> None:
    """Equal but for the sign of zero: an unrolled sum starts at its first term, not at 0."""
    np.testing.assert_array_equal(a.astype(np.float32), b.astype(np.float32))
