"""`opwright build`: every generated file of an operator for a target."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
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
    files = _below(args.output, package(operator, args.target, Progress("variant")))
    write_all(files)
    print("\n".join(str(path) for path in files))
    return 0


def _below(folder: Path, files: Mapping[str, str]) -> dict[Path, bytes]:
    return {folder / name: text.encode() for name, text in files.items()}
