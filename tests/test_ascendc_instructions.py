"""All row instructions in all forms: a kernel with many of them gives the same bits on NumPy and on the emulator."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import compile_module
from opwright.codegen.numpy import compile_module as compile_numpy
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.registry import get_all_passes

TARGETS = sorted({chip.npu_arch: name for name, chip in CHIPS.items() if chip.staged}.values())
"""One chip an architecture."""

F32, F16, BF16, I8 = (f'memref<?x?x{t}, "ub">' for t in ("f32", "f16", "bf16", "i8"))
EXTENT = "rows %rows width %width"

INSTRUCTIONS = (
    *(
        f'tile.unary "{k}" %a[%c0] to %b[%c0] {EXTENT} : ({F32}) -> {F32}'
        for k in ("exp", "abs", "neg", "relu", "copy")
    ),
    *(f'tile.unary "{k}" %p[%c0] to %b[%c0] {EXTENT} : ({F32}) -> {F32}' for k in ("log", "sqrt", "rsqrt", "recip")),
    *(
        f'tile.binary "{k}" %a[%c0], %p[%c0] to %b[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}'
        for k in ("add", "sub", "mul", "div", "max", "min")
    ),
    f'tile.binary "sub" %a[%c0] step 0, %p[%c0] to %b[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}',
    f'tile.binary "mul" %a[%c0], %p[%c1] step 0 to %b[%c0] {EXTENT} : ({F32}, {F32}) -> {F32}',
    *(
        f'tile.scalar "{k}" %a[%c0] (%third) to %b[%c0] {EXTENT} : ({F32}, f32) -> {F32}'
        for k in ("add", "mul", "max", "min")
    ),
    f"tile.fill (%third) to %b[%c0] {EXTENT} : (f32) -> {F32}",
    f"tile.fill (%third) to %b[%c1] rows %c0 width %width : (f32) -> {F32}",
    *(f'tile.accumulate "{k}" %a[%c0] to %b[%c1] {EXTENT} : ({F32}) -> {F32}' for k in ("add", "max", "min")),
    f"tile.cast %a[%c0] to %h[%c0] {EXTENT} : ({F32}) -> {F16}\n"
    f"tile.cast %h[%c0] to %b[%c0] {EXTENT} : ({F16}) -> {F32}",
    f"tile.cast %a[%c0] to %g[%c0] {EXTENT} : ({F32}) -> {BF16}\n"
    f"tile.cast %g[%c0] to %b[%c0] {EXTENT} : ({BF16}) -> {F32}",
    f'tile.unary "neg" %a[%c1] to %b[%c1] rows %c1 width %width : ({F32}) -> {F32}\n'
    f'tile.binary "add" %b[%c1], %p[%c0] to %b[%c1] rows %c1 width %width : ({F32}, {F32}) -> {F32}',
)
"""Each writes some of %b, which holds what it held before elsewhere."""


@dataclass(frozen=True)
class Form:
    """A size that decides which form instructions get: rows of a buffer, its pitch, and the rows and widths to run."""

    rows: int
    pitch: int
    shapes: tuple[tuple[int, int], ...]


FORMS = {
    "few lanes": Form(8, 32, ((8, 32), (3, 7), (2, 1))),
    "columns": Form(8, 256, ((8, 256), (5, 65), (2, 130))),
    "many rows": Form(260, 32, ((260, 20), (255, 32), (256, 5))),
    "wide rows": Form(3, 2080, ((3, 2080), (2, 100))),
}


def text(form: Form) -> str:
    body = "\n".join(
        f"""
        %k{number} = arith.constant {number} : index
        %is{number} = arith.cmpi eq, %k, %k{number} : index
        scf.if %is{number} {{
          {instruction}
        }}
        """
        for number, instruction in enumerate(INSTRUCTIONS)
    )
    return f"""
func.func @many_tiling(%K: index {{tile.name = "K"}}, %N: index {{tile.name = "N"}}, %R: index {{tile.name = "R"}},
    %H: index {{tile.name = "H"}}, %cores: index {{tile.name = "cores"}}) -> (index {{tile.name = "pitch"}})
    attributes {{tile.tiling}} {{
  %pitch = arith.constant {form.pitch} : index
  func.return %pitch : index
}}
func.func @many(%x: memref<?x?x?xf32> {{tile.name = "x", tile.role = "input", tile.dims = ["N", "R", "H"]}},
    %y: memref<?x?x?x?xf32> {{tile.name = "y", tile.role = "output", tile.dims = ["K", "N", "R", "H"]}},
    %K: index {{tile.name = "K", tile.role = "dim"}}, %N: index {{tile.name = "N", tile.role = "dim"}},
    %R: index {{tile.name = "R", tile.role = "dim"}}, %H: index {{tile.name = "H", tile.role = "dim"}},
    %pitch: index {{tile.name = "pitch", tile.role = "tiling"}},
    %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant {form.rows} : index
  %two = arith.constant 2.0 : f32
  %third = arith.constant 0.333 : f32
  tile.cores "many" %cores (%core) {{
    %a = tile.alloc "a" in [{form.rows}, %pitch] : {F32}
    %p = tile.alloc "p" temp [{form.rows}, %pitch] : {F32}
    %b = tile.alloc "b" temp [{form.rows}, %pitch] : {F32}
    %h = tile.alloc "h" temp [{form.rows}, %pitch] : {F16}
    %g = tile.alloc "g" temp [{form.rows}, %pitch] : {BF16}
    %out = tile.alloc "out" out [{form.rows}, %pitch] : {F32}
    scf.for %item = %core to %N step %cores {{
      %rows = arith.minsi %R, %most : index
      %width = arith.minsi %H, %pitch : index
      tile.load_rows %x[%item, %c0, %c0] along 1 to %a[%c0] {EXTENT} : memref<?x?x?xf32>, {F32}
      tile.unary "abs" %a[%c0] to %p[%c0] {EXTENT} : ({F32}) -> {F32}
      tile.scalar "add" %p[%c0] (%third) to %p[%c0] {EXTENT} : ({F32}, f32) -> {F32}
      scf.for %k = %c0 to %K step %c1 {{
        tile.fill (%two) to %b[%c0] rows %most width %width : (f32) -> {F32}
        {body}
        tile.unary "copy" %b[%c0] to %out[%c0] {EXTENT} : ({F32}) -> {F32}
        tile.store_rows %out[%c0] to %y[%k, %item, %c0, %c0] along 2 {EXTENT} : {F32}, memref<?x?x?x?xf32>
      }}
    }}
  }}
  func.return
}}
"""


def lowered(form: Form, target: str) -> ModuleOp:
    module = parse_module(new_context(), text(form), "many.mlir")
    names = ("pipeline", "insert-sync", "verify-sync", "lower-to-ascendc")
    spec = ",".join((*(f"{name}{{target={target}}}" for name in names), "canonicalize", "cse"))
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
        module.verify()
    return module


def bits(array: NDArray[Any]) -> NDArray[Any]:
    """The bits, all NaN alike."""
    return np.where(np.isnan(array), np.uint32(0x7FC00000), array.view(np.uint32))


def inputs(rows: int, width: int) -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(rows * 100 + width)
    x = (random.standard_normal((2, rows, width)) * 10).astype(np.float32)
    x[0, 0, 0] = -0.0
    return {"x": x}


CASES = [(form, TARGETS[0]) for form in FORMS] + [("columns", target) for target in TARGETS[1:]]
"""Every form once, and the most used one on every architecture."""


@pytest.mark.parametrize(("form", "target"), CASES)
def test_same_bits(form: str, target: str) -> None:
    module = lowered(FORMS[form], target)
    numpy_run = compile_numpy(parse_module(new_context(), text(FORMS[form]), "many.mlir")).run
    lowered_run = compile_numpy(module).run
    executable = compile_module(module, get_chip(target))
    for rows, width in FORMS[form].shapes:
        dims = {"K": len(INSTRUCTIONS), "N": 2, "R": rows, "H": width}
        expected = bits(numpy_run(inputs(rows, width), dims, 1)["y"])
        np.testing.assert_array_equal(bits(lowered_run(inputs(rows, width), dims, 2)["y"]), expected)
        np.testing.assert_array_equal(bits(executable.run(inputs(rows, width), dims, 2)["y"]), expected)
