"""The example kernel through the Ascend C passes: every level on NumPy, and the emitted kernel on the emulator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import AscendcExecutable, compile_module
from opwright.codegen.ascendc.names import API_NAMES, CamelNames
from opwright.codegen.numpy import compile_module as compile_numpy
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.registry import get_all_passes

Array = NDArray[Any]
Arrays = dict[str, Array]

STAGED = sorted(name for name, chip in CHIPS.items() if chip.staged)
STEPS = ("pipeline", "insert-sync", "verify-sync", "lower-to-ascendc", "canonicalize", "cse", "verify-ascendc")
SHAPES = [(1, 1), (5, 40), (64, 64), (65, 100), (200, 257), (130, 600), (3, 1000)]


def parsed(root: Path) -> ModuleOp:
    path = root / "tests" / "data" / "blur.mlir"
    return parse_module(new_context(), path.read_text(), path.name)


def run_steps(module: ModuleOp, target: str, steps: tuple[str, ...]) -> ModuleOp:
    spec = ",".join(name if name in ("canonicalize", "cse") else f"{name}{{target={target}}}" for name in steps)
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
        module.verify()
    return module


def inputs_of(rows: int, width: int) -> Arrays:
    random = np.random.default_rng(rows * 1000 + width)
    x = random.standard_normal((rows, width)).astype(ml_dtypes.bfloat16)
    w = random.standard_normal(width).astype(ml_dtypes.bfloat16)
    return {"x": x, "w": w, "keep": (random.random(rows) < 0.7).astype(np.int8)}


def bits(outputs: Mapping[str, Array]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in outputs.items()}


@pytest.fixture(scope="module")
def reference(root: Path) -> dict[tuple[int, int], dict[str, bytes]]:
    """What the level before the Ascend C passes computes on one core, by shape."""
    run = compile_numpy(parsed(root)).run
    return {(n, h): bits(run(inputs_of(n, h), {"N": n, "H": h}, 1)) for n, h in SHAPES}


@pytest.fixture(scope="module", params=STAGED)
def executable(request: pytest.FixtureRequest, root: Path) -> AscendcExecutable:
    return compile_module(run_steps(parsed(root), request.param, STEPS), get_chip(request.param))


@pytest.mark.parametrize("last", range(1, len(STEPS) + 1))
@pytest.mark.parametrize("target", STAGED)
def test_every_level_runs_on_arrays(root: Path, reference: dict[Any, Any], target: str, last: int) -> None:
    run = compile_numpy(run_steps(parsed(root), target, STEPS[:last])).run
    for rows, width in SHAPES[2:5]:
        outputs = run(inputs_of(rows, width), {"N": rows, "H": width}, 3)
        assert bits(outputs) == reference[rows, width]


@pytest.mark.parametrize("cores", [1, 3, 7, 40, 64])
@pytest.mark.parametrize("shape", SHAPES)
def test_emulated_kernel_gives_the_same_bits(
    executable: AscendcExecutable, reference: dict[Any, Any], shape: tuple[int, int], cores: int
) -> None:
    outputs = executable.run(inputs_of(*shape), {"N": shape[0], "H": shape[1]}, cores)
    assert bits(outputs) == reference[shape]


@pytest.mark.parametrize("seed", [1, 2])
def test_order_of_the_cores_does_not_matter(
    executable: AscendcExecutable, reference: dict[Any, Any], seed: int
) -> None:
    outputs, report = executable.emulate(inputs_of(200, 257), {"N": 200, "H": 257}, 5, seed=seed)
    assert report.clean
    assert bits(outputs) == reference[200, 257]


def test_strict_mode_gives_the_same_bits(executable: AscendcExecutable, reference: dict[Any, Any]) -> None:
    for seed in range(8):
        outputs, report = executable.emulate(inputs_of(65, 100), {"N": 65, "H": 100}, 3, strict=True, seed=seed)
        assert report.clean, report
        assert bits(outputs) == reference[65, 100]


def test_strict_mode_shows_what_program_order_hides(root: Path, reference: dict[Any, Any]) -> None:
    target = next(name for name in STAGED if get_chip(name).vector_barrier)
    sound = compile_module(run_steps(parsed(root), target, STEPS), get_chip(target))
    lines = [line for line in sound.sources["blur.cpp"].splitlines() if "PipeBarrier<PIPE_V>" not in line]
    sources = {**sound.sources, "blur.cpp": "\n".join(lines)}
    broken = AscendcExecutable(sources, sound.interface, sound.data, sound.chip)
    args = (inputs_of(65, 100), {"N": 65, "H": 100}, 3)
    assert bits(broken.emulate(*args)[0]) == reference[65, 100]
    assert any(bits(broken.emulate(*args, strict=True, seed=seed)[0]) != reference[65, 100] for seed in range(4))


def test_same_text_every_time(root: Path) -> None:
    first, second = (
        compile_module(run_steps(parsed(root), STAGED[0], STEPS), get_chip(STAGED[0])).sources for _ in range(2)
    )
    assert first == second
    assert sorted(first) == ["blur.cpp", "blur_tiling.cpp", "blur_tiling.h"]


def test_a_fault_that_the_emulator_finds_is_a_diagnostic(root: Path) -> None:
    target = next(name for name in STAGED if get_chip(name).vector_barrier)
    sound = compile_module(run_steps(parsed(root), target, STEPS), get_chip(target))
    text = sound.sources["blur.cpp"].replace("PipeBarrier<PIPE_V>();", "", 1)
    broken = AscendcExecutable({**sound.sources, "blur.cpp": text}, sound.interface, sound.data, sound.chip)
    with pytest.raises(Diagnostic) as raised:
        broken.run(inputs_of(65, 100), {"N": 65, "H": 100}, 3)
    assert raised.value.code == "OPW431"
    assert "ub-race" in raised.value.message
    assert raised.value.location is not None
    assert raised.value.location.file.endswith("blur.cpp")


def test_shapes_that_the_tiling_function_refuses(executable: AscendcExecutable) -> None:
    with pytest.raises(Diagnostic) as raised:
        executable.tiling({"N": 1, "H": 1 << 40}, 8)
    assert raised.value.code == "OPW430"
    assert "lie more than 4294967295 bytes apart" in raised.value.message


@pytest.mark.parametrize("name", ["TPipe", "TilingData", "errno", "half"])
def test_names_of_types_and_macros_are_not_given_to_values(name: str) -> None:
    assert CamelNames(API_NAMES).fresh(name) == f"{name}_"
