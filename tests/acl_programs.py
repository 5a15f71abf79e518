"""What tests of programs on the laptop's ACL share: libraries built once, programs compiled and run."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from unittest.mock import patch

from opwright import acl
from opwright.acl import acl_files, program_command
from opwright.codegen.acl.library import SANITIZERS
from opwright.codegen.native import find_compiler
from opwright.dialect.spec.ops import OperatorOp
from opwright.loading import load
from opwright.narrowing import served_choices
from opwright.variants import Variant, optional_inputs
from opwright.writing import write_all


@cache
def built(operators: tuple[str, ...], sanitizer: str = "") -> Path:
    """The library of operators, with the kernels of the C backend."""
    return _written(operators, emulate=False, sanitizer=sanitizer)


@cache
def built_for_full_calls(operator: str, sanitizer: str) -> Path:
    """The library of an operator, native and emulated, for calls of the first dtypes that give every tensor alone."""
    with patch.object(acl, "served_choices", _full_choices):
        return _written((operator,), emulate=True, sanitizer=sanitizer)


def _full_choices(operator: OperatorOp) -> Iterator[tuple[Variant, Variant]]:
    present = frozenset(optional_inputs(operator))
    full = Variant(0, present)
    return ((choice, made) for choice, made in served_choices(operator) if choice == full)


def _written(operators: tuple[str, ...], *, emulate: bool, sanitizer: str) -> Path:
    folder = Path(mkdtemp(prefix="opwright-test-"))
    files = acl_files([load(name) for name in operators], emulate, None, sanitizer)
    write_all({folder / name: content for name, content in files.items()})
    return folder


def compile_program(source: Path, folder: Path, place: Path, sanitizer: str = "", *flags: str) -> Path:
    """Compile a program, without a warning about the headers."""
    program = place / source.stem
    command = program_command(folder, source, program, find_compiler("c++"), SANITIZERS[sanitizer])
    done = subprocess.run([*command, "-O0", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode, str(folder) in done.stderr) == (0, False), done.stderr
    return program


def output_of(command: Sequence[str | Path], backend: str = "c") -> str:
    """What a program prints; it has to succeed, so that no checker has found anything."""
    environment = {**os.environ, "OPWRIGHT_BACKEND": backend, "OPWRIGHT_ACL_LOG": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900, env=environment)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    return done.stdout


def run_program(
    source: Path, folder: Path, place: Path, arguments: Sequence[str] = (), sanitizer: str = "", *flags: str
) -> str:
    """Compile a program and run it; return what it prints."""
    return output_of([compile_program(source, folder, place, sanitizer, *flags), *arguments])
