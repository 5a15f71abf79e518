"""The host's tiling function in C++ says what it says as NumPy text, also for shapes nobody can allocate."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import AscendcExecutable, compile_module
from opwright.codegen.numpy.compile import load
from opwright.codegen.numpy.module import emit as emit_numpy
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.registry import get_all_passes

TARGET = next(name for name, chip in sorted(CHIPS.items()) if chip.staged)
ROOT = Path(__file__).resolve().parents[1]


@cache
def lowered() -> ModuleOp:
    """The example with a tile of as many rows as fit on chip."""
    text = (ROOT / "tests" / "data" / "blur.mlir").read_text()
    fixed = next(line for line in text.splitlines() if line.strip().startswith("%tile_rows = arith.constant"))
    fitted = '%tile_rows = tile.fit_rows "blur" %tile_h cap %r'
    module = parse_module(new_context(), text.replace(fixed, fitted), "blur.mlir")
    names = ("size-tiles", "pipeline", "insert-sync", "lower-to-ascendc")
    spec = ",".join((*(f"{name}{{target={TARGET}}}" for name in names), "canonicalize", "cse"))
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
    return module


@pytest.fixture(scope="module")
def executable() -> AscendcExecutable:
    return compile_module(lowered(), get_chip(TARGET))


def words_of(executable: AscendcExecutable, rows: int, width: int, cores: int) -> list[int]:
    return executable.tiling({"N": rows, "H": width}, cores).words.tolist()


@settings(max_examples=100)
@given(st.integers(0, 1 << 25), st.integers(0, (1 << 30) - 1), st.integers(1, 64))
def test_same_numbers(rows: int, width: int, cores: int) -> None:
    executable = compile_module(lowered(), get_chip(TARGET))
    tiling = load(emit_numpy(lowered()))["blur_tiling"]
    assert words_of(executable, rows, width, cores) == [rows, width, *tiling(rows, width, cores), cores]


def test_workspace_is_rounded_up(executable: AscendcExecutable) -> None:
    assert executable.tiling({"N": 65, "H": 3}, 1).workspace_bytes == 512
    assert executable.tiling({"N": 64 * 1000, "H": 1000}, 1).workspace_bytes == 1000 * 1000 * 4 // 512 * 512 + 512 * 1


def test_offsets_are_64_bit(executable: AscendcExecutable) -> None:
    """A tensor of more than 2^32 elements: its number of rows, and the workspace, keep all their bits."""
    rows, width = 1 << 34, 1 << 20
    launch = executable.tiling({"N": rows, "H": width}, 40)
    assert launch.words[0] == rows
    assert launch.workspace_bytes == (rows // 64) * width * 4
    assert "int32_t" not in "".join(line for line in executable.sources["blur.cpp"].splitlines() if "Gm[" in line)


@pytest.mark.parametrize(("rows", "width"), [(1 << 40, 1 << 30), (1 << 62, 1 << 62), (1 << 62, 1)])
def test_tensors_that_no_memory_holds(executable: AscendcExecutable, rows: int, width: int) -> None:
    with pytest.raises(Diagnostic, match="does not fit in memory") as raised:
        words_of(executable, rows, width, 1)
    assert raised.value.code == "OPW430"


@pytest.mark.parametrize("width", [1 << 31, 1 << 40])
def test_rows_too_far_apart(executable: AscendcExecutable, width: int) -> None:
    with pytest.raises(Diagnostic, match="the rows of x lie more than") as raised:
        words_of(executable, 1, width, 1)
    assert raised.value.code == "OPW430"
