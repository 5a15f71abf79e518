"""The IR after each pass computes what the reference computes, and a pass that is broken is seen at that pass."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, partialmethod
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from opwright.codegen.executable import KernelInterface
from opwright.codegen.footprint import stage_bytes, tiling_numbers
from opwright.codegen.levels import Call, run_level
from opwright.codegen.reference import evaluate
from opwright.dialect.ascendc import AllocTensorOp
from opwright.dialect.registry import new_context
from opwright.dialect.spec.ops import EachOp, OperatorOp, ReadOp
from opwright.dialect.tile.buffers import AllocOp
from opwright.dialect.tile.rows import BinaryOp, Source
from opwright.dialect.tile.tiling import FitRowsOp
from opwright.loading import load
from opwright.passes import (
    copy_lowering,
    fuse,
    hoist_dims,
    hoist_functions,
    hoist_rows,
    insert_sync,
    join_lane_loops,
    join_nests,
    lane_choices,
    legalize_types,
    loops_scalars,
    loops_search,
    promote_loads,
    ragged_cache,
    ragged_item,
    ragged_loads,
    reduction_split,
    row_operations,
    simplify,
    size_tiles,
    specialize,
    stage_build,
    stage_sums,
    unroll,
    vectorize_compute,
)
from opwright.passes import pipeline as pipeline_pass
from opwright.passes.chips import CHIPS, Chip
from opwright.passes.index_code import Code
from opwright.passes.inline_outside import OutsidePlan
from opwright.passes.lane_walks import LaneWalk
from opwright.passes.loops_access import RangeTest
from opwright.passes.pipelines import pipeline
from opwright.passes.promote_access import Access
from opwright.passes.promote_plan import Group
from opwright.passes.promote_site import Site
from opwright.passes.ragged_fit import RaggedFit
from opwright.passes.reduction_plan import SplitPlan
from opwright.passes.registry import UPSTREAM
from opwright.passes.row_chains import RowChain
from opwright.passes.spec_rewrite import find_operator
from opwright.passes.spec_scope import Bound
from opwright.passes.vectorize_places import PointLoop
from opwright.passes.vectorize_rows import SPLAT
from opwright.passes.verify_sync import VerifySyncPass
from opwright.verification.accuracy import measure
from opwright.verification.cases import Case
from opwright.verification.data import draw_arrays

SPECS = Path(__file__).parent / "specs"
CORES = 3
STAGED = [name for name, chip in CHIPS.items() if chip.staged]

Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Sample:
    """One call of one operator; the sizes make several chunks, several tiles, and a tail in each.

    `folds`: a sum runs over the contiguous dim, whose order the pass tile decides. `widest`: the longest contiguous dim
    whose buffers fit on chip, where a tile holds a whole row.
    """

    spec: str
    dims: Mapping[str, int]
    column: int = 0
    present: frozenset[str] = frozenset()
    attrs: Mapping[str, int] = field(default_factory=dict[str, int])
    lists: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    folds: bool = False
    widest: int = 24576

    def __str__(self) -> str:
        return "-".join([self.spec, str(self.column), *sorted(self.present)])

    def module(self) -> ModuleOp:
        return load(SPECS / f"{self.spec}.mlir").module

    def operator(self) -> OperatorOp:
        return load(SPECS / f"{self.spec}.mlir").op

    def call(self) -> Call:
        operator = self.operator()
        case = Case(1, 0, self.column, self.present, self.dims, self.attrs, "random", self.lists)
        return Call.of(operator, draw_arrays(operator, case), self.attrs)


CONV = {"S": 18, "B": 2, "H": 35, "W": 3}
MASK = frozenset({"maskOptional"})
ACT = (0, 7, 12, 12, 28)
"""Ends of segments: an empty one in front and one between, a short one, and rows behind the last."""

WINDOWS = Sample(
    "segment_windows",
    {"T": 31, "N": 2, "D": 70, "C": 7, "R": 5, "K": 6},
    attrs={"size": 6, "stride": 2},
    lists={"act": ACT},
    folds=True,
)
SCATTER = Sample("scatter_rows", {"V": 30, "M": 20, "H": 70}, 1, folds=True, widest=4096)
NORM = Sample("root_mean_square", {"N": 3, "H": 2, "D": 70}, 1, folds=True)
THRESHOLD = Sample("threshold", {"N": 7, "H": 70}, 2)
SAMPLES = [
    Sample("masked_causal_conv1d_backward", CONV, 0, MASK),
    Sample("masked_causal_conv1d_backward", CONV, 1),
    Sample("blur", {"N": 7, "H": 35, "K": 3}),
    Sample("blur", {"N": 7, "H": 35, "K": 3}, 2),
    Sample("masked_sum", {"N": 18, "B": 2, "H": 35}, 1, frozenset({"mask"})),
    Sample("masked_sum", {"N": 18, "B": 2, "H": 35}, 2),
    Sample("row_scale", {"A": 3, "B": 4, "H": 35}, 1),
    Sample("peak", {"N": 35, "H": 9}),
    Sample("edges", {"N": 7, "H": 35}, 1),
    Sample("line", {"H": 300}, 2),
    THRESHOLD,
    WINDOWS,
    Sample("embedding", {"V": 7, "M": 20, "H": 70}, 1),
    Sample("segment_mean", {"T": 40, "R": 5, "H": 70}, 1, lists={"ends": (0, 3, 3, 20, 37)}),
    Sample("row_softmax", {"T": 20, "H": 150}, 2, folds=True),
    Sample("scale_shift", {"N": 18, "H": 70}, 1),
    Sample("cumulative_sum", {"T": 5, "H": 150}, 1),
    Sample("cumulative_sum", {"T": 5, "H": 150}),
    Sample("stencil", {"N": 18, "H": 70}, 2),
    SCATTER,
    NORM,
]


@dataclass
class Levels:
    """Runs passes one by one on a sample and looks at what each leaves; `free` passes may change the order of sums."""

    name: str
    call: Call
    expected: Outputs
    chip: Chip
    free: frozenset[str]
    widest: int
    last: Outputs | None = None

    @staticmethod
    def of(sample: Sample, target: str) -> "Levels":
        call, chip = sample.call(), CHIPS[target]
        expected = evaluate(sample.operator(), call.inputs, call.attrs, "f64")
        tile_decides = chip.jam_rows > 1 or sample.folds
        free = FREE_ORDER | {"tile"} if tile_decides else FREE_ORDER
        return Levels(str(sample), call, expected, chip, free, sample.widest)

    def run(self, module: ModuleOp, passes: Sequence[ModulePass]) -> str:
        """Return what is wrong first, as `pass: what`, or an empty string."""
        context = new_context()
        for each in passes:
            try:
                each.apply(context, module)
                module.verify()
                if each.name == "insert-sync":
                    VerifySyncPass(self.chip.name).apply(context, module)
                finding = self.look(each, module)
            except Exception as error:  # noqa: BLE001 - whatever a broken pass leads to counts as seen
                finding = f"{type(error).__name__}: {error}"
            if finding:
                return f"{each.name}: {finding}"
        return ""

    def look(self, after: ModulePass, module: ModuleOp) -> str:
        outputs = self.outputs(module)
        wrong = [
            text for name in self.expected if (text := measure(name, outputs[name], self.expected[name]).complaint)
        ]
        if self.last is not None and after.name not in self.free:
            wrong += [
                f"{name} has other bits than before"
                for name in outputs
                if _bits(outputs[name]) != _bits(self.last[name])
            ]
        self.last = outputs
        return "; ".join([*wrong, *self.too_large(module)])

    def outputs(self, module: ModuleOp) -> Outputs:
        """Run a level; equal levels of a sample are run once, as targets share those above the loops."""
        key = self.name, str(module)
        if key not in RUNS:
            RUNS[key] = run_level(module, self.call, CORES)
        return RUNS[key]

    def too_large(self, module: ModuleOp) -> list[str]:
        """Return the stages whose buffers are larger than the chip, once their sizes are known."""
        kinds = {type(op) for op in module.walk()}
        if not self.chip.staged or find_operator(module) is not None or FitRowsOp in kinds or AllocOp not in kinds:
            return []
        huge = {"S": 16384, "N": 16384, "A": 16384, "B": 32, "H": self.widest, "T": 16384, "M": 16384, "D": 1024}
        known = {
            name: int(size) for name, size in {**self.call.attrs, **self.call.dims}.items() if isinstance(size, int)
        }
        sizes = {name: huge.get(name, known[name]) for name in KernelInterface.of(module).dims}
        taken = stage_bytes(module, tiling_numbers(module, sizes, self.chip.cores))
        return [f"stage {stage} takes {count} bytes" for stage, count in taken.items() if count > self.chip.ub_bytes]


RUNS: dict[tuple[str, str], Outputs] = {}
"""What levels computed, by the sample and the text of the level."""

FREE_ORDER = frozenset({"unroll", "hoist-dims", "fuse", "split-reductions"})
"""The passes that may change the order of a sum; split-reductions fixes it, or tile where it jams rows or folds."""


def _bits(array: np.ndarray[Any, Any]) -> bytes:
    return array.tobytes()


def backends(target: str) -> tuple[str, ...]:
    return ("c", "ascendc") if CHIPS[target].staged else ("c",)


def in_one_process(sample: Sample) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(str(sample))


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("sample", [pytest.param(s, id=str(s), marks=in_one_process(s)) for s in SAMPLES])
def test_every_level_runs(sample: Sample, target: str) -> None:
    """What the backends of a target share is run once, as the NumPy backend."""
    levels, module = Levels.of(sample, target), sample.module()
    shared = pipeline(target, "numpy", sample.column, sample.present)
    assert levels.run(module, shared) == ""
    for backend in backends(target):
        own = pipeline(target, backend, sample.column, sample.present)
        assert own[: len(shared)] == shared
        assert replace(levels).run(module.clone(), own[len(shared) :]) == ""


Sabotage = Callable[[pytest.MonkeyPatch], None]


def wrap(owner: ModuleType | type, name: str, broken: Callable[..., object]) -> Sabotage:
    """Replace a function by one that is given the real one and its arguments."""
    return lambda patch: patch.setattr(owner, name, partial(broken, getattr(owner, name)))


def wrap_method(owner: type, name: str, broken: Callable[..., object]) -> Sabotage:
    """Replace a method, whose first argument is the object."""
    return lambda patch: patch.setattr(owner, name, partialmethod(broken, getattr(owner, name)))


def swap(table: Mapping[Any, object], key: object, value: object) -> Sabotage:
    return lambda patch: patch.setitem(table, key, value)


def one_more(real: Callable[[Operation], int | None], op: Operation) -> int | None:
    number = real(op)
    return None if number is None else number + 1


def all_but_last(real: Callable[..., Iterable[object]], *ranges: object) -> list[object]:
    return list(real(*ranges))[:-1]


def not_guarded(real: Callable[..., OutsidePlan], *args: object) -> OutsidePlan:
    return replace(real(*args), guarded=False)


def compare_equal(real: Callable[..., Operation], read: ReadOp, value: SSAValue, wanted: Attribute) -> Operation:
    op = real(read, value, wanted)
    if isinstance(op, arith.CmpiOp):
        op.predicate = arith.CmpiOp(op.lhs, op.rhs, "eq").predicate
    return op


def nothing(_real: object, *args: object) -> None:
    del args


def half_a_chunk(real: Callable[..., Bound], plan: SplitPlan, *args: object, upper: bool) -> Bound:
    exprs, operands = real(plan, *args, upper=upper)
    return ([exprs[0] - 8, *exprs[1:]], operands) if upper and args[3] == plan.chunked else (exprs, operands)


def five(_real: object, *args: object) -> int:
    return len(args) + 3


def swapped(real: Callable[..., tuple[SSAValue, SSAValue]], *args: object) -> tuple[SSAValue, SSAValue]:
    first, last = real(*args)
    return last, first


def reversed_rows(real: Callable[..., list[list[RowChain]]], *args: object) -> list[list[RowChain]]:
    return [group[::-1] for group in real(*args)]


def fill_with_seven(_real: object, site: Site, group: Group) -> SSAValue:
    memref = group.first.memref.type
    assert isa(memref, MemRefType[Attribute])
    return site.before.scalar(memref.element_type, 7)


def one_row_on(real: Callable[..., list[SSAValue]], access: Access, offset: int, code: Code) -> list[SSAValue]:
    return real(access, offset + 1, code)


def one_row_ahead(loop: PointLoop, real: Callable[..., Source], value: SSAValue, shift: int) -> Source:
    return real(loop, value, shift + 1)


def the_cap(_real: object, fit: FitRowsOp, *args: object) -> SSAValue:
    del args
    return fit.cap


def the_cap_of(_fit: object, _real: object, fit: FitRowsOp, *args: object) -> SSAValue:
    del args
    return fit.cap


def never_outside(real: Callable[..., RangeTest], *args: object) -> RangeTest:
    return replace(real(*args), low=False, high=False)


def keep_the_old(_real: object, op: Operation, old: SSAValue, new: SSAValue) -> None:
    taken = isinstance(new.owner, AllocTensorOp)
    op.operands = [new if operand is old and taken else operand for operand in op.operands]


def one_row_less(real: Callable[..., object], dims: object, lower: Sequence[Bound], upper: Sequence[Bound]) -> object:
    *others, (exprs, operands) = upper
    return real(dims, lower, [*others, ([exprs[0] - 1, *exprs[1:]], operands)])


def drop_the_second(_real: object, _first: EachOp, second: EachOp) -> None:
    Rewriter.erase_op(second)


def next_point(real: Callable[..., SSAValue], compute: object, dims: object, scope: object, code: Code) -> SSAValue:
    return code.binary("+", real(compute, dims, scope, code), code.constant(1))


def always_held(_real: object, _site: object, _access: object, _start: object, code: Code) -> SSAValue:
    return code.constant(0)


def twice(real: Callable[..., SSAValue | None], loop: PointLoop, *args: object) -> SSAValue | None:
    """Multiply by each scalar twice."""
    spread = real(loop, *args)
    if spread is not None:
        zero, count, width = loop.code.constant(0), loop.count(), loop.code.constant(SPLAT)
        loop.code.add(BinaryOp("mul", [(spread, zero, 1), (spread, zero, 1)], spread, zero, count, width))
    return spread


def one_element_on(real: Callable[..., SSAValue], code: Code, *args: object) -> SSAValue:
    return code.binary("+", real(code, *args), code.constant(1))


def one_lane_on(real: Callable[..., object], op: object, points: object, walk: LaneWalk) -> object:
    return real(op, points, replace(walk, lane=walk.lane + 1))


BLUR, MASKED, PEAK, EDGES = (SAMPLES[n] for n in (2, 4, 7, 8))
CHIP = STAGED[0]

MUTATIONS: list[tuple[str, str, str, Sample, Sabotage]] = [
    ("specialize", CHIP, "numpy", BLUR, wrap(specialize, "constant_dim", one_more)),
    ("unroll", CHIP, "numpy", BLUR, wrap(unroll, "product", all_but_last)),
    ("inline-producers", CHIP, "numpy", EDGES, wrap(OutsidePlan, "analyze", not_guarded)),
    ("legalize-types", CHIP, "numpy", MASKED, wrap(legalize_types, "_widen", compare_equal)),
    ("fuse", CHIP, "numpy", MASKED, wrap(fuse, "_renumber", nothing)),
    ("split-reductions", CHIP, "numpy", PEAK, wrap(reduction_split, "_bound", half_a_chunk)),
    ("tile", CHIP, "numpy", PEAK, wrap(stage_sums, "identity", five)),
    ("tile", "cpu", "numpy", MASKED, wrap(stage_build, "share", swapped)),
    ("hoist-rows", CHIP, "numpy", BLUR, wrap(hoist_rows, "row_groups", reversed_rows)),
    ("hoist-dims", CHIP, "numpy", WINDOWS, wrap(hoist_dims, "make_header", one_row_less)),
    ("hoist-functions", CHIP, "numpy", NORM, wrap(hoist_functions, "make_header", one_row_less)),
    ("join-nests", CHIP, "numpy", WINDOWS, wrap(join_nests, "join", drop_the_second)),
    ("tile", CHIP, "numpy", WINDOWS, wrap(ragged_item, "clear", nothing)),
    ("tile", CHIP, "numpy", SCATTER, wrap(ragged_item, "number_of", next_point)),
    ("promote", CHIP, "numpy", WINDOWS, wrap(ragged_cache, "_flat", always_held)),
    ("promote", CHIP, "numpy", WINDOWS, wrap(ragged_loads, "start_of", one_row_on)),
    ("legalize-lanes", CHIP, "numpy", THRESHOLD, swap(lane_choices.FLOATS, 2, ("lt", True))),
    ("vectorize", CHIP, "numpy", WINDOWS, wrap(vectorize_compute, "spread_scalars", twice)),
    ("vectorize", CHIP, "numpy", WINDOWS, swap(row_operations.BINARY, arith.MulfOp, "add")),
    ("size-tiles", CHIP, "numpy", WINDOWS, wrap_method(RaggedFit, "formula", the_cap_of)),
    ("join-lane-loops", "cpu", "c", SCATTER, wrap(join_lane_loops, "_at_lane", one_lane_on)),
    ("lower-to-loops", "cpu", "c", WINDOWS, wrap(loops_search, "_range", five)),
    ("promote", CHIP, "numpy", BLUR, wrap(promote_loads, "_outside_value", fill_with_seven)),
    ("promote", CHIP, "numpy", BLUR, wrap(promote_loads, "start_of", one_row_on)),
    ("vectorize", CHIP, "numpy", BLUR, swap(row_operations.BINARY, arith.AddfOp, "sub")),
    ("vectorize", CHIP, "numpy", BLUR, wrap_method(PointLoop, "source", one_row_ahead)),
    ("size-tiles", CHIP, "numpy", BLUR, wrap(size_tiles, "_formula", the_cap)),
    ("lower-to-loops", "cpu", "c", BLUR, wrap(RangeTest, "of", never_outside)),
    ("lower-to-loops", CHIP, "c", BLUR, swap(loops_scalars.FLOAT_BINARY, "add", arith.SubfOp)),
    ("pipeline", CHIP, "ascendc", BLUR, wrap(pipeline_pass, "_replace_operand", keep_the_old)),
    ("insert-sync", CHIP, "ascendc", BLUR, wrap(insert_sync, "_insert_barriers", nothing)),
    ("lower-to-ascendc", CHIP, "ascendc", BLUR, wrap(copy_lowering, "_flat", one_element_on)),
    ("simplify", CHIP, "ascendc", NORM, wrap(simplify, "_known", one_more)),
]


@pytest.mark.parametrize(
    ("name", "target", "backend", "sample", "sabotage"),
    [pytest.param(*m, id=m[0], marks=in_one_process(m[3])) for m in MUTATIONS],
)
def test_a_broken_pass_is_seen_at_that_pass(
    name: str, target: str, backend: str, sample: Sample, sabotage: Sabotage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sabotage(monkeypatch)
    passes = pipeline(target, backend, sample.column, sample.present)
    finding = Levels.of(sample, target).run(sample.module(), passes)
    assert finding.partition(":")[0] == name, finding


def test_every_own_pass_of_the_pipelines_is_broken_once() -> None:
    used = {each.name for target in CHIPS for backend in backends(target) for each in pipeline(target, backend)}
    assert used - set(UPSTREAM) - {"verify-sync"} == {mutation[0] for mutation in MUTATIONS}
