"""`opwright build`: every generated file of operators for a target."""

import gc
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..backends import HOST, targets_of
from ..loading import Operator, load
from ..passes.chips import CHIPS
from ..progress import Progress
from ..refusal import bad_command_line
from .arguments import OPERATOR_HELP, path, targets_text

PROJECT, LAUNCH = "project", "launch"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Write every generated file: for chips an operator project that CANN builds (definition, tiling, kernels, "
        "aclnn functions, example programs), for cpu the kernels as C and NumPy, one folder a variant. README.md says "
        "what is what. Prints the path of each file. The files are written only when all of them could be made."
    )
    parser.add_argument("operators", metavar="OP", nargs="+", help=OPERATOR_HELP)
    help_text = f"one of the targets, or several chips with commas between them; {targets_text()}"
    parser.add_argument("--target", metavar="T[,T...]", required=True, type=_targets, help=help_text)
    parser.add_argument(
        "--layout",
        choices=(PROJECT, LAUNCH),
        default=PROJECT,
        help="for chips: project (default), or launch: one file a kernel with its tiling function and a host function "
        "that launches it",
    )
    parser.add_argument("-o", "--output", metavar="DIR", required=True, type=path, help="the folder to write to")


def _targets(text: str) -> tuple[str, ...]:
    """Return the targets of a list, each once; refuses unknown ones, and the host beside chips."""
    targets = tuple(dict.fromkeys(text.split(",")))
    for target in targets:
        if target not in CHIPS:
            raise ArgumentTypeError(f"there is no target '{target}' (targets: {', '.join(CHIPS)})")
    if HOST in targets and len(targets) > 1:
        raise ArgumentTypeError(f"{HOST} stands alone (chips: {', '.join(targets_of('ascendc'))})")
    return targets


def run(args: Namespace) -> int:
    """Write the files, and print their paths."""
    from ..writing import check_folder, write_all

    operators = [load(name) for name in args.operators]
    check_folder(args.output)
    with _no_collection():
        files = _below(args.output, _files(operators, args.target, args.layout))
    write_all(files)
    print("\n".join(str(path) for path in files))
    return 0


def _files(operators: list[Operator], targets: tuple[str, ...], layout: str) -> dict[str, str]:
    """Return the text of each file by its path below the output folder."""
    progress = Progress("variant")
    if HOST not in targets:
        from ..project import build_project, launch_files

        build = build_project if layout == PROJECT else launch_files
        return build(operators, targets, progress)
    from ..package import package

    if layout != PROJECT:
        raise bad_command_line(f"--layout {layout} is for chips", f"chips: {', '.join(targets_of('ascendc'))}")
    if len(operators) > 1:
        raise bad_command_line(f"--target {HOST} takes one operator", "build each into a folder of its own")
    return package(operators[0], progress)


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
