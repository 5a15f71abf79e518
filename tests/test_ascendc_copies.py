"""Copies in every combination of pipes: straight through, out of what was copied in, overlapping, many, and scalars."""

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

F32, I8 = 'memref<?x?xf32, "ub">', 'memref<?x?xi8, "ub">'
ROWS = "rows %rows width %H"
ONE = "rows %c1 width %H"
GLOBAL = "memref<?x?xf32>"

TILING = """
func.func @moves_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %V: index {tile.name = "V"},
    %cores: index {tile.name = "cores"}) -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 64 : index
  func.return %pitch : index
}
"""


def output(name: str) -> str:
    return f'%{name}: {GLOBAL} {{tile.name = "{name}", tile.role = "output", tile.dims = ["N", "H"]}}'


def load(source: str, target: str, along: int = 0, extent: str = ROWS) -> str:
    return f"tile.load_rows %{source}[%i0, %c0] along {along} to %{target}[%c0] {extent} : {GLOBAL}, {F32}"


def store(source: str, target: str, extent: str = ROWS) -> str:
    return f"tile.store_rows %{source}[%c0] to %{target}[%i0, %c0] along 0 {extent} : {F32}, {GLOBAL}"


def unary(kind: str, source: str, target: str) -> str:
    return f'tile.unary "{kind}" %{source}[%c0] to %{target}[%c0] {ROWS} : ({F32}) -> {F32}'


KERNEL = f"""
func.func @moves(%x: {GLOBAL} {{tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}},
    %m: memref<?x?xi8> {{tile.name = "m", tile.role = "input", tile.dims = ["V", "H"]}},
    {output("through")}, {output("passed")}, {output("changed")}, {output("mean")}, {output("again")},
    %windows: {GLOBAL} {{tile.name = "windows", tile.role = "output", tile.dims = ["N", "H"]}},
    %many: memref<?x?xi8> {{tile.name = "many", tile.role = "output", tile.dims = ["V", "H"]}},
    %first: {GLOBAL} {{tile.name = "first", tile.role = "workspace", tile.dims = ["N", "H"]}},
    %second: {GLOBAL} {{tile.name = "second", tile.role = "workspace", tile.dims = ["N", "H"]}},
    %N: index {{tile.name = "N", tile.role = "dim"}}, %H: index {{tile.name = "H", tile.role = "dim"}},
    %V: index {{tile.name = "V", tile.role = "dim"}},
    %pitch: index {{tile.name = "pitch", tile.role = "tiling"}},
    %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %shared = arith.muli %cores, %c4 : index
  tile.cores "spread" %cores (%core) {{
    %a = tile.alloc "a" in [4, %pitch] times 2 : {F32}
    %b = tile.alloc "b" in [4, %pitch] times 2 : {F32}
    %c = tile.alloc "c" in [4, %pitch] times 2 : {F32}
    %d = tile.alloc "d" in [4, %pitch] : {F32}
    %sum = tile.alloc "sum" temp [1, %pitch] : {F32}
    %out = tile.alloc "out" out [4, %pitch] times 2 : {F32}
    %rest = tile.alloc "rest" out [4, %pitch] : {F32}
    %start = arith.muli %core, %c4 : index
    scf.for %i0 = %start to %N step %shared {{
      %left = arith.subi %N, %i0 : index
      %rows = arith.minsi %left, %c4 : index
      {load("x", "a")}
      {store("a", "through")}
      {load("x", "b")}
      tile.fill (%zero) to %sum[%c0] {ONE} : (f32) -> {F32}
      tile.accumulate "add" %b[%c0] to %sum[%c0] {ROWS} : ({F32}) -> {F32}
      {store("b", "passed")}
      {load("x", "c")}
      {unary("exp", "c", "c")}
      {store("c", "changed")}
      %total = memref.load %sum[%c0, %c0] : {F32}
      %half = arith.constant 0.5 : f32
      %scaled = arith.mulf %total, %half : f32
      tile.fill (%scaled) to %out[%c0] {ROWS} : (f32) -> {F32}
      {store("out", "mean")}
      {load("through", "d")}
      {unary("neg", "d", "rest")}
      {store("rest", "first")}
      {store("rest", "second")}
    }}
  }}
  tile.cores "gather" %cores (%core) {{
    %a = tile.alloc "a" in [4, %pitch] times 2 : {F32}
    %b = tile.alloc "b" in [4, %pitch] times 2 : {F32}
    %w = tile.alloc "w" in [3, %pitch] : {F32}
    %out = tile.alloc "out" out [4, %pitch] times 2 : {F32}
    %wide = tile.alloc "wide" out [1, %pitch] : {F32}
    %start = arith.muli %core, %c4 : index
    scf.for %i0 = %start to %N step %shared {{
      %left = arith.subi %N, %i0 : index
      %rows = arith.minsi %left, %c4 : index
      {load("first", "a")}
      {load("second", "b")}
      tile.binary "add" %a[%c0], %b[%c0] to %out[%c0] {ROWS} : ({F32}, {F32}) -> {F32}
      {store("out", "again")}
      scf.for %r = %c0 to %rows step %c1 {{
        %i = arith.addi %i0, %r : index
        %inner = arith.subi %H, %c2 : index
        tile.load_rows %x[%i, %c0] along 1 to %w[%c0] rows %c2 width %inner : {GLOBAL}, {F32}
        tile.fill (%zero) to %wide[%c0] {ONE} : (f32) -> {F32}
        tile.accumulate "add" %w[%c0] to %wide[%c0] rows %c2 width %inner : ({F32}) -> {F32}
        tile.store_rows %wide[%c0] to %windows[%i, %c0] along 0 {ONE} : {F32}, {GLOBAL}
      }}
    }}
  }}
  tile.cores "bytes" %cores (%core) {{
    %all = tile.alloc "all" in [5000, 32] : {I8}
    %most = arith.constant 5000 : index
    %rows = arith.minsi %V, %most : index
    %last = arith.minsi %core, %c1 : index
    scf.for %once = %last to %c1 step %c1 {{
      tile.load_rows %m[%c0, %c0] along 0 to %all[%c0] rows %rows width %H : memref<?x?xi8>, {I8}
      tile.store_rows %all[%c0] to %many[%c0, %c0] along 0 rows %rows width %H : {I8}, memref<?x?xi8>
    }}
  }}
  func.return
}}
"""


def parsed() -> ModuleOp:
    return parse_module(new_context(), TILING + KERNEL, "moves.mlir")


def lowered(target: str) -> ModuleOp:
    module = parsed()
    names = ("pipeline", "insert-sync", "verify-sync", "lower-to-ascendc")
    spec = ",".join((*(f"{name}{{target={target}}}" for name in names), "canonicalize", "cse"))
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
        module.verify()
    return module


def expected(x: NDArray[Any], m: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What the kernel computes, written down directly."""
    sums = [np.add.accumulate(x[i : i + 4], axis=0)[-1] for i in range(0, len(x), 4)]
    mean = np.concatenate([np.full_like(x[i * 4 : i * 4 + 4], s[0] * np.float32(0.5)) for i, s in enumerate(sums)])
    windows = np.zeros_like(x)
    windows[:, :-2] = x[:, :-2] + x[:, 1:-1]
    changed = np.exp(x.astype(np.float64)).astype(np.float32)
    again = -x + -x
    return {
        "through": x,
        "passed": x,
        "changed": changed,
        "mean": mean,
        "again": again,
        "windows": windows,
        "many": m,
    }


@pytest.mark.parametrize("target", TARGETS)
def test_moves(target: str) -> None:
    module = lowered(target)
    runs = [compile_numpy(parsed()).run, compile_numpy(module).run, compile_module(module, get_chip(target)).run]
    random = np.random.default_rng(5)
    for rows, width, many in ((4, 8, 20), (11, 27, 4096), (1, 3, 5000), (30, 32, 1)):
        x = random.standard_normal((rows, width)).astype(np.float32)
        m = random.integers(-128, 127, (many, width)).astype(np.int8)
        want = expected(x, m)
        for run in runs:
            got = run({"x": x, "m": m}, {"N": rows, "H": width, "V": many}, 3)
            for name, array in want.items():
                np.testing.assert_array_equal(got[name], array, err_msg=name)
