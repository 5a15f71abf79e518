"""The laws of docs/design.md that can be read off the text of the code."""

import ast
import dataclasses
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from opwright.passes.chips import CHIPS, Chip

ROOT = Path(__file__).resolve().parents[1]
COMPILER = ("dialect", "passes", "codegen")
PRODUCT = ("opwright", *COMPILER, "ops")
CODE = (*PRODUCT, "tests", "lit", "benchmarks")
TEXT = {".py", ".mlir", ".h", ".hpp", ".cpp", ".md", ".toml"}

MAY_IMPORT = {
    "dialect": {"dialect"},
    "passes": {"dialect", "passes"},
    "codegen": {"dialect", "passes", "codegen"},
    "ops": {"dialect", "ops", "opwright"},
    "opwright": {"dialect", "passes", "codegen", "ops", "opwright"},
}


def files(*folders: str, suffixes: frozenset[str] = frozenset(TEXT)) -> list[Path]:
    """The files of the folders; the links below opwright/ lead to folders that are named themselves."""
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    return [path for path in found if path.is_file() and path.suffix in suffixes and not linked(path)]


def linked(path: Path) -> bool:
    return path.resolve() != path


def names(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


PYTHON = files(*CODE, suffixes=frozenset({".py"}))
HEADERS = files(*COMPILER, suffixes=frozenset({".h", ".hpp"}))


def offences(pattern: str, paths: list[Path]) -> list[str]:
    """Each line that matches, as `file:line: text`."""
    regex = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if regex.search(line)
    ]


def operator_names() -> Iterator[str]:
    """The operators of the library, and those that the project began with."""
    yield from ("masked_causal_conv1d", "nsa_compress", "moe_token", "conv1d", "nsa", "moe")
    yield from (path.stem for path in files("ops") if "_" in path.stem.strip("_"))


def chip_numbers() -> set[int]:
    """The numbers that can only be a chip's: large, no power of two, and not merely the largest 32-bit integer."""
    fields = [field.name for field in dataclasses.fields(Chip)]
    values = [getattr(chip, field) for chip in CHIPS.values() for field in fields]
    values = {value for value in values if isinstance(value, int)}
    return {value for value in values if value > 1000 and value & (value - 1) and value != 2**32 - 1}


@pytest.mark.parametrize("name", sorted(set(operator_names())))
def test_law_1_no_operator_in_the_compiler(name: str) -> None:
    words = "[_ ]?".join(name.split("_"))
    assert offences(rf"(?i)(?<![a-z]){words}", files(*COMPILER)) == []


def test_law_5_no_chip_outside_the_table() -> None:
    numbers = "|".join(str(number) for number in sorted(chip_numbers()))
    chip_names = "|".join(re.escape(name) for name in CHIPS if name != "cpu")
    pattern = rf"\b({numbers})\b|(?i:{chip_names}|\b(atlas|ascend) ?[\dA])|\b(A2|A3|A5|[39]10[BbPp]?|950(PR|DT)?)\b"
    table = ROOT / "passes" / "chips.py"
    assert offences(pattern, [path for path in files(*COMPILER) if path != table]) == []
    assert offences(pattern, [table]) != []


def imported_areas(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top folder of each import of the project's own code."""
    package = ["opwright", *path.relative_to(ROOT).parts[:-1]]
    package = package[1:] if package[1:2] == ["opwright"] else package
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module in imported_modules(node, package):
                parts = module.split(".")
                if parts[0] == "opwright":
                    yield node.lineno, parts[1] if parts[1:2] and parts[1] in MAY_IMPORT else "opwright"
                elif parts[0] in MAY_IMPORT:
                    yield node.lineno, f"top-level {parts[0]}"


def imported_modules(node: ast.Import | ast.ImportFrom, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
    module = ".".join(filter(None, (base, node.module)))
    return [f"{module}.{alias.name}" for alias in node.names] if module == "opwright" else [module]


@pytest.mark.parametrize("area", MAY_IMPORT)
def test_law_9_dependencies_point_one_way(area: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: imports {target}"
        for path in files(area, suffixes=frozenset({".py"}))
        for line, target in imported_areas(path)
        if target not in MAY_IMPORT[area]
    ]
    assert wrong == []


def test_product_code_imports_itself_relatively() -> None:
    """All but ops/: its files are written as a user writes them, and load from any place."""
    inner = [folder for folder in PRODUCT if folder != "ops"]
    assert offences(r"^\s*(from|import) opwright\b", files(*inner, suffixes=frozenset({".py"}))) == []


@pytest.mark.parametrize("paths", [PYTHON, HEADERS], ids=["python", "headers"])
def test_files_are_short(paths: list[Path]) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert names([path for path, length in lengths.items() if length > 600]) == []
    assert statistics.median([length for length in lengths.values() if length > 5] or [0]) <= 160


def test_functions_are_short() -> None:
    lengths = sorted(
        node.end_lineno - node.lineno + 1
        for path in files(*PRODUCT, suffixes=frozenset({".py"}))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
    )
    assert lengths[len(lengths) * 9 // 10] <= 30


def test_nothing_is_left_to_do() -> None:
    marks = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"))
    assert offences(rf"\b({marks})\b", [*files(*CODE, "docs"), ROOT / "pyproject.toml"]) == []


def test_no_test_is_skipped() -> None:
    marks = "|".join(
        (
            "pytest.sk" + "ip",
            r"mark\.sk" + "ip",
            r"mark\.xf" + "ail",
            "importor" + "skip",
            "UNSUPP" + "ORTED:",
            "XF" + "AIL:",
        )
    )
    assert offences(marks, files("tests", "lit")) == []


def test_no_dates_or_machine_paths() -> None:
    places = "|".join(("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/"))
    assert offences(rf"\b20[2-3]\d-[01]\d-[0-3]\d\b|{places}", files(*CODE, "docs")) == []


def test_lit_holds_no_package() -> None:
    assert names([path for path in files("lit") if path.name == "__init__.py"]) == []
