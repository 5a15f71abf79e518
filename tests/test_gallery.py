"""The rogue's gallery: every fault is found at the line that is marked, and nothing in the mended kernels is.

A file of tests/gallery is one kernel with one fault, named after the rule that it breaks; with the macro MENDED it has
none. It begins with what is wrong, then

    // GUARANTEE n ...   rows of the guarantees in docs/emulator.md
    // LAUNCH key=value  x=, y=: floats of the input and the output; cores=, chip=, key= (of the tiling);
                         budget= (instructions); workspace=zeros (it is zeroed before, as a host does)

    // SAYS words         what the message of the finding holds

and `// FINDS rule` marks the line. A fault of the whole launch, which stands at the kernel function, has its mark at
the top. Kernels in refused/ do not
compile: `// REFUSED words` marks the line of the error, which holds these words.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Unpack

import numpy as np
import pytest

from opwright.cli import main
from opwright.codegen.emulator.compile_errors import kernel_errors
from opwright.codegen.emulator.launch import EmulatedKernel, Role, RunOptions, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.codegen.native import CompileError
from opwright.passes.chips import get_chip

FOLDER = Path(__file__).parent / "gallery"
DRIVER = "gallery.cpp"
"""The source with the kernel that calls one of the gallery."""
IN_ORDER = (RunOptions(), RunOptions(strict=True, seed=0))
"""Modes in which the cores run in ascending order."""
SHUFFLED = (RunOptions(strict=True, seed=1), RunOptions(strict=True, seed=2))

NO_KERNEL_CAN_SHOW: dict[str, str] = {}
"""Rules without a kernel in the gallery -> the reason."""

NOT_SEEN_IN_A_RUN = {
    5: "costs time and gives no wrong result; the figures count barriers and flags",
    16: "speaks of the compiler: one kernel for every shape",
    19: "holds for all findings: each test here checks the line",
    20: "speaks of the compiler's own time",
    22: "holds for all kernels: the mended ones run in strict mode",
}
"""Guarantees without a kernel in the gallery -> the reason."""


@dataclass(frozen=True)
class Rogue:
    """A faulty kernel of the gallery."""

    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text()

    @property
    def kernel(self) -> str:
        """The name of the kernel."""
        return self.path.stem.replace("-", "_")

    @property
    def rule(self) -> str:
        """The code of the rule that it breaks."""
        return self.path.stem.partition("_")[0]

    def marks(self, word: str) -> list[tuple[str, int]]:
        """What is marked with a word, and the lines; 0 for a mark at the top."""
        lines = enumerate(self.text.splitlines(), start=1)
        found = [(line, at, re.search(rf"// {word} (.+)$", line)) for at, line in lines]
        return [(mark[1], 0 if line.startswith("//") else at) for line, at, mark in found if mark]

    @property
    def guarantees(self) -> set[int]:
        """The numbers of the guarantees that it is an example for."""
        return {int(number) for number in self._head("GUARANTEE").split()}

    @cached_property
    def launch(self) -> dict[str, str]:
        """How it is launched."""
        return dict(part.split("=") for part in self._head("LAUNCH").split())

    @property
    def words(self) -> list[str]:
        """What the message of the finding holds."""
        return re.findall(r"^// SAYS (.+)$", self.text, re.MULTILINE)

    @property
    def chip(self) -> str:
        """The name of its chip."""
        return self.launch.get("chip", "ascend910b")

    def _head(self, word: str) -> str:
        found = re.search(rf"^// {word} (.*)$", self.text, re.MULTILINE)
        assert found is not None, f"{self.path.name} has no line {word}"
        return found[1]

    def run(self, *, mended: bool, **options: Unpack[RunOptions]) -> EmulationReport:
        """Run the kernel. A faulty one may stop before its end, and then need not write its output."""
        output = Role.OUTPUT if mended or self.rule == "gm-unwritten" else Role.WORKSPACE
        workspace = Role.INOUT if self.launch.get("workspace") == "zeros" else Role.WORKSPACE
        options["tiling_key"] = int(self.launch.get("key", 0))
        options["max_instructions"] = int(self.launch.get("budget", 100_000))
        return _gallery(self.chip, mended).run(
            [
                read_only(np.arange(int(self.launch["x"]), dtype=np.float32)),
                np.empty(int(self.launch["y"]), np.float32),
                np.zeros(4096, np.uint8),
                np.uint32(_members(self.chip, mended).index(self)).tobytes(),
            ],
            int(self.launch.get("cores", 1)),
            roles={"y": output, "workspace": workspace},
            **options,
        )


ROGUES = [Rogue(path) for path in sorted(FOLDER.glob("*.cpp"))]
REFUSED = [Rogue(path) for path in sorted(FOLDER.glob("refused/*.cpp"))]


def _members(chip: str, mended: bool) -> list[Rogue]:
    """The kernels of a chip that compile."""
    return [rogue for rogue in ROGUES + REFUSED * mended if rogue.chip == chip]


def _compiled(chip: str, rogues: list[Rogue], mended: bool) -> EmulatedKernel:
    """Kernels in one library; the last argument chooses one."""
    includes = "".join(f'#include "{rogue.path.name}"\n' for rogue in rogues)
    driver = (
        f"{includes}__global__ __aicore__ void gallery(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t which) {{\n"
        f"    constexpr void (*kernels[])(GM_ADDR, GM_ADDR, GM_ADDR) = {{{', '.join(r.kernel for r in rogues)}}};\n"
        "    kernels[which](x, y, workspace);\n}\n"
    )
    sources = {DRIVER: driver, **{rogue.path.name: rogue.text for rogue in rogues}}
    flags = ["-DMENDED"] if mended else []
    return EmulatedKernel(sources, "gallery", ["x", "y", "workspace", "which"], get_chip(chip), flags=flags)


@cache
def _gallery(chip: str, mended: bool) -> EmulatedKernel:
    return _compiled(chip, _members(chip, mended), mended)


def _name(rogue: Rogue) -> str:
    return rogue.path.stem


@pytest.mark.parametrize("rogue", ROGUES, ids=_name)
def test_faulty(rogue: Rogue) -> None:
    marks = rogue.marks("FINDS")
    assert {rule for rule, _ in marks} == {rogue.rule}
    for options in IN_ORDER:
        report = rogue.run(mended=False, **options)
        found = [(finding.code, finding.line, finding.file) for finding in report.findings]
        # The gallery is one kernel: what belongs to a whole launch stands at its function.
        places = sorted((code, 0 if file == DRIVER else line) for code, line, file in found)
        assert places == marks, str(report)
        assert {file for _, _, file in found} <= {rogue.path.name, DRIVER}
        for finding in report.findings:
            assert finding.line > 0
            for words in rogue.words:
                assert words in finding.message
    for options in SHUFFLED:
        assert rogue.rule in rogue.run(mended=False, **options).codes


@pytest.mark.parametrize("rogue", ROGUES + REFUSED, ids=_name)
def test_mended(rogue: Rogue) -> None:
    for options in (*IN_ORDER, *SHUFFLED):
        report = rogue.run(mended=True, **options)
        assert not report.findings, str(report)


@pytest.mark.parametrize("chip", sorted({rogue.chip for rogue in REFUSED}))
def test_refused(chip: str) -> None:
    rogues = [rogue for rogue in REFUSED if rogue.chip == chip]
    with pytest.raises(CompileError) as caught:
        _ = _compiled(chip, rogues, mended=False).parameter_bytes
    errors = kernel_errors(caught.value.output, frozenset(rogue.path.name for rogue in rogues))
    marks = {(rogue.path.name, line): words for rogue in rogues for words, line in rogue.marks("REFUSED")}
    assert {(error.file, error.line) for error in errors} == set(marks), errors
    for place, words in marks.items():
        assert any(words in error.text for error in errors if (error.file, error.line) == place), (place, errors)


@pytest.mark.parametrize(("more", "code"), [([], 3), (["-D", "MENDED=1"], 0)])
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], code: int) -> None:
    np.save(tmp_path / "x.npy", np.ones(256, np.float32))
    args = ["-a", f"x={tmp_path / 'x.npy'}", "-a", "y=float32[256]", "-a", "workspace=null"]
    kernel = str(FOLDER / "ub-race.cpp")
    assert main(["emulate", kernel, "--target", "ascend910b", "--cores", "1", *args, *more]) == code
    assert ("ub-race.cpp:24: ub-race" in capsys.readouterr().out) == (code == 3)


def _codes(root: Path) -> set[str]:
    header = (root / "codegen/emulator/include/emu/finding.h").read_text()
    return set(re.findall(r'"([a-z0-9-]+)"', header.partition("codes[] = {")[2].partition("}")[0]))


def test_every_rule_has_a_kernel(root: Path) -> None:
    assert {rogue.rule for rogue in ROGUES} == _codes(root) - set(NO_KERNEL_CAN_SHOW)


def test_every_rule_is_documented(root: Path) -> None:
    table = (root / "docs/emulator.md").read_text().split("## Rules")[1]
    rows = [line[2:].split(" | ")[0] for line in table.splitlines() if line.startswith("| ")]
    assert {code for row in rows for code in row.split(", ")} - {"code"} == _codes(root)


def test_every_guarantee_has_a_kernel(root: Path) -> None:
    table = (root / "docs/emulator.md").read_text().split("## Guarantees")[1].split("## The register level")[0]
    rows = [line.split(" | ") for line in table.splitlines() if re.match(r"\| \d", line)]
    assert [row[0] for row in rows] == [f"| {number}" for number in range(1, 26)]
    named = {word for row in rows for word in re.findall(r"[a-z]+(?:-[a-z]+)+", row[2])} - {"hand-written"}
    assert named <= _codes(root)
    shown = {number for rogue in ROGUES + REFUSED for number in rogue.guarantees}
    assert shown == set(range(1, 26)) - set(NOT_SEEN_IN_A_RUN)
