"""Compile the pieces of the library: object files, cached by content like the shared libraries of native.py."""

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..c.executable import compile_flags
from ..native import (
    Language,
    cache_dir,
    compiler_version,
    content_key,
    find_compiler,
    run_compiler,
    write_sources,
)

CPP_FLAGS = ("-std=c++17", "-O1", "-fPIC", "-fvisibility=hidden", "-pthread")
"""Flags of the runtime and of the operators' interfaces."""

LINK_FLAGS = ("-shared", "-pthread", "-Wl,-z,defs", "-Wl,-soname,libopwright_acl.so")
LINK_LIBRARIES = ("-lm", "-ldl")


@dataclass(frozen=True)
class Unit:
    """One source file on its way to an object file.

    Attributes:
        name: the file's name.
        text: its content.
        language: c or c++.
        flags: what the compiler is told, besides the folders.
        include_dirs: folders whose files it may include.
    """

    name: str
    text: str
    language: Language
    flags: tuple[str, ...]
    include_dirs: tuple[Path, ...] = ()


def kernel_flags(*, portable: bool = False) -> tuple[str, ...]:
    """Return the flags of kernels: as where C runs alone, without threads, because streams are the threads here.

    `portable` ones use no instruction that only some processors of this kind have.
    """
    flags = [flag for flag in compile_flags() if not (portable and flag.startswith("-march"))]
    kept = [flag for flag in flags if not flag.startswith(("-Wl", "-l", "-fopenmp"))]
    simd = ["-fopenmp-simd"] if any(flag.startswith("-fopenmp") for flag in flags) else ["-Wno-unknown-pragmas"]
    return (*kept, *simd, "-fPIC", "-fvisibility=hidden")


def compile_object(unit: Unit, sanitizer: tuple[str, ...]) -> Path:
    """Compile a source into an object file and return its path; errors as in `native.compile_shared`."""
    compiler = find_compiler(unit.language)
    flags = (*unit.flags, *sanitizer)
    key = content_key("object", unit.name, compiler_version(compiler), *flags, unit.text, trees=unit.include_dirs)
    includes = [f"-I{folder}" for folder in unit.include_dirs]

    def command(folder: Path, output: Path) -> list[str]:
        mapped = f"-ffile-prefix-map={folder}/="
        return [compiler, "-c", *flags, mapped, *includes, str(folder / unit.name), "-o", str(output)]

    return _cached(f"{key}.o", {unit.name: unit.text}, unit.name, command)


def link_shared(objects: Sequence[Path], sanitizer: tuple[str, ...]) -> Path:
    """Link object files into a shared library and return its path."""
    compiler = find_compiler("c++")
    key = content_key("library", compiler_version(compiler), *sanitizer, *(path.name for path in objects))

    def command(_folder: Path, output: Path) -> list[str]:
        files = map(str, objects)
        return [compiler, *LINK_FLAGS, *sanitizer, *files, *LINK_LIBRARIES, "-o", str(output)]

    return _cached(f"{key}.so", {}, "libopwright_acl.so", command)


def _cached(name: str, sources: dict[str, str], main: str, command: Callable[[Path, Path], list[str]]) -> Path:
    """Return the file of that name in the cache, made by the command if it is not there; it appears by one rename."""
    made = cache_dir() / "native" / name
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent) as temporary:
        folder = Path(temporary)
        write_sources(folder, sources)
        output = folder / "output"
        run_compiler(command(folder, output), main, folder)
        output.replace(made)
    return made


def compile_objects(units: Sequence[Unit], sanitizer: tuple[str, ...]) -> list[Path]:
    """Compile all units, several at a time, and return their object files in order."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(partial(compile_object, sanitizer=sanitizer), units))
