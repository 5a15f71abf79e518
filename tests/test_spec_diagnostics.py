"""Each code of the specs and of the calls is listed in the docs, and shown by a test."""

import re
from pathlib import Path

AREAS = ("dialect", "codegen", "passes", "opwright")


def rows(root: Path) -> dict[str, str]:
    """Where each listed code is shown."""
    text = (root / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    return {m[1]: m[2] for m in re.finditer(r"^\| (OPW\d+) \|.*\| (\S+) \|$", text, re.MULTILINE)}


def raised(root: Path, pattern: str) -> set[str]:
    sources = (path.read_text(encoding="utf-8") for area in AREAS for path in (root / area).rglob("*.py"))
    return {code for source in sources for code in re.findall(rf'"(OPW{pattern})"', source)}


def test_every_code_is_listed(root: Path) -> None:
    ours = raised(root, r"1\d\d") | raised(root, r"2[0-3]\d")
    listed = {code for code in rows(root) if code[3] == "1" or "OPW200" <= code < "OPW240"}
    assert ours == listed


def test_every_listed_code_is_shown(root: Path) -> None:
    missing = [
        f"{code} in {place}"
        for code, place in rows(root).items()
        if code not in (root / place).read_text(encoding="utf-8")
    ]
    assert missing == []
