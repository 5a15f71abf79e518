"""Compile kernels against the emulator: one precompiled header and one object of the emulator itself a chip."""

import shutil
import tempfile
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ...passes.chips import Chip
from ..native import cache_dir, compile_shared, compiler_version, content_key, find_compiler, run_compiler
from .chip_header import HEADER_NAME, chip_header
from .costs_header import COSTS_NAME, costs_header
from .forwards import FORWARDS

INCLUDE_DIR = Path(__file__).parent / "include"
FLAGS = (
    "-std=c++17",
    "-O2",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-Werror=narrowing",
)
_PREFIX = "opwright_prefix.h"
_RUNTIME = "opwright_runtime.o"


def prefix_dir(chip: Chip) -> Path:
    """Return the cached folder of a chip: all headers, the precompiled one, and the object of the emulator.

    The key covers the headers, the flags and the compiler's version. Concurrent builds each work in a folder of their
    own, and the finished one appears by one rename.

    Raises:
        CompilerMissing: no C++ compiler on this machine.
        CompileError: the emulator does not compile (a fault of this package).
    """
    compiler = find_compiler("c++")
    header, costs = chip_header(chip), costs_header(chip)
    key = content_key(
        header, costs, compiler_version(compiler), *FLAGS, *FORWARDS, *FORWARDS.values(), trees=[INCLUDE_DIR]
    )
    folder = cache_dir() / "emulator" / key
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(folder), tempfile.TemporaryDirectory(dir=folder.parent) as name:
        if folder.exists():
            return folder
        work = Path(name) / "work"
        shutil.copytree(INCLUDE_DIR, work)
        (work / HEADER_NAME).write_text(header)
        (work / COSTS_NAME).write_text(costs)
        (work / _PREFIX).write_text('#include "kernel_operator.h"\n')
        _forward(work)
        _build(compiler, work)
        try:
            work.rename(folder)
        except OSError:
            if not folder.exists():
                raise
    return folder


def _forward(work: Path) -> None:
    """Write the headers that stand for the main one."""
    for name, text in FORWARDS.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@contextmanager
def _alone(folder: Path) -> Generator[None, None, None]:
    """Let one process at a time build a folder; the others find it when their turn comes."""
    import fcntl

    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(compiler: str, work: Path) -> None:
    """Make the precompiled header and the object side by side."""
    start = (compiler, "-fPIC", *FLAGS, f"-I{work}")
    commands = {
        _PREFIX: (*start, "-x", "c++-header", str(work / _PREFIX), "-o", str(work / f"{_PREFIX}.gch")),
        _RUNTIME: (*start, "-c", str(work / "emu" / "runtime.cpp"), "-o", str(work / _RUNTIME)),
    }
    with ThreadPoolExecutor(len(commands)) as pool:
        for done in [pool.submit(run_compiler, command, name, work) for name, command in commands.items()]:
            done.result()


def compile_kernel(
    sources: Mapping[str, str], main: str, chip: Chip, *, flags: Sequence[str] = (), include_dirs: Sequence[Path] = ()
) -> Path:
    """Compile a kernel and its launcher into a shared library and return its path.

    Args:
        sources: file name -> text; files may include one another by name.
        main: the file to compile.
        chip: the target.
        flags: more flags of the compiler, such as definitions of macros.
        include_dirs: more folders of headers.

    Raises:
        CompilerMissing: no C++ compiler on this machine.
        CompileError: the kernel does not compile against the emulator.
    """
    prefix = prefix_dir(chip)
    every = (*FLAGS, *flags, "-include", str(prefix / _PREFIX), f"-I{prefix}", str(prefix / _RUNTIME))
    return compile_shared(sources, main, language="c++", flags=every, search_dirs=include_dirs)
