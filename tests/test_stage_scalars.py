"""Scalar code of a stage, outside any point loop: NumPy and C, before and after lower-to-loops, against Python."""

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
Arrays = dict[str, Array]
DTYPES: Mapping[str, Any] = {"f32": np.float32, "i8": np.int8, "i32": np.int32, "i64": np.int64, "index": np.int64}


@dataclass(frozen=True)
class Case:
    """A kernel of one stage, run on one core.

    Attributes:
        arguments: memrefs, as `name role element dim...`.
        body: the stage's body.
        dims: sizes to run.
        inputs: makes the inputs.
        model: computes the outputs.
    """

    arguments: Sequence[str]
    body: str
    dims: Sequence[Mapping[str, int]]
    inputs: Callable[[np.random.Generator, Mapping[str, int]], Arrays]
    model: Callable[[Arrays, Mapping[str, int]], Arrays]

    def module(self) -> ModuleOp:
        names = list(self.dims[0])
        memrefs = "".join(f"{_memref(*a.split())}, " for a in self.arguments)
        indices = "".join(f'%{n}: index {{tile.name = "{n}", tile.role = "dim"}}, ' for n in names)
        given = "".join(f'%{n}: index {{tile.name = "{n}"}}, ' for n in names)
        numbers = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 4, 8))
        text = f"""
            func.func @k_tiling({given}%cores: index {{tile.name = "cores"}}) attributes {{tile.tiling}} {{
              func.return
            }}
            func.func @k({memrefs}{indices}%cores: index {{tile.name = "cores", tile.role = "cores"}})
                attributes {{tile.kernel}} {{
              {numbers}
              %minus = arith.constant -1 : index
              %minus_i8 = arith.constant -1 : i8
              %minus_i32 = arith.constant -1 : i32
              %minus_i64 = arith.constant -1 : i64
              %one_i32 = arith.constant 1 : i32
              %zero = arith.constant 0.0 : f32
              tile.cores "stage" %cores (%core) {{
                {self.body}
              }}
              func.return
            }}"""
        module = parse_module(new_context(), text, "scalars.mlir")
        module.verify()
        return module


def _memref(name: str, role: str, element: str, *dims: str) -> str:
    shape = "".join(f"{d if d.isdigit() else '?'}x" for d in dims)
    extents = ", ".join(d if d.isdigit() else f'"{d}"' for d in dims)
    described = f'tile.name = "{name}", tile.role = "{role}", tile.dims = [{extents}]'
    return f"%{name}: memref<{shape}{element}> {{{described}}}"


def element(array: Array, place: tuple[int, ...], outside: int) -> int:
    inside = all(0 <= index < size for index, size in zip(place, array.shape, strict=True))
    return int(array[place]) if inside else outside


# Reads with a value outside: index lists of rank 1 to 3, perhaps empty


def draw_lists(rng: np.random.Generator, dims: Mapping[str, int]) -> Arrays:
    n, m = dims["N"], dims["M"]
    return {
        "list": rng.integers(-2, n + 2, n).astype(np.int64),
        "table": rng.integers(-3, m + 3, (m, n)).astype(np.int32),
        "cube": rng.integers(-100, 100, (n, m, 2)),
        "flags": rng.integers(0, 2, n).astype(np.int8),
    }


def read_lists(inputs: Arrays, dims: Mapping[str, int]) -> Arrays:
    y = np.zeros((32, 4), np.int64)
    for i in range(-2, dims["N"] + 2):
        at = element(inputs["list"], (i,), -1)
        b = element(inputs["table"], (at, i), -1)
        c = element(inputs["cube"], (i, b + 1, at - 1), -1)
        f = element(inputs["flags"], (i - 1,), -1)
        y[i + 2] = (at, b, c, max(f, 0))
    return {"y": y}


LISTS = """
    scf.for %row = %c0 to %c32 step %c1 {
      scf.for %column = %c0 to %c4 step %c1 {
        %none = arith.constant 0 : i64
        tile.write %none to %y[%row, %column] : memref<32x4xi64>
      }
    }
    %end = arith.addi %N, %c4 : index
    scf.for %k = %c0 to %end step %c1 {
      %i = arith.subi %k, %c2 : index
      %a = tile.read %list[%i] else %minus_i64 : memref<?xi64>
      %at = arith.index_cast %a : i64 to index
      %b = tile.read %table[%at, %i] else %minus_i32 : memref<?x?xi32>
      %bi = arith.index_cast %b : i32 to index
      %c = tile.read %cube[%i, %bi + 1, %at - 1] else %minus : memref<?x?x2xindex>
      %f = tile.read %flags[%i - 1] else %minus_i8 : memref<?xi8>
      %fi = arith.extsi %f : i8 to i64
      %b64 = arith.extsi %b : i32 to i64
      %c64 = arith.index_cast %c : index to i64
      tile.write %a to %y[%k, 0] : memref<32x4xi64>
      tile.write %b64 to %y[%k, 1] : memref<32x4xi64>
      tile.write add %c64 to %y[%k, 2] : memref<32x4xi64>
      tile.write max %fi to %y[%k, 3] if %always : memref<32x4xi64>
    }"""

# Segments: where a row belongs, and sums over ragged ranges in nested loops and branches


def draw_segments(rng: np.random.Generator, dims: Mapping[str, int]) -> Arrays:
    ends = np.sort(rng.integers(0, dims["N"] + 1, dims["S"]))
    if len(ends):
        ends[-1] = dims["N"]
    return {"ends": ends.astype(np.int64), "x": rng.integers(-9, 9, dims["N"]).astype(np.int32)}


def sum_segments(inputs: Arrays, dims: Mapping[str, int]) -> Arrays:
    segment = [int(np.searchsorted(inputs["ends"], t, side="right")) for t in range(dims["N"])]
    sums, largest = np.full(8, -1, np.int32), np.full(8, -1, np.int64)
    begin = 0
    for s, end in enumerate(inputs["ends"]):
        values = inputs["x"][begin:end]
        sums[s] = values.sum()
        largest[s] = begin + int(values.argmax()) if len(values) else -1
        begin = int(end)
    return {"segment": np.array(segment, np.int32), "sums": sums, "largest": largest}


SEGMENTS = """
    scf.for %s = %c0 to %c8 step %c1 {
      tile.write %minus_i32 to %sums[%s] : memref<8xi32>
      tile.write %minus_i64 to %largest[%s] : memref<8xi64>
    }
    scf.for %t = %c0 to %N step %c1 {
      %b = tile.search %ends for %t : memref<?xi64>
      %b32 = arith.index_cast %b : index to i32
      tile.write %b32 to %segment[%t] : memref<?xi32>
    }
    scf.for %s = %c0 to %S step %c1 {
      %none = arith.constant 0 : i64
      %b0 = tile.read %ends[%s - 1] else %none : memref<?xi64>
      %e0 = tile.read %ends[%s] : memref<?xi64>
      %begin = arith.index_cast %b0 : i64 to index
      %end = arith.index_cast %e0 : i64 to index
      %some = arith.cmpi slt, %begin, %end : index
      %at, %total = scf.if %some -> (index, i32) {
        %first = tile.read %x[%begin] : memref<?xi32>
        %second = arith.addi %begin, %c1 : index
        %best, %most, %sum = scf.for %t = %second to %end step %c1
            iter_args(%w = %begin, %m = %first, %acc = %first) -> (index, i32, i32) {
          %v = tile.read %x[%t] : memref<?xi32>
          %more = arith.cmpi sgt, %v, %m : i32
          %w2, %m2 = scf.if %more -> (index, i32) {
            scf.yield %t, %v : index, i32
          } else {
            scf.yield %w, %m : index, i32
          }
          %acc2 = arith.addi %acc, %v : i32
          scf.yield %w2, %m2, %acc2 : index, i32, i32
        }
        scf.yield %best, %sum : index, i32
      } else {
        %nothing = arith.constant 0 : i32
        scf.yield %minus, %nothing : index, i32
      }
      %place = arith.index_cast %at : index to i64
      tile.write %total to %sums[%s] : memref<8xi32>
      tile.write %place to %largest[%s] : memref<8xi64>
    }"""

# A software cache: which row each slot of a buffer holds is known from tags


def draw_rows(rng: np.random.Generator, dims: Mapping[str, int]) -> Arrays:
    n, h = dims["N"], dims["H"]
    at = rng.integers(0, max(dims["M"], 1), n).astype(np.int32)
    return {"x": rng.standard_normal((dims["M"], h)).astype(np.float32), "at": at}


def gather_rows(inputs: Arrays, dims: Mapping[str, int]) -> Arrays:
    tags, loads, y = [-1] * 4, 0, np.zeros((dims["N"], dims["H"]), np.float32)
    held = [0] * 4
    for n, row in enumerate(inputs["at"]):
        slot = int(row) % 4
        if tags[slot] != row:
            tags[slot], held[slot], loads = int(row), int(row), loads + 1
        y[n] = inputs["x"][held[slot]] + inputs["x"][row]
    return {"y": y, "loads": np.array([loads], np.int32), "tags_out": np.array(tags, np.int64)}


CACHE = """
    %tags = memref.alloca() : memref<4xindex>
    %held = tile.alloc "held" temp [4, 64] : memref<?x?xf32, "ub">
    %count = tile.alloc "count" temp [1, 32] : memref<?x?xi32, "ub">
    scf.for %s = %c0 to %c4 step %c1 {
      memref.store %minus, %tags[%s] : memref<4xindex>
    }
    %nothing = arith.constant 0 : i32
    tile.write %nothing to %count[0, 0] : memref<?x?xi32, "ub">
    scf.for %n = %c0 to %N step %c1 {
      %k = tile.read %at[%n] : memref<?xi32>
      %row = arith.index_cast %k : i32 to index
      %slot = arith.remsi %row, %c4 : index
      %tag = memref.load %tags[%slot] : memref<4xindex>
      %other = arith.cmpi ne, %tag, %row : index
      scf.if %other {
        memref.store %row, %tags[%slot] : memref<4xindex>
        tile.foreach (%r: 0 to 1, %l: 0 to %H) {
          %v = tile.read %x[%row + %r, %l] : memref<?x?xf32>
          tile.write %v to %held[%slot + %r, %l] : memref<?x?xf32, "ub">
        }
        tile.write add %one_i32 to %count[0, 0] : memref<?x?xi32, "ub">
      }
      %stop = arith.addi %n, %c1 : index
      tile.foreach (%r: %n to %stop, %l: 0 to %H) {
        %v = tile.read %held[%slot + %r - %n, %l] : memref<?x?xf32, "ub">
        %w = tile.read %x[%row + %r - %n, %l] else %zero : memref<?x?xf32>
        %u = arith.addf %v, %w : f32
        tile.write %u to %y[%r, %l] : memref<?x?xf32>
      }
    }
    %all = tile.read %count[0, 0] : memref<?x?xi32, "ub">
    tile.write %all to %loads[0] : memref<1xi32>
    scf.for %s = %c0 to %c4 step %c1 {
      %tag = memref.load %tags[%s] : memref<4xindex>
      %t = arith.index_cast %tag : index to i64
      tile.write %t to %tags_out[%s] : memref<4xi64>
    }"""

# Arithmetic


def draw_pairs(rng: np.random.Generator, dims: Mapping[str, int]) -> Arrays:
    n = dims["N"]
    b = rng.integers(1, 6, n) * rng.choice([-1, 1], n)
    return {"a": rng.integers(-40, 40, n).astype(np.int32), "b": b.astype(np.int64)}


def compute_pairs(inputs: Arrays, dims: Mapping[str, int]) -> Arrays:
    rows: list[list[int]] = []
    for a, b in zip(inputs["a"].tolist(), inputs["b"].tolist(), strict=True):
        both = a > 0 and b > 0
        rows.append(
            [
                a // b,
                -(-a // b),
                min(a, b),
                max(a, b),
                a * b - a + b,
                a if both else b,
                int(a != b),
                a % abs(b),
                abs(a) & abs(b),
            ]
        )
    return {"y": np.array(rows, np.int64).reshape(dims["N"], 9)}


PAIRS = """
    scf.for %n = %c0 to %N step %c1 {
      %a32 = tile.read %a[%n] : memref<?xi32>
      %y1 = tile.read %b[%n] : memref<?xi64>
      %x = arith.index_cast %a32 : i32 to index
      %z = arith.index_cast %y1 : i64 to index
      %x64 = arith.extsi %a32 : i32 to i64
      %none = arith.constant 0 : i64
      %q = arith.floordivsi %x, %z : index
      %u = arith.ceildivsi %x64, %y1 : i64
      %low = arith.minsi %x, %z : index
      %high = arith.maxsi %x64, %y1 : i64
      %product = arith.muli %x, %z : index
      %less = arith.subi %product, %x : index
      %sum = arith.addi %less, %z : index
      %p = arith.cmpi sgt, %x64, %none : i64
      %s = arith.cmpi sgt, %y1, %none : i64
      %both = arith.andi %p, %s : i1
      %chosen = arith.select %both, %x64, %y1 : i64
      %differ = arith.cmpi ne, %x, %z : index
      %bit = arith.extui %differ : i1 to i64
      %z0 = arith.subi %c0, %z : index
      %size = arith.maxsi %z, %z0 : index
      %down = arith.floordivsi %x, %size : index
      %back = arith.muli %down, %size : index
      %rest = arith.subi %x, %back : index
      %x0 = arith.subi %c0, %x : index
      %xs = arith.maxsi %x, %x0 : index
      %and = arith.andi %xs, %size : index
      %q64 = arith.index_cast %q : index to i64
      %l64 = arith.index_cast %low : index to i64
      %s64 = arith.index_cast %sum : index to i64
      %r64 = arith.index_cast %rest : index to i64
      %a64 = arith.index_cast %and : index to i64
      tile.write %q64 to %y[%n, 0] : memref<?x9xi64>
      tile.write %u to %y[%n, 1] : memref<?x9xi64>
      tile.write %l64 to %y[%n, 2] : memref<?x9xi64>
      tile.write %high to %y[%n, 3] : memref<?x9xi64>
      tile.write %s64 to %y[%n, 4] : memref<?x9xi64>
      tile.write %chosen to %y[%n, 5] : memref<?x9xi64>
      tile.write %bit to %y[%n, 6] : memref<?x9xi64>
      tile.write %r64 to %y[%n, 7] : memref<?x9xi64>
      tile.write %a64 to %y[%n, 8] : memref<?x9xi64>
    }"""

# Point loops whose range is read, and searches by lane


def draw_ranges(rng: np.random.Generator, dims: Mapping[str, int]) -> Arrays:
    n, h = dims["N"], dims["H"]
    starts = np.sort(rng.integers(0, h + 1, (n, 2)), axis=1).astype(np.int32)
    return {
        "ranges": starts,
        "ends": np.sort(rng.integers(0, h + 1, 5)).astype(np.int32),
        "x": rng.standard_normal((n, h)).astype(np.float32),
        "nothing": np.zeros(0, np.int8),
    }


def sum_ranges(inputs: Arrays, dims: Mapping[str, int]) -> Arrays:
    n, h = dims["N"], dims["H"]
    sums, where = np.zeros(n, np.float32), np.zeros((n, h), np.int32)
    for r in range(n):
        start, stop = inputs["ranges"][r]
        for e in range(start, stop):
            sums[r] = sums[r] + inputs["x"][r, e]
        where[r] = np.searchsorted(inputs["ends"], np.arange(h), side="right") + r
    return {"sums": sums, "where": where, "least": np.zeros(1, np.int32)}


RANGES = """
    scf.for %n = %c0 to %N step %c1 {
      tile.write %zero to %sums[%n] : memref<?xf32>
      %a = tile.read %ranges[%n, 0] : memref<?x2xi32>
      %b = tile.read %ranges[%n, 1] : memref<?x2xi32>
      %start = arith.index_cast %a : i32 to index
      %stop = arith.index_cast %b : i32 to index
      tile.foreach (%l: %start to %stop) {
        %v = tile.read %x[%n, %l] : memref<?x?xf32>
        tile.write add %v to %sums[%n] : memref<?xf32>
      }
    }
    tile.foreach (%r: 0 to %N, %l: 0 to %H) {
      %b = tile.search %ends for %l : memref<5xi32>
      %empty = tile.search %nothing for %r : memref<0xi8>
      %more = arith.addi %b, %r : index
      %most = arith.addi %more, %empty : index
      %p = arith.index_cast %most : index to i32
      tile.write %p to %where[%r, %l] : memref<?x?xi32>
    }
    %none = tile.search %nothing for %N : memref<0xi8>
    %count = arith.index_cast %none : index to i32
    tile.write %count to %least[0] : memref<1xi32>"""

CASES: Mapping[str, Case] = {
    "lists": Case(
        ("list input i64 N", "table input i32 M N", "cube input index N M 2", "flags input i8 N", "y output i64 32 4"),
        "%c32 = arith.constant 32 : index\n%always = arith.cmpi eq, %c0, %c0 : index\n" + LISTS,
        ({"N": 9, "M": 5}, {"N": 0, "M": 5}, {"N": 9, "M": 0}, {"N": 1, "M": 1}),
        draw_lists,
        read_lists,
    ),
    "segments": Case(
        ("ends input i64 S", "x input i32 N", "segment output i32 N", "sums output i32 8", "largest output i64 8"),
        SEGMENTS,
        ({"N": 20, "S": 6}, {"N": 0, "S": 3}, {"N": 7, "S": 1}, {"N": 0, "S": 0}),
        draw_segments,
        sum_segments,
    ),
    "cache": Case(
        ("x input f32 M H", "at input i32 N", "y output f32 N H", "loads output i32 1", "tags_out output i64 4"),
        CACHE,
        ({"N": 30, "M": 7, "H": 40}, {"N": 0, "M": 7, "H": 3}, {"N": 12, "M": 1, "H": 1}),
        draw_rows,
        gather_rows,
    ),
    "arithmetic": Case(
        ("a input i32 N", "b input i64 N", "y output i64 N 9"), PAIRS, ({"N": 60}, {"N": 0}), draw_pairs, compute_pairs
    ),
    "ranges": Case(
        (
            "ranges input i32 N 2",
            "ends input i32 5",
            "x input f32 N H",
            "nothing input i8 0",
            "sums output f32 N",
            "where output i32 N H",
            "least output i32 1",
        ),
        RANGES,
        ({"N": 6, "H": 50}, {"N": 3, "H": 0}, {"N": 0, "H": 4}),
        draw_ranges,
        sum_ranges,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_scalar_code(name: str) -> None:
    case = CASES[name]
    stage, loops = case.module(), case.module()
    LowerToLoopsPass().apply(new_context(), loops)
    loops.verify()
    assert not [op for op in loops.walk() if op.name.startswith("tile.")]
    runs = {"numpy": compile_numpy(stage), "loops": compile_numpy(loops), "c": compile_c(loops)}
    for number, dims in enumerate(case.dims):
        inputs = case.inputs(np.random.default_rng(number), dims)
        expected = case.model(inputs, dims)
        for level, executable in runs.items():
            outputs = executable.run(inputs, dims, 1)
            for key, value in expected.items():
                np.testing.assert_array_equal(outputs[key], value, f"{level} {key} {dims}", strict=True)
