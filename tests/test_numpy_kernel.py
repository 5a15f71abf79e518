"""A whole kernel through the NumPy backend, and what an executable refuses."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.executable import KernelInterface
from opwright.codegen.numpy import NumpyExecutable, Options, compile_module, emit
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context

Array = NDArray[Any]
BF16 = ml_dtypes.bfloat16
CHUNK = 64


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    path = Path(__file__).parent / "data" / "blur.mlir"
    return parse_module(new_context(), path.read_text(encoding="utf-8"), "blur.mlir")


@pytest.fixture(scope="module")
def blur(module: ModuleOp) -> NumpyExecutable:
    return compile_module(module)


def blur_inputs(rows: int, width: int) -> dict[str, Array]:
    rng = np.random.default_rng(rows * 1000 + width)
    return {
        "x": rng.standard_normal((rows, width)).astype(BF16),
        "w": rng.standard_normal(width).astype(BF16),
        "keep": rng.integers(0, 3, rows).astype(np.int8),
    }


def blurred(x: Array, w: Array, keep: Array) -> dict[str, Array]:
    """The kernel's definition: y[i] = g[i] * w + g[i + 1], s = sum over i of g[i] * w, in chunks of 64 rows."""
    rows, width = x.shape
    g = np.zeros((rows + 1, width), np.float32)
    g[:rows] = np.where(keep[:, None] != 0, x.astype(np.float32), np.float32(0))
    p = g[:-1] * w.astype(np.float32)
    s = np.zeros(width, np.float32)
    for lo in range(0, rows, CHUNK):
        partial = np.zeros(width, np.float32)
        for r in range(lo, min(lo + CHUNK, rows)):
            partial = partial + p[r]
        s = s + partial
    return {"y": (p + g[1:]).astype(BF16), "s": s.astype(BF16)}


def assert_same(a: dict[str, Array], b: dict[str, Array]) -> None:
    assert a.keys() == b.keys()
    for name, array in a.items():
        np.testing.assert_array_equal(array.view(np.int16), b[name].view(np.int16), err_msg=name)


@pytest.mark.parametrize("cores", [1, 3, 40])
@pytest.mark.parametrize(("rows", "width"), [(1, 1), (0, 9), (5, 7), (64, 300), (130, 257), (200, 33)])
def test_kernel_gives_the_bits_of_its_definition(blur: NumpyExecutable, rows: int, width: int, cores: int) -> None:
    inputs = blur_inputs(rows, width)
    assert_same(blur.run(inputs, {"N": rows, "H": width}, cores), blurred(**inputs))


@pytest.mark.parametrize("options", [Options(fit_rows=1), Options(fit_rows=64), Options(reverse_cores=True)], ids=str)
def test_tile_sizes_and_the_order_of_cores_do_not_matter(module: ModuleOp, options: Options) -> None:
    inputs = blur_inputs(150, 70)
    assert_same(compile_module(module, options).run(inputs, {"N": 150, "H": 70}, 4), blurred(**inputs))


def test_text_is_the_same_each_time(module: ModuleOp) -> None:
    assert emit(module) == emit(module) == compile_module(module.clone()).sources["blur.py"]


def test_interface(module: ModuleOp) -> None:
    interface = KernelInterface.of(module)
    assert (interface.kernel, interface.tiling) == ("blur", "blur_tiling")
    assert [(t.name, t.role) for t in interface.tensors] == [
        ("x", "input"),
        ("w", "input"),
        ("keep", "input"),
        ("y", "output"),
        ("s", "output"),
        ("partial", "workspace"),
    ]
    assert interface.dims == ("N", "H")
    assert interface.tiling_results == ("tile_h", "rows_per_chunk", "chunks", "tile_rows")
    assert interface.tiling_arguments == ("N", "H", "cores")


def test_outputs_and_workspaces_start_as_poison(module: ModuleOp) -> None:
    arrays = KernelInterface.of(module).bind(blur_inputs(70, 9), {"N": 70, "H": 9}, [32, 64, 2, 5])
    assert [a.shape for a in arrays] == [(70, 9), (9,), (70,), (70, 9), (9,), (2, 9)]
    for array in arrays[3:]:
        assert np.isnan(array.astype(np.float32)).all()


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"keep": None}, "OPW240", "inputs 'keep' are missing"),
        ({"more": np.zeros(1)}, "OPW240", "inputs 'more' are unknown"),
        ({"w": np.zeros(7, np.float32)}, "OPW241", "input 'w' is f32, it must be bf16"),
        ({"w": np.zeros(8, BF16)}, "OPW242", r"input 'w' has shape \[8\], it must have \[7\]"),
        ({"x": np.zeros((7, 5), BF16).T}, "OPW244", "input 'x' is not C-contiguous"),
    ],
)
def test_bad_inputs_are_refused(
    blur: NumpyExecutable, change: dict[str, Array | None], code: str, message: str
) -> None:
    changed = {**blur_inputs(5, 7), **change}
    with pytest.raises(Diagnostic, match=message) as caught:
        blur.run({name: a for name, a in changed.items() if a is not None}, {"N": 5, "H": 7}, 2)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("dims", "cores", "code", "message"),
    [
        ({"N": 5}, 2, "OPW243", "dims 'H' are missing"),
        ({"N": 5, "H": 7}, 0, "OPW245", "the number of cores is 0"),
        ({"N": -1, "H": 7}, 1, "OPW245", "dim N is -1"),
    ],
)
def test_bad_numbers_are_refused(
    blur: NumpyExecutable, dims: dict[str, int], cores: int, code: str, message: str
) -> None:
    with pytest.raises(Diagnostic, match=message) as caught:
        blur.run(blur_inputs(5, 7), dims, cores)
    assert caught.value.code == code


KERNEL = """
    func.func @t(%cores: index {{tile.name = "cores"}}) attributes {{tile.tiling}} {{
      func.return
    }}
    func.func @k(%x: memref<4xf32> {{tile.name = "x", tile.role = "input", tile.dims = [4]}},
                 %y: memref<4xf32> {{tile.name = "y", tile.role = "output", tile.dims = [4]}},
                 %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
      %c4 = arith.constant 4 : index
      %keys = memref.alloc() : memref<4xi32>
      tile.cores "k" %cores (%core) {{
        tile.foreach (%l: 0 to %c4) {{
          {body}
        }}
      }}
      func.return
    }}"""


def small_kernel(body: str) -> NumpyExecutable:
    return compile_module(parse_module(new_context(), KERNEL.format(body=body), "small.mlir"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%v = tile.read %x[%l - 1] : memref<4xf32>", "'x' is used from -1 to 3 along dim 0 of 4"),
        ("%v = tile.read %x[%l + 1] : memref<4xf32>", "'x' is used from 1 to 5 along dim 0 of 4"),
        ("%v = tile.read %x[2 * %l] : memref<4xf32>", "'x' is used from 0 to 7 along dim 0 of 4"),
        ("%v = tile.read %x[2 - %l] : memref<4xf32>", "'x' is used from -1 to 3 along dim 0 of 4"),
        ("%v = tile.read %x[%l * %l] : memref<4xf32>", "'x' is used from 0 to 10 along dim 0 of 4"),
        ("%v = tile.read %x[-1] : memref<4xf32>", "'x' is used from -1 to 0 along dim 0 of 4"),
    ],
)
def test_an_index_outside_an_array_is_refused(body: str, message: str) -> None:
    kernel = small_kernel(f"{body} tile.write %v to %y[%l] : memref<4xf32>")
    x = np.zeros(4, np.float32)
    with pytest.raises(Diagnostic, match=message) as caught:
        kernel.run({"x": x}, {}, 1)
    assert caught.value.code == "OPW415"


def test_unchecked_is_as_numpy_has_it() -> None:
    kernel = small_kernel("%v = tile.read %x[-1] : memref<4xf32> tile.write %v to %y[%l] : memref<4xf32>")
    result = replace(kernel, checked=False).run({"x": np.arange(4, dtype=np.float32)}, {}, 1)
    assert result["y"].tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("checked", [True, False])
def test_inputs_cannot_be_written(checked: bool) -> None:
    body = "%v = tile.read %y[%l] : memref<4xf32> tile.write %v to %x[%l] : memref<4xf32>"
    with pytest.raises(ValueError, match="read-only"):
        replace(small_kernel(body), checked=checked).run({"x": np.zeros(4, np.float32)}, {}, 1)


def test_new_buffers_are_checked() -> None:
    body = """
        %k = tile.read %keys[%l + 1] : memref<4xi32>
        %v = arith.sitofp %k : i32 to f32
        tile.write %v to %y[%l] : memref<4xf32>"""
    with pytest.raises(Diagnostic, match="'buffer' is used from 1 to 5 along dim 0 of 4"):
        small_kernel(body).run({"x": np.zeros(4, np.float32)}, {}, 1)
