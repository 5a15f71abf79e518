"""Scalar code of kernels: searches, local arrays, and global memory that scalars write or read after it was written."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import AscendcExecutable, compile_module
from opwright.codegen.numpy import compile_module as compile_numpy
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.registry import get_all_passes

Array = NDArray[Any]

STAGED = sorted(name for name, chip in CHIPS.items() if chip.staged)
TARGETS = sorted({CHIPS[name].npu_arch: name for name in STAGED}.values())
"""One chip an architecture."""

STEPS = ("pipeline", "insert-sync", "verify-sync", "lower-to-ascendc", "canonicalize", "cse", "verify-ascendc")

ROW = 'memref<?x?xf32, "ub">'
LIST = 'memref<?x?xi64, "ub">'


def kernel(stages: str) -> str:
    """Write a kernel on lists of B ends and T rows of W elements."""
    return f"""
func.func @lists_tiling(%B: index {{tile.name = "B"}}, %T: index {{tile.name = "T"}}, %W: index {{tile.name = "W"}},
    %cores: index {{tile.name = "cores"}}) -> (index {{tile.name = "pitch"}}) attributes {{tile.tiling}} {{
  %c32 = arith.constant 32 : index
  %blocks = arith.ceildivsi %W, %c32 : index
  %pitch = arith.muli %blocks, %c32 : index
  func.return %pitch : index
}}
func.func @lists(
    %ends: memref<?xi64> {{tile.name = "ends", tile.role = "input", tile.dims = ["B"]}},
    %x: memref<?x?xf32> {{tile.name = "x", tile.role = "input", tile.dims = ["T", "W"]}},
    %y: memref<?x?xf32> {{tile.name = "y", tile.role = "output", tile.dims = ["T", "W"]}},
    %count: memref<2x?xi64> {{tile.name = "count", tile.role = "workspace", tile.dims = [2, "B"]}},
    %B: index {{tile.name = "B", tile.role = "dim"}}, %T: index {{tile.name = "T", tile.role = "dim"}},
    %W: index {{tile.name = "W", tile.role = "dim"}}, %pitch: index {{tile.name = "pitch", tile.role = "tiling"}},
    %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  {stages}
  func.return
}}
"""


COUNTS = """
  tile.cores "counts" %cores (%core) {
    %is_first = arith.cmpi eq, %core, %c0 : index
    scf.if %is_first {
      scf.for %b = %c0 to %B step %c1 {
        %end = memref.load %ends[%b] : memref<?xi64>
        %before = arith.subi %b, %c1 : index
        %inside = arith.cmpi sge, %before, %c0 : index
        %begin = scf.if %inside -> (i64) {
          %found = memref.load %ends[%before] : memref<?xi64>
          scf.yield %found : i64
        } else {
          scf.yield %none : i64
        }
        %n = arith.subi %end, %begin : i64
        memref.store %n, %count[%c0, %b] : memref<2x?xi64>
      }
      %total = scf.for %b = %c0 to %B step %c1 iter_args(%sum = %none) -> (i64) {
        %n = memref.load %count[%c0, %b] : memref<2x?xi64>
        memref.store %sum, %count[%c1, %b] : memref<2x?xi64>
        %next = arith.addi %sum, %n : i64
        scf.yield %next : i64
      }
    }
  }
"""
"""count[0, b] = ends[b] - ends[b - 1], count[1, b] = the sum of the counts before."""

ROWS = f"""
  tile.cores "rows" %cores (%core) {{
    %in = tile.alloc "in" in [1, %pitch] : {ROW}
    %out = tile.alloc "out" out [1, %pitch] : {ROW}
    %seen = memref.alloca() : memref<2xindex>
    scf.for %t = %core to %T step %cores {{
      %s = tile.search %ends for %t : memref<?xi64>
      %slot = arith.remsi %s, %c2 : index
      memref.store %s, %seen[%slot] : memref<2xindex>
      %segment = memref.load %seen[%slot] : memref<2xindex>
      %n = memref.load %count[%c0, %segment] : memref<2x?xi64>
      %begin = memref.load %count[%c1, %segment] : memref<2x?xi64>
      %end = arith.addi %n, %begin : i64
      %behind = arith.index_cast %end : i64 to index
      %row = arith.subi %behind, %c1 : index
      tile.load_rows %x[%row, %c0] along 0 to %in[%c0] rows %c1 width %W : memref<?x?xf32>, {ROW}
      tile.unary "copy" %in[%c0] to %out[%c0] rows %c1 width %W : ({ROW}) -> {ROW}
      tile.store_rows %out[%c0] to %y[%t, %c0] along 0 rows %c1 width %W : {ROW}, memref<?x?xf32>
    }}
  }}
"""
"""y[t] = the last row of the segment that row t of x is in."""


def lowered(text: str, target: str) -> ModuleOp:
    module = parse_module(new_context(), text, "lists.mlir")
    spec = ",".join(name if name in ("canonicalize", "cse") else f"{name}{{target={target}}}" for name in STEPS)
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
        module.verify()
    return module


def arguments(ends: list[int], width: int) -> tuple[dict[str, Array], dict[str, int]]:
    x = np.random.default_rng(len(ends)).standard_normal((ends[-1], width)).astype(np.float32)
    return {"ends": np.array(ends, np.int64), "x": x}, {"B": len(ends), "T": ends[-1], "W": width}


LISTS = [[1], [3, 3, 10], [0, 0, 2, 9, 9, 9, 21], list(range(1, 30))]


@pytest.mark.parametrize("target", TARGETS)
def test_rows_found_by_scalars(target: str) -> None:
    text = kernel(COUNTS + ROWS)
    executable = compile_module(lowered(text, target), get_chip(target))
    runs = [compile_numpy(parse_module(new_context(), text, "lists.mlir")), compile_numpy(lowered(text, target))]
    for ends in LISTS:
        inputs, dims = arguments(ends, 9)
        last = inputs["ends"][np.searchsorted(inputs["ends"], np.arange(dims["T"]), side="right")] - 1
        for run in (*runs, executable):
            for cores in (1, 4):
                np.testing.assert_array_equal(run.run(inputs, dims, cores)["y"], inputs["x"][last])


def test_text() -> None:
    source = compile_module(lowered(kernel(COUNTS + ROWS), STAGED[0]), get_chip(STAGED[0])).sources["lists.cpp"]
    clean = "DataCacheCleanAndInvalid<int64_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(countGm);"
    assert source.count(clean) == 2
    assert source.count("DataSyncBarrier<MemDsbT::ALL>();") == 2
    for line in ("int64_t seen[2];", "seen[slot] = s;", "while (", "countGm.SetValue(b, ", "countGm.GetValue(B + "):
        assert line in source, line


def without(executable: AscendcExecutable, number: int) -> AscendcExecutable:
    """Leave out one cleaning of the cache."""
    lines = executable.sources["lists.cpp"].splitlines()
    del lines[[n for n, line in enumerate(lines) if "DataCacheCleanAndInvalid" in line][number]]
    sources = {**executable.sources, "lists.cpp": "\n".join(lines)}
    return AscendcExecutable(sources, executable.interface, executable.data, executable.chip)


def test_stores_stay_in_the_cache_unless_it_is_cleaned() -> None:
    sound = compile_module(lowered(kernel(COUNTS + ROWS), STAGED[0]), get_chip(STAGED[0]))
    inputs, dims = arguments(LISTS[1], 9)
    assert sound.emulate(inputs, dims, 3)[1].clean
    broken = without(sound, 0)
    assert any("gm-dirty-cache" in broken.emulate(inputs, dims, 3, seed=seed)[1].codes for seed in range(6))


def copied(label: str, row: str) -> str:
    """Copy the ends to a row of `count`, once."""
    return f"""
  tile.cores "{label}" %cores (%core) {{
    %list = tile.alloc "list" in [1, %B ceildiv 32 * 32] : {LIST}
    scf.for %item = %core to %c1 step %cores {{
      tile.load_rows %ends[%c0] along 0 to %list[%c0] rows %c1 width %B : memref<?xi64>, {LIST}
      tile.store_rows %list[%c0] to %count[%{row}, %c0] along 1 rows %c1 width %B : {LIST}, memref<2x?xi64>
    }}
  }}
"""


def chosen(label: str) -> str:
    """Copy rows of x to y, at places that scalars read from `count`."""
    return f"""
  tile.cores "{label}" %cores (%core) {{
    %in = tile.alloc "in" in [1, %pitch] : {ROW}
    %out = tile.alloc "out" out [1, %pitch] : {ROW}
    scf.for %t = %core to %T step %cores {{
      %b = arith.remsi %t, %B : index
      %end = memref.load %count[%c0, %b] : memref<2x?xi64>
      %behind = arith.index_cast %end : i64 to index
      %row = arith.subi %behind, %c1 : index
      tile.load_rows %x[%row, %c0] along 0 to %in[%c0] rows %c1 width %W : memref<?x?xf32>, {ROW}
      tile.unary "copy" %in[%c0] to %out[%c0] rows %c1 width %W : ({ROW}) -> {ROW}
      tile.store_rows %out[%c0] to %y[%t, %c0] along 0 rows %c1 width %W : {ROW}, memref<?x?xf32>
    }}
  }}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_lines_are_stale_unless_the_cache_is_cleaned(target: str) -> None:
    text = kernel(copied("before", "c0") + chosen("first") + copied("again", "c0") + chosen("second"))
    executable = compile_module(lowered(text, target), get_chip(target))
    inputs, dims = arguments([1, 4, 12], 9)
    expected = inputs["x"][inputs["ends"][np.arange(12) % 3] - 1]
    np.testing.assert_array_equal(executable.run(inputs, dims, 3)["y"], expected)
    assert executable.sources["lists.cpp"].count("DataCacheCleanAndInvalid") == 2
    assert "gm-stale-cache" in without(executable, 1).emulate(inputs, dims, 3)[1].codes


STORED_BY_ALL = """
  tile.cores "counts" %cores (%core) {
    scf.for %b = %core to %B step %cores { memref.store %none, %count[%c0, %b] : memref<2x?xi64> }
  }
"""

STORED_AND_COPIED = copied("counts", "c1").replace(
    "scf.for",
    """%is_first = arith.cmpi eq, %core, %c0 : index
    scf.if %is_first { memref.store %none, %count[%c0, %c0] : memref<2x?xi64> }
    scf.for""",
)

READ_BY_ALL = COUNTS.replace("%is_first =", "%early = memref.load %count[%c0, %c0] : memref<2x?xi64>\n    %is_first =")

READ_AND_COPIED = (
    chosen("rows")
    .replace("%count[%c0, %b] : memref<2x?xi64>", "%ends[%b] : memref<?xi64>")
    .replace("%behind = ", "%old = memref.load %y[%t, %c0] : memref<?x?xf32>\n      %behind = ")
)

REFUSED = {
    STORED_BY_ALL: "more than one core uses 'count' by scalars in a stage that writes it so",
    READ_BY_ALL: "more than one core uses 'count' by scalars in a stage that writes it so",
    STORED_AND_COPIED: "a scalar writes 'count' in a stage in which copies use it",
    READ_AND_COPIED: "a scalar reads 'y' in a stage in which copies write it",
}


@pytest.mark.parametrize("stages", REFUSED)
def test_refused(stages: str) -> None:
    with pytest.raises(Diagnostic) as raised:
        lowered(kernel(stages), STAGED[0])
    assert raised.value.code == "OPW378"
    assert raised.value.message == REFUSED[stages]
