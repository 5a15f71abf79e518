"""Arguments that several commands share."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from ..backends import BACKENDS
from ..passes.chips import CHIPS

OPERATOR_HELP = (
    "a name from `opwright list`, or a path to a spec: file.py, file.mlir, or file.py:Name where it has several"
)


def path(text: str) -> Path:
    """Return a path of the command line; refuses the empty one, which an unset variable of a shell gives."""
    if not text:
        raise ArgumentTypeError("a path is not empty")
    return Path(text)


def add_operator(parser: ArgumentParser) -> None:
    """Declare the operator, one."""
    parser.add_argument("operator", metavar="OP", help=OPERATOR_HELP)


def add_target(parser: ArgumentParser) -> None:
    """Declare the target, one."""
    parser.add_argument("--target", metavar="T", choices=tuple(CHIPS), help=targets_text())


def targets_text() -> str:
    """Return what each target stands for."""
    return "; ".join(f"{chip.name}: {chip.products}" for chip in CHIPS.values())


def add_backend(parser: ArgumentParser, meaning: str = "ascendc runs on an emulator, not on a chip") -> None:
    """Declare the backend, one."""
    parser.add_argument("--backend", metavar="B", choices=BACKENDS, help=f"one of {', '.join(BACKENDS)}; {meaning}")
