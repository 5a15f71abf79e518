"""The command line `opwright`."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

COMMANDS = {
    "list": "print the operators of the library",
    "show": "print an operator's parameters, dtypes, constraints and equations",
    "build": "write every generated file of an operator for a target",
    "run": "run an operator on the arrays of an npz file",
    "emulate": "run an Ascend C kernel on emulated cores and check it; exit code 3 if it breaks a rule",
    "verify": "compare every backend with the reference on random cases; exit code 1 on a mismatch",
    "acl": "write headers and a library with which C++ programs for aclnn operators run on this machine",
    "run-example": "compile and run a C++ program for aclnn operators on this machine",
}
"""What each module of commands/ does."""

REFUSED = 2
"""The exit code with a diagnostic."""

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

DESCRIPTION = "Compile operator specifications to Ascend C kernels with host tiling, and prove them on this machine."


class Command(Protocol):
    """A module of commands/."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it, and return the exit code."""
        ...


class Parser(argparse.ArgumentParser):
    """A parser that refuses with a diagnostic."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line (OPW003)."""
        from .refusal import bad_command_line

        raise bad_command_line(message, f"{self.prog} --help tells all arguments")


def _command(name: str) -> Command:
    return cast("Command", import_module(f".commands.{name.replace('-', '_')}", __package__))


def _parse(args: Sequence[str]) -> argparse.Namespace:
    parser = Parser("opwright", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, does in COMMANDS.items():
        inner = commands.add_parser(name, help=does, description=f"{does.capitalize()}.")
        if name in args:
            _command(name).add_arguments(inner)
    return parser.parse_args(args)


def _version() -> str:
    from importlib.metadata import version

    return f"opwright {version('opwright')}"


def main(args: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code.

    0 done; 1 a mismatch that verify found; 2 refused, with one message on stderr and nothing written; 130 interrupted.
    """
    try:
        return _main(sys.argv[1:] if args is None else args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:
        return int(end.code or 0)


def _main(args: Sequence[str]) -> int:
    """Run a command; what takes long to import is imported here, where Ctrl-C is caught."""
    from .refusal import Refusal, refusing

    try:
        with refusing():
            return _run(args)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return REFUSED


def _run(args: Sequence[str]) -> int:
    """Run a command; a reader that closes the pipe early ends it quietly."""
    try:
        parsed = _parse(args)
        code = _command(parsed.command).run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
