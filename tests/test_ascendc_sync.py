"""Every barrier and flag that insert-sync places is needed: without one, the verifier and the emulator find a race."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import PassPipeline

from opwright.codegen.ascendc.executable import AscendcExecutable, compile_module
from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.dialect.ascendc import BarrierOp, EventOp, FlagOp, ReleaseEventOp
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.chips import CHIPS, get_chip
from opwright.passes.index_facts import Facts
from opwright.passes.insert_sync import count_barriers, plan_barriers
from opwright.passes.registry import get_all_passes
from opwright.passes.stage_view import stages
from opwright.passes.verify_sync import VerifySyncPass

TARGET = next(name for name, chip in sorted(CHIPS.items()) if chip.vector_barrier)
ORDERED = next(name for name, chip in sorted(CHIPS.items()) if chip.staged and not chip.vector_barrier)
SHAPE = (200, 257)


def lowered(root: Path, spec: str) -> ModuleOp:
    path = root / "tests" / "data" / "blur.mlir"
    module = parse_module(new_context(), path.read_text(), path.name)
    for each in PassPipeline.parse_spec(get_all_passes(), spec).passes:
        each.apply(new_context(), module)
    return module


def synced(root: Path, target: str = TARGET) -> ModuleOp:
    return lowered(root, f"pipeline{{target={target}}},insert-sync{{target={target}}}")


def orders(module: ModuleOp) -> list[list[Operation]]:
    """What orders something: single barriers, and the set and the wait of each event."""
    found: list[list[Operation]] = [[op] for op in module.walk() if isinstance(op, BarrierOp)]
    for event in [op for op in module.walk() if isinstance(op, EventOp)]:
        uses = [use.operation for use in event.event.uses]
        found.append([op for op in uses if isinstance(op, FlagOp) and not isinstance(op, ReleaseEventOp)])
    return found


def test_verifier_misses_each_of_them(root: Path) -> None:
    count = len(orders(synced(root)))
    assert count >= 9
    VerifySyncPass(TARGET).apply(new_context(), synced(root))
    for number in range(count):
        module = synced(root)
        for op in orders(module)[number]:
            op.detach()
            op.erase()
        with pytest.raises(Diagnostic) as raised:
            VerifySyncPass(TARGET).apply(new_context(), module)
        assert raised.value.code == "OPW376"


def test_nothing_is_added_a_second_time(root: Path) -> None:
    module = synced(root)
    for stage in stages(module):
        for plan in plan_barriers(stage.body.block, get_chip(TARGET), Facts.of(module)):
            assert plan.before == {}


def test_number_of_barriers(root: Path) -> None:
    """The bound for this schedule: each is needed, as the test below shows."""
    assert [count_barriers(stage.body.block) for stage in stages(synced(root))] == [5, 3]
    assert [count_barriers(stage.body.block) for stage in stages(synced(root, ORDERED))] == [0, 0]


@dataclass(frozen=True)
class Skipping:
    """A kernel that leaves out one of its barriers or flags, told by one more word of tiling data."""

    executable: AscendcExecutable
    kernel: EmulatedKernel
    count: int

    @staticmethod
    def of(executable: AscendcExecutable) -> "Skipping":
        """Number the barriers and the events in the text, and put a condition in front of each."""
        numbers: dict[str, int] = {}
        text = executable.sources["blur.cpp"]

        def conditional(match: re.Match[str]) -> str:
            key = match.group(2) or f"barrier {match.start()}"
            return f"if (skipped != {numbers.setdefault(key, len(numbers))}) {match.group(0)}"

        text = re.sub(r"(?:PipeBarrier<PIPE_V>\(\);|(Set|Wait)Flag<HardEvent::\w+>\((\w+)\);)", conditional, text)
        text = text.replace("using namespace AscendC;", "using namespace AscendC;\nstatic int64_t skipped = -1;", 1)
        words = len(executable.data.fields)
        read = f"BlurKernel::skipped = reinterpret_cast<const int64_t *>(tiling)[{words}];\n    AscendC::TPipe pipe;"
        text = text.replace("AscendC::TPipe pipe;", read, 1)
        sources = {"blur.cpp": text, "blur_tiling.h": executable.sources["blur_tiling.h"]}
        params = ("x", "w", "keep", "y", "s", "workspace", "tiling")
        kernel = EmulatedKernel(sources, "blur", params, executable.chip, "blur.cpp")
        return Skipping(executable, kernel, len(numbers))

    def run(self, number: int) -> EmulationReport:
        """Run without the barrier or event of a number; -1 leaves out nothing."""
        rows, width = SHAPE
        launch = self.executable.tiling({"N": rows, "H": width}, 1)
        outputs: list[NDArray[Any]] = [np.zeros(SHAPE, ml_dtypes.bfloat16), np.zeros(width, ml_dtypes.bfloat16)]
        workspace = np.empty(launch.workspace_bytes, np.uint8)
        tiling = np.append(launch.words, number).astype(np.int64).tobytes()
        return self.kernel.run([*inputs(), *outputs, workspace, tiling], 1)


def inputs() -> Iterator[NDArray[Any]]:
    random = np.random.default_rng(3)
    yield read_only(random.standard_normal(SHAPE).astype(ml_dtypes.bfloat16))
    yield read_only(random.standard_normal(SHAPE[1]).astype(ml_dtypes.bfloat16))
    yield read_only((random.random(SHAPE[0]) < 0.7).astype(np.int8))


def test_emulator_finds_each_that_is_missing(root: Path) -> None:
    rest = f",lower-to-ascendc{{target={TARGET}}},canonicalize,cse"
    module = lowered(root, f"pipeline{{target={TARGET}}},insert-sync{{target={TARGET}}}{rest}")
    kernel = Skipping.of(compile_module(module, get_chip(TARGET)))
    assert kernel.run(-1).clean
    for number in range(kernel.count):
        assert "ub-race" in kernel.run(number).codes, f"nothing was found without number {number}"
