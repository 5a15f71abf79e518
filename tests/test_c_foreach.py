"""Point loops through lower-to-loops and C, against the NumPy backend on the IR before and after the pass."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.c.executable import compile_module as compile_c
from opwright.codegen.numpy.compile import compile_module as compile_numpy
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.lower_to_loops import LowerToLoopsPass

Array = NDArray[Any]
Inputs = Callable[[np.random.Generator, Mapping[str, int]], dict[str, Array]]


@dataclass(frozen=True)
class Case:
    """A kernel whose stage works on rows %lo to %hi of N.

    Attributes:
        arguments: memrefs, as `name type role dims`.
        body: the stage's body.
        inputs: makes the inputs for some dims.
        dims: sizes to run.
    """

    arguments: Sequence[str]
    body: str
    inputs: Inputs
    dims: Sequence[Mapping[str, int]]

    def module(self) -> ModuleOp:
        names = list(self.dims[0])
        memrefs = ", ".join(self._memref(a) for a in self.arguments)
        indices = "".join(f'%{n}: index {{tile.name = "{n}", tile.role = "dim"}}, ' for n in names)
        given = "".join(f'%{n}: index {{tile.name = "{n}"}}, ' for n in names)
        text = f"""
            func.func @k_tiling({given}%cores: index {{tile.name = "cores"}}) attributes {{tile.tiling}} {{
              func.return
            }}
            func.func @k({memrefs}, {indices}%cores: index {{tile.name = "cores", tile.role = "cores"}})
                attributes {{tile.kernel}} {{
              %zero = arith.constant 0.0 : f32
              %seven = arith.constant 7.0 : f32
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %zero_i32 = arith.constant 0 : i32
              tile.cores "stage" %cores (%core) {{
                %share = arith.muli %core, %N : index
                %lo = arith.divsi %share, %cores : index
                %next = arith.addi %core, %c1 : index
                %shares = arith.muli %next, %N : index
                %hi = arith.divsi %shares, %cores : index
                {self.body}
              }}
              func.return
            }}"""
        return parse_module(new_context(), text, "case.mlir")

    @staticmethod
    def _memref(argument: str) -> str:
        name, kind, role, *dims = argument.split()
        quoted = ", ".join(d if d.isdigit() else f'"{d}"' for d in dims)
        return f'%{name}: {kind} {{tile.name = "{name}", tile.role = "{role}", tile.dims = [{quoted}]}}'


def floats(*shapes: str) -> Inputs:
    """Make float32 inputs: `x N H` is an array x of shape [N, H]."""

    def make(rng: np.random.Generator, dims: Mapping[str, int]) -> dict[str, Array]:
        arrays: dict[str, Array] = {}
        for shape in shapes:
            name, *extents = shape.split()
            size = [int(e) if e.isdigit() else dims[e] for e in extents]
            arrays[name] = rng.standard_normal(size).astype(np.float32)
        return arrays

    return make


def indexed(inner: Inputs, name: str, extent: str, low: int, high: str) -> Inputs:
    """Add int32 values from `low` to one past the dim `high` + 2."""

    def make(rng: np.random.Generator, dims: Mapping[str, int]) -> dict[str, Array]:
        values = rng.integers(low, dims[high] + 2, dims[extent]).astype(np.int32)
        return {**inner(rng, dims), name: values}

    return make


MATRIX = "memref<?x?xf32>"
VECTOR = "memref<?xf32>"
NUMBERS = "memref<?xi32>"
SIZES = ({"N": 5, "H": 7}, {"N": 33, "H": 64}, {"N": 1, "H": 1}, {"N": 0, "H": 5}, {"N": 6, "H": 0})

CASES = {
    "window along rows and lanes": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %p = tile.read %x[%i - 1, %l] else %zero : memref<?x?xf32>
             %q = tile.read %x[%i, %l + 2] else %seven : memref<?x?xf32>
             %n = tile.read %x[%i + 1, %l - 1] else %zero : memref<?x?xf32>
             %c = tile.read %x[%i, %l] else %zero : memref<?x?xf32>
             %s = arith.addf %p, %q : f32
             %t = arith.mulf %s, %n : f32
             %u = arith.subf %t, %c : f32
             tile.write %u to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x N H"),
        SIZES,
    ),
    "rows of an array that may be empty": Case(
        [f"x {MATRIX} input M H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %v = tile.read %x[%i, %l] else %seven : memref<?x?xf32>
             tile.write %v to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x M H"),
        ({"N": 9, "H": 4, "M": 0}, {"N": 9, "H": 4, "M": 5}, {"N": 3, "H": 4, "M": 5}),
    ),
    "gathered rows": Case(
        [f"x {MATRIX} input M H", f"at {NUMBERS} input N", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %k = tile.read %at[%i] : memref<?xi32>
             %row = arith.index_cast %k : i32 to index
             %v = tile.read %x[%row, %l] else %seven : memref<?x?xf32>
             tile.write %v to %y[%i, %l] : memref<?x?xf32>
           }""",
        indexed(floats("x M H"), "at", "N", -2, "M"),
        ({"N": 20, "H": 16, "M": 6}, {"N": 4, "H": 3, "M": 0}),
    ),
    "gathered lanes": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %k = tile.read %at[%l] : memref<?xi32>
             %lane = arith.index_cast %k : i32 to index
             %v = tile.read %x[%i, %lane] else %seven : memref<?x?xf32>
             tile.write %v to %y[%i, %l] : memref<?x?xf32>
           }""",
        indexed(floats("x N H"), "at", "H", -2, "H"),
        SIZES,
    ),
    "rows left out": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input N", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %k = tile.read %at[%i] : memref<?xi32>
             %keep = arith.cmpi ne, %k, %zero_i32 : i32
             %v = tile.read %x[%i, %l] : memref<?x?xf32>
             tile.write %v to %y[%i, %l] if %keep : memref<?x?xf32>
           }""",
        indexed(floats("x N H"), "at", "N", -1, "H"),
        SIZES,
    ),
    "lanes left out": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             tile.write %seven to %y[%i, %l] : memref<?x?xf32>
             %k = tile.read %at[%l] : memref<?xi32>
             %keep = arith.cmpi sgt, %k, %zero_i32 : i32
             %v = tile.read %x[%i, %l] : memref<?x?xf32>
             tile.write add %v to %y[%i, %l] if %keep : memref<?x?xf32>
           }""",
        indexed(floats("x N H"), "at", "H", -1, "N"),
        SIZES,
    ),
    "sums and maxima of rows": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input H", f"s {MATRIX} output N 2", f"m {VECTOR} output N"],
        """tile.foreach (%i: %lo to %hi) {
             tile.write %zero to %s[%i, 0] : memref<?x?xf32>
             tile.write %seven to %s[%i, 1] : memref<?x?xf32>
             tile.write %zero to %m[%i] : memref<?xf32>
           }
           tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %v = tile.read %x[%i, %l] : memref<?x?xf32>
             %k = tile.read %at[%l] : memref<?xi32>
             %keep = arith.cmpi sgt, %k, %zero_i32 : i32
             %w = arith.mulf %v, %v : f32
             tile.write add %v to %s[%i, 0] if %keep : memref<?x?xf32>
             tile.write add %w to %s[%i, 1] : memref<?x?xf32>
             tile.write max %v to %m[%i] : memref<?xf32>
           }""",
        indexed(floats("x N H"), "at", "H", -1, "N"),
        SIZES,
    ),
    "rows summed into computed places": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input N", f"y {MATRIX} output M H"],
        """%first = arith.cmpi eq, %core, %c0 : index
           scf.if %first {
             tile.foreach (%i: 0 to %M, %l: 0 to %H) {
               tile.write %zero to %y[%i, %l] : memref<?x?xf32>
             }
             tile.foreach (%i: 0 to %N, %l: 0 to %H) {
               %k = tile.read %at[%i] : memref<?xi32>
               %row = arith.index_cast %k : i32 to index
               %v = tile.read %x[%i, %l] : memref<?x?xf32>
               tile.write add %v to %y[%row, %l] : memref<?x?xf32>
             }
           }""",
        lambda rng, dims: {
            **floats("x N H")(rng, dims),
            "at": rng.integers(0, max(dims["M"], 1), dims["N"]).astype(np.int32),
        },
        ({"N": 20, "H": 16, "M": 4}, {"N": 0, "H": 16, "M": 4}),
    ),
    "reads of what other points wrote": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N H"],
        """%first = arith.cmpi eq, %core, %c0 : index
           scf.if %first {
             tile.foreach (%i: 0 to %N, %l: 0 to %H) {
               tile.write %seven to %y[%i, %l] : memref<?x?xf32>
             }
             tile.foreach (%i: 0 to %N, %l: 0 to %H) {
               %v = tile.read %x[%i, %l] : memref<?x?xf32>
               tile.write add %v to %y[%i, %l] : memref<?x?xf32>
               %p = tile.read %y[%i - 1, %l] else %zero : memref<?x?xf32>
               %c = tile.read %y[%i, %l] : memref<?x?xf32>
               %s = arith.addf %p, %c : f32
               tile.write %s to %y[%i, %l] : memref<?x?xf32>
             }
             tile.foreach (%i: 0 to %N, %u: 0 to 2, %l: 0 to %H) {
               %p = tile.read %y[%i - 1, %l + %u] else %zero : memref<?x?xf32>
               tile.write add %p to %y[%i, %l] : memref<?x?xf32>
             }
           }""",
        floats("x N H"),
        SIZES,
    ),
    "four rows at once": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N H", f"s {MATRIX} output 2 H"],
        """%first = arith.cmpi eq, %core, %c0 : index
           scf.if %first {
             tile.foreach (%i: 0 to 2, %l: 0 to %H) {
               tile.write %seven to %s[%i, %l] : memref<?x?xf32>
             }
             tile.foreach (%b: 0 to %N floordiv 4, %u: 0 to 4, %l: 0 to %H) {
               %v = tile.read %x[4 * %b + %u, %l] : memref<?x?xf32>
               %n = tile.read %x[4 * %b + %u + 1, %l] else %zero : memref<?x?xf32>
               %t = arith.mulf %v, %n : f32
               tile.write add %t to %s[0, %l] : memref<?x?xf32>
               tile.write max %v to %s[1, %l] : memref<?x?xf32>
               tile.write %t to %y[4 * %b + %u, %l] : memref<?x?xf32>
             }
           }""",
        floats("x N H"),
        ({"N": 12, "H": 40}, {"N": 8, "H": 1}, {"N": 0, "H": 5}),
    ),
    "rows that overlap": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N M"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %M) {
             tile.write %seven to %y[%i, %l] : memref<?x?xf32>
           }
           tile.foreach (%i: %lo to %hi, %u: 0 to 3, %l: 0 to %H) {
             %v = tile.read %x[%i, %l] : memref<?x?xf32>
             tile.write add %v to %y[%i, %l + %u] : memref<?x?xf32>
           }""",
        floats("x N H"),
        ({"N": 5, "H": 30, "M": 32},),
    ),
    "a sum that the body reads": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N H", f"s {VECTOR} output N"],
        """tile.foreach (%i: %lo to %hi) {
             tile.write %seven to %s[%i] : memref<?xf32>
           }
           tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %before = tile.read %s[%i] : memref<?xf32>
             %v = tile.read %x[%i, %l] : memref<?x?xf32>
             tile.write add %v to %s[%i] : memref<?xf32>
             %after = tile.read %s[%i] : memref<?xf32>
             %t = arith.mulf %before, %after : f32
             tile.write %t to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x N H"),
        SIZES,
    ),
    "elements that may be one": Case(
        [f"x {MATRIX} input N H", f"at {NUMBERS} input N", f"y {MATRIX} output N H"],
        """%first = arith.cmpi eq, %core, %c0 : index
           scf.if %first {
             tile.foreach (%i: 0 to %N, %l: 0 to %H) {
               tile.write %seven to %y[%i, %l] : memref<?x?xf32>
             }
             tile.foreach (%i: 0 to %N, %l: 0 to %H) {
               %k = tile.read %at[%i] : memref<?xi32>
               %row = arith.index_cast %k : i32 to index
               %v = tile.read %x[%i, %l] : memref<?x?xf32>
               %old = tile.read %y[%i, %l] : memref<?x?xf32>
               tile.write add %v to %y[%i, %l] : memref<?x?xf32>
               %other = tile.read %y[%row, %l] : memref<?x?xf32>
               %new = tile.read %y[%i, %l] : memref<?x?xf32>
               tile.write %old to %y[%row, %l] : memref<?x?xf32>
               %s = arith.addf %other, %new : f32
               tile.write max %s to %y[%i, %l] : memref<?x?xf32>
             }
           }""",
        lambda rng, dims: {
            **floats("x N H")(rng, dims),
            "at": rng.integers(0, max(dims["N"], 1), dims["N"]).astype(np.int32),
        },
        SIZES,
    ),
    "quotients and remainders": Case(
        [f"x {MATRIX} input M H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %a = tile.read %x[%i floordiv %P, %l] else %zero : memref<?x?xf32>
             %b = tile.read %x[%i mod %P, %l] else %zero : memref<?x?xf32>
             %c = tile.read %x[(%i - 3) floordiv %P, %l] else %seven : memref<?x?xf32>
             %d = tile.read %x[(%i - 4) mod 3, (2 * %l) ceildiv 3] else %seven : memref<?x?xf32>
             %s = arith.addf %a, %b : f32
             %t = arith.addf %s, %c : f32
             %u = arith.addf %t, %d : f32
             tile.write %u to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x M H"),
        ({"N": 23, "H": 9, "M": 4, "P": 3}, {"N": 7, "H": 0, "M": 4, "P": 0}, {"N": 5, "H": 2, "M": 1, "P": 1}),
    ),
    "windows inside a point": Case(
        [f"x {MATRIX} input N H", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             %far = arith.addi %i, %c1 : index
             %sum = scf.for %k = %c0 to %far step %c1 iter_args(%acc = %zero) -> (f32) {
               %v = tile.read %x[%k, %l] : memref<?x?xf32>
               %follow = tile.read %x[%k + 1, %l] else %seven : memref<?x?xf32>
               %p = arith.mulf %v, %follow : f32
               %t = arith.addf %acc, %p : f32
               scf.yield %t : f32
             }
             tile.write %sum to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x N H"),
        SIZES,
    ),
    "a guarded sum of rows taken together": Case(
        [f"x {MATRIX} input H N", f"k {VECTOR} input H", f"y {VECTOR} output N"],
        """tile.foreach (%a: 0 to 1, %l: %lo to %hi) {
             tile.write %seven to %y[%l] : memref<?xf32>
           }
           tile.foreach (%b: 0 to %H floordiv 4, %r: 0 to 4, %l: %lo to %hi) {
             %first = tile.read %k[%b * 4 + %r] : memref<?xf32>
             %c = arith.cmpf olt, %first, %zero : f32
             %v = tile.read %x[%b * 4 + %r, %l] : memref<?x?xf32>
             tile.write add %v to %y[%l] if %c : memref<?xf32>
           }""",
        floats("x H N", "k H"),
        SIZES,
    ),
    "bounds of several ends": Case(
        [f"x {VECTOR} input N", f"y {MATRIX} output N H"],
        """tile.foreach (%i: %lo to %hi, %l: 0 to %H) {
             tile.write %seven to %y[%i, %l] : memref<?x?xf32>
           }
           tile.foreach (%i: %lo to %hi, %l: max(0, %i - 3) to min(%H, %i + 2)) {
             %v = tile.read %x[%i] : memref<?xf32>
             tile.write min %v to %y[%i, %l] : memref<?x?xf32>
           }""",
        floats("x N"),
        SIZES,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_same_bits_at_every_level(name: str) -> None:
    case = CASES[name]
    points, loops = case.module(), case.module()
    LowerToLoopsPass().apply(new_context(), loops)
    loops.verify()
    assert not [op for op in loops.walk() if op.name.startswith("tile.")]
    expected, lowered, native = compile_numpy(points), compile_numpy(loops), compile_c(loops)
    for number, dims in enumerate(case.dims):
        inputs = case.inputs(np.random.default_rng(number), dims)
        for cores in (1, 3):
            outputs = expected.run(inputs, dims, cores)
            for other in (lowered.run(inputs, dims, cores), native.run(inputs, dims, cores)):
                for key, value in outputs.items():
                    np.testing.assert_array_equal(other[key].view(np.uint32), value.view(np.uint32), f"{key} {dims}")
