"""opwright verify: what holds is said to hold, and what does not is found and shown again."""

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opwright.backends import Engine
from opwright.cli import main
from opwright.codegen.ascendc.executable import AscendcExecutable
from opwright.codegen.dtypes import Array
from opwright.codegen.emulator.report import EmulationReport
from opwright.dialect.diagnostics import Diagnostic
from opwright.outputs import Outputs
from opwright.verification.verifier import CaseRun

OPERATOR = "MaskedCausalConv1dBackward"
Change = Callable[[dict[str, Array], Engine, int], None]
Break = Callable[[Change], None]


@pytest.fixture
def break_engines(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Let a function change the outputs of every run."""
    run: Callable[[CaseRun, Engine, int], Mapping[str, Array]] = CaseRun.outputs

    def break_engines(change: Change) -> None:
        def broken(case: CaseRun, engine: Engine, cores: int) -> Mapping[str, Array]:
            outputs = Outputs(run(case, engine, cores))
            change(outputs, engine, cores)
            return outputs

        monkeypatch.setattr(CaseRun, "outputs", broken)

    return break_engines


def verify(*args: str) -> int:
    return main(["verify", OPERATOR, "--seed", "1", *args])


def report(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, dict[str, Any]]:
    code = verify(*args, "--json")
    return code, json.loads(capsys.readouterr().out)


def test_everything_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("--cases", "2") == 0
    header, _, *rows, blank, reached = capsys.readouterr().out.splitlines()
    assert header.startswith("operator ")
    assert header.endswith("mean err  max err  bit-equal  cores           threads  strict  result")
    assert len(rows) == 22
    assert blank == ""
    assert reached.startswith("The cases of MaskedCausalConv1dBackward are for 2 of its 4 variants;")
    assert all(row.split()[-1] == "ok" and " 1,3,7,40,48,64 " in row for row in rows)
    assert [row.split()[-3] for row in rows if " c " in row] == ["1,2"] * 8
    assert sum("ascendc (emulated)" in row for row in rows) == 6


def test_engines_that_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report(capsys, "--cases", "2", "--backend", "ascendc", "numpy", "--target", "ascend950", "cpu")
    assert code == 0
    assert found["passed"]
    assert [(row["dtypes"], row["target"], row["backend"], row["emulated"]) for row in found["rows"]] == [
        (dtypes, target, backend, backend == "ascendc")
        for dtypes in ("f16", "bf16")
        for target, backend in (("ascend950", "numpy"), ("ascend950", "ascendc"), ("cpu", "numpy"))
    ]


def test_wrong_numbers_are_found(break_engines: Break, capsys: pytest.CaptureFixture[str]) -> None:
    def change(outputs: dict[str, Array], engine: Engine, cores: int) -> None:
        outputs["gradWeightOut"] = outputs["gradWeightOut"] * np.asarray(1.25, outputs["gradWeightOut"].dtype)

    break_engines(change)
    assert verify("--cases", "2", "--backend", "numpy", "--target", "cpu") == 1
    out = capsys.readouterr().out
    assert out.count("1 FAILED") == 2
    assert f"{OPERATOR}, numpy on cpu, case 1: gradWeightOut[" in out
    assert f"    opwright verify {OPERATOR} --backend numpy --target cpu --seed 1 --case 1\n" in f"{out}\n"


def test_other_bits_of_one_backend_are_found(break_engines: Break, capsys: pytest.CaptureFixture[str]) -> None:
    def change(outputs: dict[str, Array], engine: Engine, cores: int) -> None:
        if engine.backend == "c":
            outputs["gradXOut"] = np.nextafter(outputs["gradXOut"], np.asarray(9, outputs["gradXOut"].dtype))

    break_engines(change)
    code, found = report(capsys, "--cases", "1", "--backend", "numpy", "c", "--target", "ascend910b")
    assert code == 1
    assert [row["bit_equal"] for row in found["rows"]] == [1, 0]
    assert [f["backend"] for f in found["failures"]] == ["c"]
    assert found["failures"][0]["text"].startswith("bits differ on c and on numpy: gradXOut[")
    assert "--backend numpy c --target ascend910b" in found["failures"][0]["command"]


@pytest.mark.parametrize("culprit", [7, 64])
def test_bits_that_depend_on_the_cores_are_found(
    culprit: int, break_engines: Break, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(outputs: dict[str, Array], engine: Engine, cores: int) -> None:
        if cores == culprit:
            outputs["gradXOut"] = -outputs["gradXOut"]

    break_engines(change)
    _, found = report(capsys, "--cases", "1", "--backend", "numpy", "--target", "cpu")
    assert [f["text"].partition(":")[0] for f in found["failures"]] == [f"bits differ on {culprit} cores and on 1"]


def test_findings_of_the_emulator_are_failures(break_engines: Break, capsys: pytest.CaptureFixture[str]) -> None:
    def change(outputs: dict[str, Array], engine: Engine, cores: int) -> None:
        raise Diagnostic("OPW500", "two pipes meet in a buffer")

    break_engines(change)
    code, found = report(capsys, "--cases", "1", "--backend", "numpy", "--target", "cpu")
    assert (code, found["failures"][0]["text"]) == (1, "error[OPW500]: two pipes meet in a buffer")


def test_strict_runs_of_every_variant(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report(capsys, "--cases", "0", "--strict", "5", "--backend", "ascendc", "--target", "ascend950")
    assert code == 0
    assert [(row["cases"], row["strict"]) for row in found["rows"]] == [(0, 10), (0, 10)]


def test_what_depends_on_the_order_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    emulate = AscendcExecutable.emulate

    def late(
        self: AscendcExecutable,
        inputs: Mapping[str, Array],
        dims: Mapping[str, int],
        cores: int,
        strict: bool = False,
        seed: int = 0,
    ) -> tuple[dict[str, Array], EmulationReport]:
        outputs, found = emulate(self, inputs, dims, cores, strict=strict, seed=seed)
        return {name: -array if seed == 2 else array for name, array in outputs.items()}, found

    monkeypatch.setattr(AscendcExecutable, "emulate", late)
    args = ("--cases", "0", "--strict", "3", "--backend", "ascendc", "--target", "ascend950")
    code, found = report(capsys, *args)
    assert code == 1
    assert [row["strict"] for row in found["rows"]] == [4, 4]
    assert len(found["failures"]) == 4
    text, command = found["failures"][0]["text"], found["failures"][0]["command"]
    assert text.startswith("strict mode, seed 2, f16, size 33, 1 cores: bits differ from those in the order of")
    assert command == f"opwright verify {OPERATOR} --backend ascendc --target ascend950 --cases 0 --strict 3"


def test_command_shows_the_failure_again(
    break_engines: Break, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And the inputs of the case are saved for `opwright run`."""

    def change(outputs: dict[str, Array], engine: Engine, cores: int) -> None:
        if outputs["gradXOut"].shape[0] == 1:
            outputs["gradXOut"] = outputs["gradXOut"] + np.asarray(1, outputs["gradXOut"].dtype)

    break_engines(change)
    args = ("--cases", "8", "--backend", "numpy", "--target", "cpu", "--save-failing", str(tmp_path))
    _, found = report(capsys, *args)
    assert 0 < len(found["failures"]) < 8
    for failure in found["failures"]:
        words = shlex.split(failure["command"])
        assert main([*words[1:], "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["failures"] == [failure]
        saved = tmp_path / f"{OPERATOR}-seed1-case{failure['case']}.npz"
        with np.load(saved) as arrays:
            assert arrays["gradY"].shape[0] == 1
        assert main(["run", OPERATOR, "--backend", "numpy", "--in", str(saved), "--out", str(tmp_path / "o.npz")]) == 0
