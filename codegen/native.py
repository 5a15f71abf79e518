"""Compile C and C++ sources into shared libraries, cached by content."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Literal, TypeVar

T = TypeVar("T")

Language = Literal["c", "c++"]

_CANDIDATES: Mapping[Language, tuple[str, tuple[str, ...]]] = {
    "c": ("CC", ("gcc", "clang", "cc")),
    "c++": ("CXX", ("g++", "clang++", "c++")),
}
_MAX_ERRORS = 8
_ELF_HEADER = Struct("<40xQ10xHH2x")
"""Of the header of a 64-bit ELF file: where the sections' table starts, the size of a row, and the number of rows."""


class CompilerMissing(RuntimeError):
    """No C or C++ compiler on this machine, or one that does not work."""


class CompileError(RuntimeError):
    """The compiler rejected the sources.

    Attributes:
        errors: the first error lines of the compiler.
        output: all it said, with source names relative to the build folder.
    """

    def __init__(self, main: str, errors: Sequence[str], output: str = "") -> None:
        self.errors = tuple(errors)
        self.output = output
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


def interruptible(call: Callable[[], T]) -> T:
    """Return what a call of native code gives; Ctrl-C leaves the call alone and raises KeyboardInterrupt.

    Python hears of signals between its own instructions only, and native code may take long or loop for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[T] = []

    def run() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        results.append(call())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    return results[0]


@cache
def compiler_version(compiler: str) -> str:
    """Return what the compiler prints as its version.

    Raises:
        CompilerMissing: it does not even do that.
    """
    try:
        return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise CompilerMissing(f"the compiler {compiler} does not work: {error}") from error


def content_key(*parts: str, trees: Sequence[Path] = ()) -> str:
    """Return a hash over texts and over the names and contents of all files below the folders."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode(errors="surrogateescape"))
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
    output = result.stderr.replace(f"{folder}/", "")
    lines = output.splitlines()
    errors = [line for line in lines if "error" in line or "required from here" in line] or lines
    raise CompileError(main, errors[:_MAX_ERRORS], output)


def compile_shared(
    sources: Mapping[str, str],
    main: str,
    *,
    language: Language,
    flags: Sequence[str],
    include_dirs: Sequence[Path] = (),
    search_dirs: Sequence[Path] = (),
) -> Path:
    """Compile `sources[main]` into a shared library and return its path.

    The other sources can be included by name. The library is cached: the key covers sources, flags, the compiler's
    version, every file below `include_dirs`, and those files of `search_dirs` that were included. Builds are safe
    under concurrent processes: each works in a folder of its own and the finished library appears by one rename.

    Raises:
        CompilerMissing: no compiler on this machine.
        CompileError: the compiler rejected the sources.
    """
    compiler = find_compiler(language)
    texts = [text for name in sorted(sources) for text in (name, sources[name])]
    searched = [f"-I{directory.resolve()}" for directory in search_dirs]
    parts = (main, language, compiler_version(compiler), *flags, *searched, "--", *texts)
    build = _Build(cache_dir() / "native", content_key(*parts, trees=include_dirs), bool(search_dirs))
    library = build.library
    if library is not None and _is_whole(library):
        return library
    build.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build.folder) as name:
        folder = Path(name).resolve()
        write_sources(folder, sources)
        includes = [f"-I{folder}", *(f"-I{directory}" for directory in include_dirs), *searched]
        noted = ["-MMD", "-MF", str(folder / "built.d")] if searched else []
        mapped = [f"-ffile-prefix-map={folder}/=", *noted]
        output = folder / "built.so"
        command = [compiler, "-shared", "-fPIC", *flags, *mapped, *includes, str(folder / main), "-o", str(output)]
        run_compiler(command, main, folder)
        return build.finish(folder, output)


def _is_whole(library: Path) -> bool:
    """Whether a library is there up to its end, where an ELF file has the table of its sections."""
    try:
        with library.open("rb") as stream:
            header = stream.read(_ELF_HEADER.size)
            size = stream.seek(0, os.SEEK_END)
    except FileNotFoundError:
        return False
    if len(header) < _ELF_HEADER.size:
        return False
    if not header.startswith(b"\x7fELF\x02\x01"):
        return True
    start, each, count = _ELF_HEADER.unpack(header)
    return start + each * count <= size


@dataclass(frozen=True)
class _Build:
    """Where a library is kept; with headers of the user's own, under a key that also covers those it includes.

    The list of these headers lies beside the libraries. It is taken from the latest compilation of the same sources.
    """

    folder: Path
    key: str
    tracked: bool

    @property
    def library(self) -> Path | None:
        """The place of the library, or nothing where its headers are not known yet or not there any more."""
        if not self.tracked:
            return self.folder / f"{self.key}.so"
        try:
            headers = self._headers.read_text().splitlines()
            contents = [Path(header).read_text(errors="surrogateescape") for header in headers]
        except OSError:
            return None
        both = (text for pair in zip(headers, contents, strict=True) for text in pair)
        return self.folder / f"{content_key(self.key, *both)}.so"

    @property
    def _headers(self) -> Path:
        return self.folder / f"{self.key}.headers"

    def finish(self, work: Path, output: Path) -> Path:
        """Move what was built in a folder to its place, and return that."""
        if self.tracked:
            rule = (work / "built.d").read_text().replace("\\\n", " ").partition(":")[2]
            found = {Path(name.replace("\\ ", " ")).resolve() for name in re.findall(r"(?:\\ |\S)+", rule)}
            own = (work, cache_dir().resolve())
            headers = sorted(str(path) for path in found if not any(map(path.is_relative_to, own)))
            (work / "headers").write_text("\n".join(headers))
            (work / "headers").replace(self._headers)
        library = self.library
        assert library is not None
        output.replace(library)
        return library
