"""Places of true elements: the reference, every level, and every backend give what Python gives."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.ascendc.executable import compile_module as compile_ascendc
from opwright.codegen.c.executable import compile_module as compile_c
from opwright.codegen.executable import Executable
from opwright.codegen.levels import Call, run_level
from opwright.codegen.numpy.compile import compile_module as compile_numpy
from opwright.codegen.reference import evaluate
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.frontend import Spec, boolean, f32, i32, indices, operator
from opwright.dialect.registry import new_context
from opwright.dialect.spec.ops import OperatorOp, PositionsOp
from opwright.loading import Operator, load
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.pipelines import pipeline, run_pipeline
from opwright.passes.verify_ascendc import VerifyAscendcPass

Array = NDArray[Any]

SPEC = Path(__file__).parent / "specs" / "positions.mlir"
OTHER = frozenset({"other"})
STAGED = sorted(name for name, chip in CHIPS.items() if chip.staged)
TRUE = np.array([1, 2, 127, 128, 255], np.uint8)
"""Bytes that are true."""

SIZES = ((5, 7, 3), (1, 1, 1), (3, 5, 9), (301, 33, 4), (7, 255, 1), (5, 259, 17), (2, 64, 0), (3, 4097, 16))
"""Rows, their length, and the length of their lists: odd ones, of one element, shorter and longer than the rows."""


def draw(shape: tuple[int, ...], seed: int) -> Array:
    """Draw a mask; the first rows are false, true, and true in the last element alone."""
    rng = np.random.default_rng(seed)
    mask = np.where(rng.integers(0, 2, shape), rng.choice(TRUE, shape), 0).astype(np.uint8).reshape(-1, shape[-1])
    if len(mask) > 3:
        mask[:3] = np.array([[0], [255], [0]])
        mask[2, -1] = 128
    return mask.reshape(shape).view(np.int8)


def places(mask: Array, count: int) -> Array:
    """List the places row by row."""
    result = np.full((*mask.shape[:-1], count), -1, np.int32)
    for row in np.ndindex(mask.shape[:-1]):
        found = [e for e, byte in enumerate(mask[row].tolist()) if byte]
        for s, e in enumerate(found[:count]):
            result[row][s] = e
    return result


def inputs(sizes: tuple[int, int, int], present: frozenset[str]) -> tuple[dict[str, Array], dict[str, Array]]:
    """Return the arrays of a call and what it returns."""
    rows, width, count = sizes
    arrays = {"mask": draw((rows, width), 1), "slot": np.zeros(rows * count + rows // 2, np.int32)}
    expected = {"list": places(arrays["mask"], count), "more": np.full((rows, count), -1, np.int32)}
    if present:
        arrays["other"] = draw((rows, width), 2)
        expected["more"] = places(arrays["other"], count)
    return arrays, expected


def assert_same(outputs: Mapping[str, Array], expected: Mapping[str, Array], what: str) -> None:
    for name, array in expected.items():
        np.testing.assert_array_equal(outputs[name], array, f"{name}: {what}", strict=True)


def lowered(spec: Operator, target: str, backend: str, present: frozenset[str] = frozenset()) -> ModuleOp:
    module = run_pipeline(spec.module, pipeline(target, backend, 0, present))
    if backend == "ascendc":
        VerifyAscendcPass(target).apply(new_context(), module)
    return module


def executable(spec: Operator, target: str, backend: str, present: frozenset[str] = frozenset()) -> Executable:
    module = lowered(spec, target, backend, present)
    match backend:
        case "numpy":
            return compile_numpy(module)
        case "c":
            return compile_c(module)
        case _:
            return compile_ascendc(module, get_chip(target))


@pytest.mark.parametrize("present", [frozenset[str](), OTHER], ids=["absent", "given"])
def test_the_reference_follows_the_definition(present: frozenset[str]) -> None:
    for sizes in SIZES:
        arrays, expected = inputs(sizes, present)
        assert_same(evaluate(load(SPEC).op, arrays), expected, str(sizes))


BACKENDS = [("cpu", "c"), *((target, backend) for target in STAGED for backend in ("c", "ascendc"))]


@pytest.mark.parametrize(("target", "backend"), BACKENDS)
def test_every_level_computes_the_places(target: str, backend: str) -> None:
    for present in (frozenset[str](), OTHER):
        arrays, expected = inputs((5, 7, 3), present)
        call = Call.of(load(SPEC).op, arrays)
        module = load(SPEC).module
        for each in pipeline(target, backend, 0, present):
            each.apply(new_context(), module)
            module.verify()
            assert_same(run_level(module, call, 2), expected, each.name)


@pytest.mark.parametrize("backend", ["numpy", "c", "ascendc"])
@pytest.mark.parametrize("target", CHIPS)
def test_every_backend_computes_the_places(target: str, backend: str) -> None:
    if backend == "ascendc" and target not in STAGED:
        with pytest.raises(ValueError, match="needs a chip"):
            pipeline(target, backend)
        return
    kernel = executable(load(SPEC), target, backend, OTHER)
    for sizes in SIZES:
        arrays, expected = inputs(sizes, OTHER)
        dims = {"T": sizes[0], "E": sizes[1], "M": len(arrays["slot"])}
        for cores in (1, 3):
            assert_same(kernel.run(arrays, dims, cores), expected, f"{sizes} on {cores} cores")


RANKS = """
spec.operator @Ranks {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %E = spec.dim "E"
  %row = spec.input "row" : !spec.tensor<[E], i1>
  %cube = spec.input "cube" : !spec.tensor<[A, 2, B, E], i1>
  %x = spec.input "x" : !spec.tensor<[B, E], i32>
  %zero = arith.constant 0 : i32
  %one = spec.positions %row : !spec.tensor<[5], i32>
  %many = spec.positions %cube : !spec.tensor<[A, 2, B, 3], i32>
  %positive = spec.compute (%b: 0 to %B, %e: 0 to %E) -> !spec.tensor<[B, E], i8> {
    %v = spec.read %x[%b, %e] : i32
    %p = arith.cmpi sgt, %v, %zero : i32
    %byte = arith.extsi %p : i1 to i8
    spec.write %byte to 0[%b, %e]
  }
  %computed = spec.positions %positive : !spec.tensor<[B, 4], i32>
  spec.output "one" %one : !spec.tensor<[5], i32>
  spec.output "many" %many : !spec.tensor<[A, 2, B, 3], i32>
  spec.output "computed" %computed : !spec.tensor<[B, 4], i32>
}
"""


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_masks_of_any_rank_and_computed_ones(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "ranks.mlir"
    path.write_text(RANKS)
    kernel = executable(load(path), "cpu", backend)
    for a, b, e in ((2, 3, 7), (1, 1, 1), (3, 0, 5), (0, 2, 4)):
        x = np.random.default_rng(b).integers(-3, 4, (b, e)).astype(np.int32)
        arrays = {"row": draw((e,), 3), "cube": draw((a, 2, b, e), 4), "x": x}
        expected = {
            "one": places(arrays["row"], 5),
            "many": places(arrays["cube"], 3),
            "computed": places((x > 0).astype(np.int8), 4),
        }
        assert_same(evaluate(load(path).op, arrays), expected, "reference")
        assert_same(kernel.run(arrays, {"A": a, "B": b, "E": e}, 2), expected, f"{a} {b} {e}")


CUBE = """
spec.operator @Cube {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %E = spec.dim "E"
  %row = spec.input "row" : !spec.tensor<[E], i1>
  %cube = spec.input "cube" : !spec.tensor<[A, 2, B, E], i1>
  %one = spec.positions %row : !spec.tensor<[5], i32>
  %many = spec.positions %cube : !spec.tensor<[A, 2, B, 3], i32>
  spec.output "one" %one : !spec.tensor<[5], i32>
  spec.output "many" %many : !spec.tensor<[A, 2, B, 3], i32>
}
"""


@pytest.mark.parametrize("target", STAGED)
def test_masks_of_any_rank_on_chips(target: str, tmp_path: Path) -> None:
    path = tmp_path / "cube.mlir"
    path.write_text(CUBE)
    kernel = executable(load(path), target, "ascendc")
    for a, b, e in ((2, 3, 7), (1, 1, 1), (3, 0, 5)):
        arrays = {"row": draw((e,), 3), "cube": draw((a, 2, b, e), 4)}
        expected = {"one": places(arrays["row"], 5), "many": places(arrays["cube"], 3)}
        assert_same(kernel.run(arrays, {"A": a, "B": b, "E": e}, 3), expected, f"{a} {b} {e}")


@pytest.mark.parametrize("target", STAGED)
def test_rows_that_do_not_fit_are_refused(target: str) -> None:
    kernel = executable(load(SPEC), target, "ascendc", OTHER)
    arrays, _ = inputs((1, 40_000, 1), OTHER)
    with pytest.raises(Diagnostic, match=f"stage list take more than {get_chip(target).ub_bytes} bytes"):
        kernel.run(arrays, {"T": 1, "E": 40_000, "M": 1}, 1)


@operator("Chosen")
def chosen(spec: Spec) -> None:
    rows, width = spec.dims("T", "E")
    count = spec.dim("K", width // 2)
    mask = spec.input("mask", boolean[rows, width], optional=True)
    x = spec.input("x", f32[rows, width])
    out = spec.output("out", f32[rows, count])
    first = spec.output("first", i32[rows, 1])
    t, s, one = indices(t=rows, s=count, one=1)
    list_ = spec.positions(mask, count=count)
    out[t, s] = x[t, list_[t, s]].outside(-1.0)
    first[t, one] = spec.positions(mask, count=1)[t, one]


def test_positions_in_python_place_reads() -> None:
    op = next(op for op in chosen.module().body.block.ops if isinstance(op, OperatorOp))
    found = [str(inner.result.type) for inner in op.walk() if isinstance(inner, PositionsOp)]
    assert found == ["!spec.tensor<[T, K], i32>", "!spec.tensor<[T, 1], i32>"]
    mask, x = draw((6, 9), 5), np.arange(54, dtype=np.float32).reshape(6, 9)
    at = places(mask, 4)
    expected = {"out": np.where(at < 0, -1, np.take_along_axis(x, np.maximum(at, 0), 1)), "first": places(mask, 1)}
    assert_same(evaluate(op, {"mask": mask, "x": x}), expected, "given")
    nothing = {"out": np.full((6, 4), -1, np.float32), "first": np.full((6, 1), -1, np.int32)}
    assert_same(evaluate(op, {"x": x}), nothing, "absent")


def test_what_is_not_defined_has_no_positions() -> None:
    def trace(spec: Spec) -> None:
        spec.positions(spec.tensor(boolean[2, 2]), count=3)

    with pytest.raises(Diagnostic, match="before it is defined") as error:
        operator("Undefined")(trace)
    assert error.value.code == "OPW153"
