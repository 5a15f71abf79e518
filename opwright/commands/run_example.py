"""`opwright run-example`: compile a C++ program for aclnn operators against the laptop's ACL, and run it."""

import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..dialect.diagnostics import Diagnostic
from ..interrupts import interrupts_held_back
from ..loading import list_operators, load
from ..progress import Progress
from .acl import add_kernels
from .arguments import OPERATOR_HELP, path

SUFFIXES = (".cpp", ".cc", ".cxx")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Compile a C++ program that calls aclnn operators against the laptop's ACL, and run it. The exit code is the "
        "program's, 128 + N where signal N ended it. What a call refuses is printed to stderr."
    )
    parser.add_argument("file", metavar="FILE", type=path, help="the program: one C++ source")
    parser.add_argument("arguments", metavar="ARG", nargs="*", help="arguments of the program")
    parser.add_argument(
        "--op", metavar="OP", action="append", default=[], help=f"an operator beside the library's: {OPERATOR_HELP}"
    )
    add_kernels(parser, "ascendc: the program runs the emulated Ascend C kernels")


def run(args: Namespace) -> int:
    """Compile and run."""
    with interrupts_held_back():
        from ..acl import acl_files, operators_of_program
        from ..writing import write_all

    if args.file.suffix not in SUFFIXES:
        hint = f"its name ends in one of {', '.join(SUFFIXES)}"
        raise Diagnostic("OPW463", f"'{args.file}' is no C++ source", hint=hint)
    text = args.file.read_bytes()
    known = [load(name) for name in (*list_operators(), *args.op)]
    files = acl_files(operators_of_program(text, known), args.backend == "ascendc", args.target, args.sanitize)
    with tempfile.TemporaryDirectory(prefix="opwright-") as name:
        folder = Path(name)
        write_all({folder / path: content for path, content in files.items()})
        with Progress("compiling", args.file.name):
            program = _compile(args, folder)
        return _run(program, args)


def _compile(args: Namespace, folder: Path) -> Path:
    """Compile the program, show its warnings, and return its path."""
    from ..acl import program_command
    from ..codegen.acl.library import SANITIZERS
    from ..codegen.native import find_compiler
    from ..execution import native_faults

    program = folder / "program"
    with native_faults():
        compiler = find_compiler("c++")
    command = program_command(folder, args.file, program, compiler, SANITIZERS[args.sanitize])
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined reference" in line]
        found = "\n".join(lines[:8] or done.stderr.splitlines()[:8])
        hint = "the headers it may include are those that `opwright acl` writes"
        raise Diagnostic("OPW465", f"{args.file.name} does not compile:\n{found}", hint=hint)
    print(done.stderr, end="", file=sys.stderr)
    return program


def _run(program: Path, args: Namespace) -> int:
    """Run the program and return its exit code."""
    environment = {"OPWRIGHT_ACL_LOG": "1", **os.environ, "OPWRIGHT_BACKEND": args.backend}
    sys.stdout.flush()
    code = subprocess.run([program, *args.arguments], check=False, env=environment).returncode
    if code >= 0:
        return code
    print(f"opwright: signal {-code} ended {args.file.name}", file=sys.stderr)
    return 128 - code
