import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

FOLDERS = ("codegen", "dialect", "ops", "passes")


@pytest.fixture(scope="module")
def setuptools(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]


@pytest.fixture(scope="module")
def wheel_files(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel that is built from a copy, so that the build leaves nothing in the checkout."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("opwright", *FOLDERS):
        shutil.copytree(root / name, copy / name, symlinks=True)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(root / name, copy)
    (copy / "README.md").touch()
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", copy / "dist", copy], check=True, capture_output=True)
    with ZipFile(next((copy / "dist").glob("*.whl"))) as wheel:
        return {name for name in wheel.namelist() if ".dist-info/" not in name}


def own_folders(root: Path) -> list[Path]:
    """The packages that lie in opwright/ itself, beside the links to the others."""
    folders = (path for path in (root / "opwright").iterdir() if path.is_dir() and not path.is_symlink())
    return [path for path in folders if (path / "__init__.py").is_file()]


def test_packages_match_the_folders(root: Path, setuptools: dict[str, Any]) -> None:
    found = {"opwright": "opwright"}
    for folder in own_folders(root):
        found[f"opwright.{folder.name}"] = f"opwright/{folder.name}"
    for folder in FOLDERS:
        for init in (root / folder).rglob("__init__.py"):
            place = init.parent.relative_to(root).as_posix()
            found["opwright." + place.replace("/", ".")] = place
    assert setuptools["package-dir"] == found
    assert setuptools["packages"] == sorted(found)


def test_wheel_holds_every_file(root: Path, wheel_files: set[str]) -> None:
    places = (root / "opwright", *own_folders(root))
    own = {path.relative_to(root).as_posix() for place in places for path in place.iterdir() if path.is_file()}
    mapped = {
        f"opwright/{path.relative_to(root).as_posix()}"
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wheel_files == own | mapped


@pytest.mark.parametrize("folder", FOLDERS)
def test_links_lead_to_the_folders(root: Path, folder: str) -> None:
    assert (root / "opwright" / folder).readlink() == Path("..") / folder


@pytest.mark.parametrize("folder", ["opwright", *FOLDERS])
def test_types_are_published(root: Path, folder: str) -> None:
    assert (root / folder / "py.typed").is_file()


def test_lit_is_no_package(root: Path) -> None:
    """A package of that name would hide the tool."""
    assert list((root / "lit").rglob("__init__.py")) == []


def test_tests_are_no_package(root: Path) -> None:
    """The xdsl wheel installs a top-level `tests`, so `import tests.x` would find the wrong one."""
    assert list((root / "tests").rglob("__init__.py")) == []
