"""Compile C and C++ sources into shared libraries, cached by content."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["c", "c++"]

_CANDIDATES: Mapping[Language, tuple[str, tuple[str, ...]]] = {
    "c": ("CC", ("gcc", "clang", "cc")),
    "c++": ("CXX", ("g++", "clang++", "c++")),
}
_MAX_ERRORS = 8


class CompilerMissing(RuntimeError):
    """No C or C++ compiler on this machine."""


class CompileError(RuntimeError):
    """The compiler rejected the sources.

    Attributes:
        errors: the first error lines of the compiler.
    """

    def __init__(self, main: str, errors: Sequence[str]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join((f"cannot compile {main}:", *errors)))


def find_compiler(language: Language) -> str:
    """Return the path of the compiler: $CC or $CXX if set, else the first known one on PATH.

    Raises:
        CompilerMissing: there is none.
    """
    variable, names = _CANDIDATES[language]
    chosen = os.environ.get(variable)
    for name in (chosen,) if chosen else names:
        path = shutil.which(name)
        if path is not None:
            return path
    raise CompilerMissing(f"no {language} compiler: set {variable}, or install one of {', '.join(names)}")


def cache_dir() -> Path:
    """Return the folder of compiled libraries: $OPWRIGHT_CACHE, else opwright/ in the user's cache folder."""
    explicit = os.environ.get("OPWRIGHT_CACHE")
    if explicit:
        return Path(explicit)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opwright"


@cache
def compiler_version(compiler: str) -> str:
    """Return what the compiler prints as its version."""
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout


def content_key(*parts: str, trees: Sequence[Path] = ()) -> str:
    """Return a hash over texts and over the names and contents of all files below the folders."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    for tree in trees:
        for path in sorted(p for p in tree.rglob("*") if p.is_file()):
            digest.update(f"{path.relative_to(tree)}:{path.stat().st_size}:".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def write_sources(folder: Path, sources: Mapping[str, str]) -> None:
    """Write the sources below the folder; names are relative paths."""
    for name, text in sources.items():
        target = folder / name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"source name '{name}' leaves the build folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def run_compiler(command: Sequence[str], main: str, folder: Path) -> None:
    """Run a compiler command on sources that lie in a folder.

    Raises:
        CompileError: it failed; holds its first error lines, with source names relative to the folder.
    """
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if result.returncode == 0:
        return
    lines = result.stderr.replace(f"{folder}/", "").splitlines()
    errors = [line for line in lines if "error" in line or "required from here" in line] or lines
    raise CompileError(main, errors[:_MAX_ERRORS])


def compile_shared(
    sources: Mapping[str, str],
    main: str,
    *,
    language: Language,
    flags: Sequence[str],
    include_dirs: Sequence[Path] = (),
) -> Path:
    """Compile `sources[main]` into a shared library and return its path.

    The other sources can be included by name. The library is cached: the key covers sources, flags, the compiler's
    version and every file below `include_dirs`. Builds are safe under concurrent processes: each works in a folder
    of its own and the finished library appears by one rename.

    Raises:
        CompilerMissing: no compiler on this machine.
        CompileError: the compiler rejected the sources.
    """
    compiler = find_compiler(language)
    texts = [text for name in sorted(sources) for text in (name, sources[name])]
    key = content_key(main, language, compiler_version(compiler), *flags, "--", *texts, trees=include_dirs)
    library = cache_dir() / "native" / f"{key}.so"
    if library.exists():
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as name:
        folder = Path(name)
        write_sources(folder, sources)
        built = folder / "built.so"
        includes = [f"-I{folder}", *(f"-I{directory}" for directory in include_dirs)]
        mapped = [f"-ffile-prefix-map={folder}/="]
        command = [compiler, "-shared", "-fPIC", *flags, *mapped, *includes, str(folder / main), "-o", str(built)]
        run_compiler(command, main, folder)
        built.replace(library)
    return library
