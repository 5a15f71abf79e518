"""Sums over lanes and scalars of rows: the calls they become give the same bits on NumPy and on the emulator."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import compile_module
from opwright.codegen.executable import Executable
from opwright.codegen.numpy import compile_module as compile_numpy
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.registry import get_all_passes

Array = NDArray[Any]

STAGED = sorted(name for name, chip in CHIPS.items() if chip.staged)
TARGETS = sorted({CHIPS[name].npu_arch: name for name in STAGED}.values())
"""One chip an architecture."""

STEPS = ("pipeline", "insert-sync", "verify-sync", "lower-to-ascendc", "canonicalize", "cse", "verify-ascendc")

F32 = 'memref<?x?xf32, "ub">'
FOLDS = {"add": "0.0", "max": "0xFF800000", "min": "0x7F800000"}
"""The combinations over lanes, with their identities."""

BY_ROW = ("add", "sub", "mul", "div", "max", "min")


@dataclass(frozen=True)
class Form:
    """How a kernel's sizes are known, which decides what instructions become.

    Attributes:
        pitch: the number of lanes of a buffer, in the tiling function.
        rows: the number of rows to work on, in the kernel.
        room: the rows of a buffer, in the tiling function.
        shapes: rows and widths to run.
    """

    pitch: str
    rows: str
    room: str
    shapes: tuple[tuple[int, int], ...]


ALL_ROWS, ONE_ROW = "arith.maxsi %R, %c1", "arith.constant 1"
LANES, BOUNDED = "arith.muli %blocks, %c32", "arith.minsi %lanes, %c256"

FORMS = {
    "any rows": Form(
        BOUNDED,
        ALL_ROWS,
        ALL_ROWS,
        (*((1, width) for width in (16, 64, 100, 128, 200)), (7, 100), (64, 128), (65, 200), (255, 16), (300, 16)),
    ),
    "few rows": Form(BOUNDED, "arith.minsi %R, %c64", "arith.constant 64", ((1, 200), (7, 16), (64, 100))),
    "any pitch": Form(LANES, ALL_ROWS, ALL_ROWS, ((1, 64), (7, 200), (3, 2500), (255, 16), (1, 9000))),
    "one row": Form(LANES, ONE_ROW, ONE_ROW, ((1, 16), (1, 64), (1, 200), (1, 16400))),
}


def choice(texts: Iterable[str]) -> str:
    """Run the text whose number is %k."""
    return "".join(
        f"""
        %is{number} = arith.cmpi eq, %k, %k{number} : index
        scf.if %is{number} {{ {body} }}
        """
        for number, body in enumerate(texts)
    )


EXTENT = "rows %rows width %W"

SUMS = choice(
    f"""
    tile.fill (%{kind}) to %f[%c0] rows %rows width %c64 : (f32) -> {F32}
    tile.fold "{kind}" %a[%c0] to %f[%c0] {EXTENT} : ({F32}) -> {F32}
    tile.tree "{kind}" %f[%c0] to %sum[%c0] rows %rows width %c64 : ({F32}) -> {F32}
    """
    for kind in FOLDS
)

SCALES = choice(
    [f'tile.by_row "{kind}" %a[%c0], %s[%c0] to %y[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}' for kind in BY_ROW]
    + [
        f"""
        tile.unary "copy" %a[%c0] to %y[%c0] {EXTENT} : ({F32}) -> {F32}
        tile.by_row "mul" %y[%c0], %s[%c0] to %y[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}
        tile.by_row "sub" %y[%c0], %s[%c0] step 0 to %y[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}
        """
    ]
)

CONSTANTS = "\n".join(
    [f"%k{n} = arith.constant {n} : index" for n in range(8)]
    + [f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 8, 32, 64, 256)]
    + [f"%{kind} = arith.constant {value} : f32" for kind, value in FOLDS.items()]
)


def text(form: Form) -> str:
    """Write a kernel: sums of the lanes of x, and x combined with a scalar a row, v."""
    return f"""
func.func @lanes_tiling(%R: index {{tile.name = "R"}}, %W: index {{tile.name = "W"}},
    %cores: index {{tile.name = "cores"}}) -> (index {{tile.name = "pitch"}}, index {{tile.name = "room"}})
    attributes {{tile.tiling}} {{
  {CONSTANTS}
  %blocks = arith.ceildivsi %W, %c32 : index
  %lanes = arith.muli %blocks, %c32 : index
  %pitch = {form.pitch} : index
  %room = {form.room} : index
  func.return %pitch, %room : index, index
}}
func.func @lanes(
    %x: memref<2x?x?xf32> {{tile.name = "x", tile.role = "input", tile.dims = [2, "R", "W"]}},
    %v: memref<2x?xf32> {{tile.name = "v", tile.role = "input", tile.dims = [2, "R"]}},
    %sums: memref<3x2x?xf32> {{tile.name = "sums", tile.role = "output", tile.dims = [3, 2, "R"]}},
    %scales: memref<7x2x?x?xf32> {{tile.name = "scales", tile.role = "output", tile.dims = [7, 2, "R", "W"]}},
    %R: index {{tile.name = "R", tile.role = "dim"}}, %W: index {{tile.name = "W", tile.role = "dim"}},
    %pitch: index {{tile.name = "pitch", tile.role = "tiling"}},
    %room: index {{tile.name = "room", tile.role = "tiling"}},
    %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
  {CONSTANTS}
  tile.cores "sums" %cores (%core) {{
    %a = tile.alloc "a" in [%room, %pitch] : {F32}
    %f = tile.alloc "f" temp [%room, 64] : {F32}
    %sum = tile.alloc "sum" temp [1, %room ceildiv 32 * 32] : {F32}
    %t = tile.alloc "t" out [1, %room ceildiv 32 * 32] : {F32}
    scf.for %item = %core to %c2 step %cores {{
      %rows = {form.rows} : index
      tile.load_rows %x[%item, %c0, %c0] along 1 to %a[%c0] rows %rows width %W : memref<2x?x?xf32>, {F32}
      scf.for %k = %c0 to %k3 step %c1 {{
        {SUMS}
        tile.unary "copy" %sum[%c0] to %t[%c0] rows %c1 width %rows : ({F32}) -> {F32}
        tile.store_rows %t[%c0] to %sums[%k, %item, %c0] along 1 rows %c1 width %rows : {F32}, memref<3x2x?xf32>
      }}
    }}
  }}
  tile.cores "scales" %cores (%core) {{
    %a = tile.alloc "a" in [%room, %pitch] : {F32}
    %v_in = tile.alloc "v_in" in [1, %room ceildiv 32 * 32] : {F32}
    %v_row = tile.alloc "v_row" temp [1, %room ceildiv 32 * 32] : {F32}
    %s = tile.alloc "s" temp [%room ceildiv 8 * 8, 32] : {F32}
    %y = tile.alloc "y" out [%room, %pitch] : {F32}
    scf.for %item = %core to %c2 step %cores {{
      %rows = {form.rows} : index
      %groups = arith.ceildivsi %rows, %c8 : index
      %whole = arith.muli %groups, %c8 : index
      tile.load_rows %x[%item, %c0, %c0] along 1 to %a[%c0] rows %rows width %W : memref<2x?x?xf32>, {F32}
      tile.load_rows %v[%item, %c0] along 0 to %v_in[%c0] rows %c1 width %rows : memref<2x?xf32>, {F32}
      tile.fill (%add) to %v_row[%c0] rows %c1 width %whole : (f32) -> {F32}
      tile.unary "copy" %v_in[%c0] to %v_row[%c0] rows %c1 width %rows : ({F32}) -> {F32}
      tile.splat %v_row[%c0] to %s[%c0] rows %rows width %c8 : ({F32}) -> {F32}
      scf.for %k = %c0 to %k7 step %c1 {{
        {SCALES}
        tile.store_rows %y[%c0] to %scales[%k, %item, %c0, %c0] along 2 {EXTENT} : {F32}, memref<7x2x?x?xf32>
      }}
    }}
  }}
  func.return
}}
"""


def lowered(form: Form, target: str, steps: tuple[str, ...] = STEPS) -> ModuleOp:
    module = parse_module(new_context(), text(form), "lanes.mlir")
    spec = ",".join(name if name in ("canonicalize", "cse") else f"{name}{{target={target}}}" for name in steps)
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
        module.verify()
    return module


def bits(array: Array) -> Array:
    """The bits, all NaN alike."""
    return np.where(np.isnan(array), np.uint32(0x7FC00000), array.view(np.uint32))


def inputs(rows: int, width: int) -> dict[str, Array]:
    random = np.random.default_rng(rows * 100 + width)
    x = (random.standard_normal((2, rows, width)) * 10.0 ** random.integers(-3, 3, (2, rows, width))).astype(np.float32)
    v = random.standard_normal((2, rows)).astype(np.float32)
    x[0, 0, ::3] = -0.0
    x[1, 0, width // 2] = np.nan
    x[1, -1, 0] = np.inf
    v[1, -1] = 0.0
    return {"x": x, "v": v}


def run(executable: Executable, rows: int, width: int, cores: int) -> dict[str, Array]:
    with np.errstate(all="ignore"):
        outputs = executable.run(inputs(rows, width), {"R": rows, "W": width}, cores)
    return {name: bits(array) for name, array in outputs.items()}


CASES = [(form, target) for form in FORMS for target in TARGETS]


@pytest.mark.parametrize(("form", "target"), CASES)
def test_same_bits(form: str, target: str) -> None:
    executable = compile_module(lowered(FORMS[form], target), get_chip(target))
    tiles = compile_numpy(parse_module(new_context(), text(FORMS[form]), "lanes.mlir"))
    calls = compile_numpy(lowered(FORMS[form], target))
    for rows, width in FORMS[form].shapes:
        expected = run(tiles, rows, width, 1)
        for other in (calls, executable):
            for name, array in run(other, rows, width, 2).items():
                np.testing.assert_array_equal(array, expected[name], f"{name} of {rows} x {width}")
