"""Every level runs: the IR after each pass computes what the reference computes, and a broken pass is seen at that pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opwright.codegen.footprint import stage_bytes, tiling_numbers
from opwright.codegen.levels import Call, run_level
from opwright.codegen.reference import evaluate
from opwright.dialect.registry import new_context
from opwright.dialect.spec.ops import OperatorOp
from opwright.dialect.tile.buffers import AllocOp
from opwright.dialect.tile.tiling import FitRowsOp
from opwright.loading import load
from opwright.passes import (
    hoist_rows,
    inline_producers,
    legalize_types,
    promote_loads,
    reduction_split,
    size_tiles,
    specialize,
    stage_items,
    unroll,
    vectorize_compute,
)
from opwright.passes.chips import CHIPS
from opwright.passes.inline_outside import OutsidePlan
from opwright.passes.pipelines import pipeline
from opwright.passes.spec_rewrite import find_operator
from opwright.verification.accuracy import measure
from opwright.verification.cases import Case
from opwright.verification.data import draw_arrays

SPECS = Path(__file__).parent / "specs"
CORES = 3
STAGED = [name for name, chip in CHIPS.items() if chip.staged]

Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Sample:
    """One call of one operator; the sizes make several chunks, several tiles, and a tail in each."""

    spec: str
    dims: Mapping[str, int]
    column: int = 0
    present: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return "-".join([self.spec, str(self.column), *sorted(self.present)])

    def operator(self) -> OperatorOp:
        return load(SPECS / f"{self.spec}.mlir").op

    def call(self) -> Call:
        operator = self.operator()
        case = Case(1, 0, self.column, self.present, self.dims, {}, "random")
        return Call.of(operator, draw_arrays(operator, case))


CONV = {"S": 37, "B": 2, "H": 40, "W": 3}
MASK = frozenset({"maskOptional"})
SAMPLES = [
    *(Sample("masked_causal_conv1d_backward", CONV, column, present) for column in (0, 1) for present in (MASK, MASK - MASK)),
    Sample("blur", {"N": 19, "H": 70, "K": 3}),
    Sample("blur", {"N": 19, "H": 70, "K": 3}, 2),
    Sample("masked_sum", {"N": 37, "B": 2, "H": 33}, 1, frozenset({"mask"})),
    Sample("row_scale", {"A": 3, "B": 5, "H": 40}, 1),
    Sample("peak", {"N": 37, "H": 40}),
    Sample("edges", {"N": 19, "H": 33}, 1),
]


@dataclass
class Levels:
    """Runs passes one by one on a sample and looks at what each leaves."""

    sample: Sample
    call: Call
    expected: Outputs
    target: str
    last: Outputs | None = None
    finding: str = ""
    seen: list[str] = field(default_factory=list[str])

    @staticmethod
    def of(sample: Sample, target: str) -> "Levels":
        call = sample.call()
        return Levels(sample, call, evaluate(sample.operator(), call.inputs, precision="f64"), target)

    def run(self, passes: tuple[ModulePass, ...], look_from: int = 0) -> str:
        """Return what is wrong first, as `pass: what`, or an empty string."""
        context, module = new_context(), load(SPECS / f"{self.sample.spec}.mlir").module
        for number, each in enumerate(passes):
            self.seen.append(each.name)
            try:
                each.apply(context, module)
                module.verify()
                finding = self.look(each, module) if number >= look_from else ""
            except Exception as error:  # noqa: BLE001 - whatever a broken pass leads to counts as seen
                finding = f"{type(error).__name__}: {error}"
            if finding:
                return f"{each.name}: {finding}"
        return ""

    def look(self, after: ModulePass, module: ModuleOp) -> str:
        outputs = run_level(module, self.call, CORES)
        wrong = [text for name in self.expected if (text := measure(name, outputs[name], self.expected[name]).complaint)]
        if self.last is not None and after.name not in FREE_ORDER:
            wrong += [f"{name} has other bits than before" for name in outputs if _bits(outputs[name]) != _bits(self.last[name])]
        self.last = outputs
        return "; ".join([*wrong, *self.too_large(module)])

    def too_large(self, module: ModuleOp) -> list[str]:
        """Return the stages whose buffers are larger than the chip, once their sizes are known."""
        chip = CHIPS[self.target]
        kinds = {type(op) for op in module.walk()}
        if not chip.staged or find_operator(module) is not None or FitRowsOp in kinds or AllocOp not in kinds:
            return []
        huge = {"S": 16384, "N": 16384, "A": 16384, "B": 32, "H": 24576}
        sizes = {name: huge[name] for name in self.call.dims if name in huge}
        taken = stage_bytes(module, tiling_numbers(module, sizes, chip.cores))
        return [f"stage {stage} takes {count} bytes" for stage, count in taken.items() if count > chip.ub_bytes]


FREE_ORDER = ("unroll", "fuse", "split-reductions")
"""The passes that may change the order of a sum; split-reductions fixes it."""


def _bits(array: np.ndarray[Any, Any]) -> bytes:
    return array.tobytes()


def common_start(first: tuple[ModulePass, ...], second: tuple[ModulePass, ...]) -> int:
    """The number of passes that two pipelines begin with alike."""
    pairs = list(zip(first, second, strict=False))
    return next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_every_level_runs(sample: Sample, target: str) -> None:
    """What two backends of a target share is looked at once."""
    backends = ("ascendc", "c") if CHIPS[target].staged else ("c",)
    looked_at: tuple[ModulePass, ...] = ()
    for backend in backends:
        passes = pipeline(target, backend, sample.column, sample.present)
        assert Levels.of(sample, target).run(passes, common_start(looked_at, passes)) == ""
        looked_at = passes


@pytest.mark.parametrize("target", CHIPS)
def test_the_numpy_backend_runs_what_the_others_lower(target: str) -> None:
    for backend in ("c", "ascendc") if CHIPS[target].staged else ("c",):
        passes = pipeline(target, "numpy")
        assert pipeline(target, backend)[: len(passes)] == passes
