"""Random shapes: the NumPy backend equals the reference, and the tiling function keeps to the chip."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.executable import KernelInterface
from opwright.codegen.footprint import buffer_sizes, stage_bytes, tiling_numbers
from opwright.codegen.levels import Call
from opwright.codegen.numpy import Options, compile_module
from opwright.codegen.reference import evaluate
from opwright.dialect.spec.signature import Signature
from opwright.dialect.tile.buffers import AllocOp
from opwright.loading import load
from opwright.passes.chips import CHIPS
from opwright.passes.pipelines import pipeline, run_pipeline
from opwright.verification.accuracy import first_difference, measure
from opwright.verification.cases import Case
from opwright.verification.data import draw_arrays

SPECS = Path(__file__).parent / "specs"
COLUMNS = {"blur": 3, "edges": 2, "line": 3, "masked_sum": 3, "peak": 3, "row_scale": 3, "statistics": 2, "windows": 2}
PRESENT = {"masked_sum": frozenset({"mask"})}
STAGED = [name for name, chip in CHIPS.items() if chip.staged]
UNLIKE = list({replace(chip, name="", products=""): name for name, chip in CHIPS.items()}.values())
"""One target of each kind: some differ in their names only."""


@cache
def compiled(spec: str, target: str, column: int, present: frozenset[str], *, sized: bool = True) -> ModuleOp:
    """The operator for a target, with the number of rows of a tile computed or left to the emitter."""
    passes = pipeline(target, "numpy", column, present)
    names = [each.name for each in passes]
    return run_pipeline(load(SPECS / f"{spec}.mlir").module, passes if sized else passes[: names.index("size-tiles")])


@dataclass(frozen=True)
class Schedule:
    """What may not change a result: the number of cores and their order, and the rows of a tile (0: what fits)."""

    cores: int
    reverse: bool
    rows: int


def run(spec: str, target: str, case: Case, schedule: Schedule, call: Call) -> Mapping[str, np.ndarray[Any, Any]]:
    module = compiled(spec, target, case.column, case.present, sized=schedule.rows == 0)
    executable = compile_module(module, Options(fit_rows=schedule.rows, reverse_cores=schedule.reverse))
    sizes = {name: call.dims[name] for name in executable.interface.dims}
    return executable.run(call.inputs, sizes, schedule.cores)


schedules = st.builds(Schedule, st.sampled_from([1, 2, 7, 40]), st.booleans(), st.sampled_from([0, 1, 2, 5]))


@st.composite
def cases(draw: st.DrawFn, spec: str) -> Case:
    rows, others = draw(st.sampled_from([0, 1, 2, 3, 16, 17, 33, 50])), draw(st.integers(0, 3))
    lanes = draw(st.sampled_from([0, 1, 31, 32, 33, 64, 95, 257, 300]))
    first = max(1, others) if spec == "statistics" else others
    sizes = {"N": rows, "A": first, "B": min(rows, 5), "H": lanes, "K": 3, "M": ceil(rows / 2)}
    own = {op.label.data: sizes[op.label.data] for op in Signature.of(load(SPECS / f"{spec}.mlir").op).dims}
    present = draw(st.sampled_from([PRESENT.get(spec, frozenset()), frozenset()]))
    return Case(draw(st.integers(0, 9)), 0, draw(st.integers(0, COLUMNS[spec] - 1)), present, own, {}, "random")


@pytest.mark.parametrize("target", UNLIKE)
@pytest.mark.parametrize("spec", COLUMNS)
@settings(max_examples=10)
@given(data=st.data())
def test_any_shape_gives_what_the_reference_gives(spec: str, target: str, data: st.DataObject) -> None:
    """For one schedule after the other the bits are those of one core that takes all the rows that fit."""
    case, schedule = data.draw(cases(spec)), data.draw(schedules)
    operator = load(SPECS / f"{spec}.mlir").op
    call = Call.of(operator, draw_arrays(operator, case))
    expected = evaluate(operator, call.inputs, precision="f64")
    outputs = run(spec, target, case, Schedule(1, reverse=False, rows=0), call)
    assert [text for name in expected if (text := measure(name, outputs[name], expected[name]).complaint)] == []
    assert first_difference(run(spec, target, case, schedule, call), outputs) == ""


huge = st.sampled_from([0, 1, 2, 31, 32, 33, 255, 256, 384, 768, 4096, 16384, 24576, 1_000_000])


@pytest.mark.parametrize("target", STAGED)
@pytest.mark.parametrize("spec", COLUMNS)
@settings(max_examples=40)
@given(rows=huge, others=st.integers(0, 32), lanes=huge, cores=st.integers(1, 64), data=st.data())
def test_the_tiling_function_keeps_to_the_chip(
    spec: str, target: str, rows: int, others: int, lanes: int, cores: int, data: st.DataObject
) -> None:
    column = data.draw(st.integers(0, COLUMNS[spec] - 1))
    module = compiled(spec, target, column, PRESENT.get(spec, frozenset()))
    sizes = {"N": rows, "A": max(1, rows), "B": others, "H": lanes}
    numbers = tiling_numbers(module, {a: sizes[a] for a in KernelInterface.of(module).dims}, cores)
    chip = CHIPS[target]
    assert max(stage_bytes(module, numbers).values()) <= chip.ub_bytes
    for alloc in (op for op in module.walk() if isinstance(op, AllocOp)):
        counts = buffer_sizes(alloc, numbers)
        assert counts[1] >= 1
        assert alloc.role.data == "scalars" or counts[1] % 32 == 0
        assert 1 <= counts[0] <= chip.max_repeat
    assert all(number >= 1 for name, number in numbers.items() if name.endswith("_tile"))
