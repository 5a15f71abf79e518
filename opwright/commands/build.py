"""`opwright build`: every generated file of an operator for a target."""

import gc
from argparse import ArgumentParser, Namespace
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..loading import load
from ..progress import Progress
from .arguments import add_operator, add_target


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Write every generated file for a target: the kernel, tiling header and host tiling for a chip; C and NumPy "
        "for cpu. One folder a variant (dtypes, and which optional tensors are given), and a README.md that says what "
        "is what. Prints the path of each file. The files are written only when all of them could be made."
    )
    add_operator(parser)
    add_target(parser, required=True)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, type=Path, help="the folder to write to")


def run(args: Namespace) -> int:
    """Write the files, and print their paths."""
    from ..package import package
    from ..writing import check_folder, write_all

    operator = load(args.operator)
    check_folder(args.output)
    with _no_collection():
        files = _below(args.output, package(operator, args.target, Progress("variant")))
    write_all(files)
    print("\n".join(str(path) for path in files))
    return 0


@contextmanager
def _no_collection() -> Generator[None]:
    """Leave garbage where it is: looking for it would take a tenth of this short work."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _below(folder: Path, files: Mapping[str, str]) -> dict[Path, bytes]:
    return {folder / name: text.encode() for name, text in files.items()}
