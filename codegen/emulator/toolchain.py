"""Compile kernels against the emulator's headers, with one precompiled header a chip."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...passes.chips import Chip
from ..native import cache_dir, compile_shared, compiler_version, content_key, find_compiler, run_compiler
from .chip_header import HEADER_NAME, chip_header

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


def prefix_dir(chip: Chip) -> Path:
    """Return the cached folder with the chip's header and the precompiled emulator headers.

    Raises:
        CompilerMissing: no C++ compiler on this machine.
        CompileError: the emulator's headers do not compile (a fault of this package).
    """
    compiler = find_compiler("c++")
    header = chip_header(chip)
    key = content_key(header, compiler_version(compiler), *FLAGS, trees=[INCLUDE_DIR])
    folder = cache_dir() / "emulator" / key
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        work = Path(name) / "work"
        work.mkdir()
        (work / HEADER_NAME).write_text(header)
        (work / _PREFIX).write_text('#include "kernel_operator.h"\n')
        includes = (f"-I{work}", f"-I{INCLUDE_DIR}")
        output = str(work / f"{_PREFIX}.gch")
        command = [compiler, "-fPIC", *FLAGS, *includes, "-x", "c++-header", str(work / _PREFIX), "-o", output]
        run_compiler(command, _PREFIX, work)
        try:
            work.rename(folder)
        except OSError:
            if not folder.exists():
                raise
    return folder


def compile_kernel(sources: Mapping[str, str], main: str, chip: Chip) -> Path:
    """Compile a kernel and its launcher into a shared library and return its path.

    Raises:
        CompilerMissing: no C++ compiler on this machine.
        CompileError: the kernel does not compile against the emulator.
    """
    prefix = prefix_dir(chip)
    flags = (*FLAGS, "-include", str(prefix / _PREFIX), f"-I{prefix}")
    return compile_shared(sources, main, language="c++", flags=flags, include_dirs=(INCLUDE_DIR,))
