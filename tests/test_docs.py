"""README.md and docs/: commands run, Python runs, and excerpts are what the tools print.

Blocks marked `sh` and `python` run in order, in an empty folder, Python without the names of earlier blocks; `SHORT`
says what is made shorter. An excerpt stands below a comment that says where it comes from, and from which line to
which. After a change of the tools `OPWRIGHT_UPDATE_DOCS=1 pytest tests/test_docs.py` writes the excerpts anew.
"""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from contextlib import redirect_stdout
from dataclasses import astuple, fields
from io import StringIO
from pathlib import Path

import pytest

from opwright.cli import main
from opwright.codegen.emulator.choices import CHOICES
from opwright.dialect import frontend
from opwright.opt import main as opt
from opwright.passes.chips import CHIPS, Chip
from opwright.passes.costs import CopyCost, Costs

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXCERPT = re.compile(r"<!-- excerpt of `([^`]+)`((?: from `[^`]+` to `[^`]+`)+) -->\n```(\w*)\n(.*?)```", re.DOTALL)

SHORT = {
    "verify MaskedCausalConv1dBackward --cases 200": "verify MaskedCausalConv1dBackward --cases 2",
    "python -m pytest -q -n auto": "python -m pytest -q --collect-only tests/test_docs.py",
}
"""What the pages say, and what is run instead."""

CHOICES_HEAD = """\
# Choices of the emulator

What the emulator does where the sources are unclear or contradict each other; `opwright emulate --choices` prints the
same table. It is written from `codegen/emulator/choices.py` by `OPWRIGHT_UPDATE_DOCS=1 pytest tests/test_docs.py`.

| key | API | choice | why |
|---|---|---|---|"""

SETTING_UP = {"python3 -m venv .venv", "pip install -e .", "pip install -e .[test]"}
"""Commands that are not run: the test runs in an environment that they made."""


def output_of(words: list[str]) -> str:
    """What a command prints; it has to succeed."""
    if words[0] == "python":
        done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
    tool = {"opwright": main, "opwright-opt": opt}[words[0]]
    printed = StringIO()
    with redirect_stdout(printed):
        assert tool(words[1:]) == 0, words
    return printed.getvalue()


def run_line(line: str) -> None:
    """Run one line of a shell block: commands joined by &&, output perhaps into a file."""
    for command in line.split(" && "):
        words = shlex.split(command.removeprefix(".venv/bin/"))
        if " ".join(words) in SETTING_UP:
            continue
        target = words.index(">") if ">" in words else len(words)
        text = output_of(words[:target])
        if target < len(words):
            Path(words[target + 1]).write_text(text)


@pytest.mark.parametrize("page", PAGES)
def test_everything_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    for kind, block in BLOCK.findall(text):
        if kind == "python" and not follows_excerpt(text, block):
            exec(compile(block, page, "exec"), {"__name__": "page"})
        for line in block.splitlines() if kind == "sh" else ():
            for said, short in SHORT.items():
                line = line.replace(said, short)  # noqa: PLW2901
            run_line(line)


def follows_excerpt(text: str, block: str) -> bool:
    return any(found == block for _, _, _, found in EXCERPT.findall(text))


def test_two_commands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for kind, block in BLOCK.findall(text) if kind == "sh" for line in block.splitlines()]
    assert len(lines) == 2
    assert all(short in line for short, line in zip(SHORT, lines, strict=True))


def pieces(text: str, places: str) -> str:
    """The lines from one that holds a text to the next that holds another, for each pair; `...` between pairs."""
    lines, start, found = text.splitlines(), 0, list[str]()
    for first, last in re.findall(r" from `([^`]+)` to `([^`]+)`", places):
        begin = next(n for n in range(start, len(lines)) if first in lines[n])
        start = next(n for n in range(begin, len(lines)) if last in lines[n]) + 1
        indent = re.match(" *", lines[begin])
        found += [f"{indent[0] if indent else ''}...", *lines[begin:start]]
    return textwrap.dedent("\n".join(found[1:])) + "\n"


def source_text(source: str) -> str:
    """The output of a command, or the content of a file: of the repository, or of what the README builds."""
    if source.startswith("opwright "):
        return output_of(shlex.split(source))
    if source.startswith("project/"):
        output_of(shlex.split("opwright build MaskedCausalConv1dBackward --target ascend910b -o project"))
        return Path(source).read_text(encoding="utf-8")
    return (ROOT / source).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_excerpts_are_real(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    text = EXCERPT.sub(lambda m: m[0].removesuffix(f"{m[4]}```") + pieces(source_text(m[1]), m[2]) + "```", text)
    if os.environ.get("OPWRIGHT_UPDATE_DOCS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        path = ROOT / page
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert link.startswith("https://") or (path.parent / link).exists(), f"{page}: {link}"


def test_functions_of_specs_are_listed() -> None:
    text = (ROOT / "docs" / "using.md").read_text(encoding="utf-8")
    section = text.partition("### What equations are made of\n")[2].partition("\n| on a `Spec` |")[0]
    cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    listed = [name for cell in cells for name in re.findall(r"`@?(\w+)", cell)]
    assert sorted(listed) == sorted(frontend.__all__)


def test_chip_table_has_every_fact() -> None:
    lines = (ROOT / "docs" / "chips.md").read_text(encoding="utf-8").splitlines()
    table = {cells[1].strip(): cells[2:6] for line in lines if len(cells := line.split("|")) == 8}
    assert [cell.strip() for cell in table["field"]] == ["ascend910b", "ascend910_93", "ascend950", "cpu"]
    for field in fields(Chip):
        if field.name in ("name", "vector_dtypes", "library_dtypes", "register_dtypes", "costs"):
            continue
        for name, cell in zip(table["field"], table[field.name], strict=True):
            chip = CHIPS[name.strip()]
            value = ", ".join(chip.macros) if field.name == "macros" else told(getattr(chip, field.name))
            if chip.staged or cell.strip():
                assert cell.strip().startswith(value), (field.name, name)


def test_costs_are_documented() -> None:
    text = (ROOT / "docs" / "chips.md").read_text(encoding="utf-8")
    rows = {cells[1].strip(): cells for line in text.splitlines() if len(cells := line.split("|")) == 6}
    for field in fields(Costs):
        if field.name in ("vector", "other_vector"):
            continue
        (row,) = (row for name, row in rows.items() if re.search(rf"\b{field.name}\b", name))
        for target, cell in (("ascend910b", row[2]), ("ascend910_93", row[2]), ("ascend950", row[3])):
            value = getattr(CHIPS[target].costs, field.name)
            numbers = astuple(value) if isinstance(value, CopyCost) else (value,)
            said = [float(number) for number in re.findall(r"[\d.]+", cell)]
            assert all(float(number) in said for number in numbers), (field.name, target)


def test_choices_are_documented() -> None:
    path = ROOT / "docs" / "emulator_choices.md"
    rows = [f"| {choice.key} | {choice.api} | {choice.choice} | {choice.source} |" for choice in CHOICES]
    text = "\n".join((CHOICES_HEAD, *rows, ""))
    if os.environ.get("OPWRIGHT_UPDATE_DOCS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def told(value: object) -> str:
    """How the table says a value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return re.sub(r"^\((\d+), (\d+)\)$", r"\1 to \2", str(value))
