"""What holds for all passes: places and text survive, nothing depends on the run, and each refusal is listed."""

import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from opwright.dialect.diagnostics import Location
from opwright.dialect.registry import new_context
from opwright.loading import load
from opwright.passes.chips import CHIPS
from opwright.passes.pipelines import pipeline, pipeline_spec, run_pipeline
from opwright.passes.specialize import snake_case

SPECS = Path(__file__).parent / "specs"
NAMES = ("edges", "masked_sum", "statistics", "windows")
KINDS = ("cpu", next(name for name, chip in CHIPS.items() if chip.staged))


def module(spec: str) -> ModuleOp:
    return load(SPECS / f"{spec}.mlir").module


def lost_places(now: ModuleOp) -> list[str]:
    return [op.name for op in now.body.walk() if isinstance(op.location, UnknownLoc) or Location.of(op) is None]


def reads_back(now: ModuleOp) -> bool:
    again = Parser(new_context(), str(now)).parse_module()
    again.verify()
    return str(again) == str(now)


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("spec", NAMES)
def test_places_and_text_survive_each_pass(spec: str, target: str) -> None:
    def look(each: ModulePass, now: ModuleOp) -> None:
        assert (each.name, lost_places(now), reads_back(now)) == (each.name, [], True)

    run_pipeline(module(spec), pipeline(target, "numpy"), look)


@pytest.mark.parametrize("target", CHIPS)
def test_two_runs_give_one_text(target: str) -> None:
    first, second = (str(run_pipeline(module("masked_sum"), pipeline(target, "numpy"))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("each", pipeline("cpu", "numpy") + pipeline(KINDS[1], "numpy"), ids=str)
def test_a_pass_leaves_alone_what_is_not_there(each: ModulePass) -> None:
    empty = ModuleOp([])
    each.apply(new_context(), empty)
    assert list(empty.body.block.ops) == []


def test_pipelines_are_text() -> None:
    text = pipeline_spec("cpu", "numpy", 1, frozenset({"b", "a"}))
    assert text.startswith("specialize{column=1 present=a,b},canonicalize,unroll,")
    assert pipeline_spec("cpu", "reference") == ""
    assert pipeline("cpu", "reference") == ()


@pytest.mark.parametrize(
    ("target", "backend", "error", "text"),
    [
        ("abacus", "c", KeyError, "unknown target 'abacus'; known targets: cpu"),
        ("cpu", "fortran", ValueError, "unknown backend 'fortran'; backends: reference, numpy, c, ascendc"),
        ("cpu", "ascendc", ValueError, "backend ascendc needs a chip as its target, not 'cpu'"),
    ],
)
def test_unknown_pipelines(target: str, backend: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        pipeline_spec(target, backend)


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("RowScale", "row_scale"),
        ("MoETokenUnpermute", "mo_e_token_unpermute"),
        ("NSACompress", "nsa_compress"),
        ("x2", "x2"),
    ],
)
def test_names_of_variants_are_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake


def test_every_refusal_of_these_passes_is_listed(root: Path) -> None:
    sources = (path.read_text(encoding="utf-8") for path in sorted((root / "passes").glob("*.py")))
    raised = {code for source in sources for code in re.findall(r'"(OPW3[234]\d)"', source)}
    text = (root / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| (OPW3[234]\d) \|", text, re.MULTILINE))
    assert raised == listed
