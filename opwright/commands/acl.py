"""`opwright acl`: headers and a library with which programs for aclnn operators run on this machine."""

from argparse import ArgumentParser, Namespace

from ..backends import targets_of
from ..interrupts import interrupts_held_back
from ..loading import list_operators, load
from .arguments import OPERATOR_HELP, path

KERNELS = ("c", "ascendc")
"""The backends whose kernels the library can hold."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Write DIR/include and DIR/lib, with which C++ programs for aclnn operators compile and run on this machine, "
        "unmodified: g++ program.cpp -IDIR/include -IDIR/include/aclnn -LDIR/lib -lopwright_acl -Wl,-rpath,DIR/lib. "
        "The names of CANN's libraries link as well. Put operators before the options."
    )
    help_text = f"{OPERATOR_HELP} (default: the whole library)"
    parser.add_argument("operators", metavar="OP", nargs="*", help=help_text)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, type=path, help="the folder to write to")
    add_kernels(
        parser, "ascendc: the library also holds the emulated Ascend C kernels, OPWRIGHT_BACKEND=ascendc runs them"
    )


def add_kernels(parser: ArgumentParser, meaning: str) -> None:
    """Declare which kernels a library holds, and how it is compiled."""
    parser.add_argument("--backend", metavar="B", choices=KERNELS, default="c", help=f"c (default) or {meaning}")
    chips = targets_of("ascendc")
    parser.add_argument("--target", metavar="T", choices=chips, help=f"the emulated chip: {', '.join(chips)}")
    sanitizers = ("address", "thread", "valgrind")
    parser.add_argument(
        "--sanitize",
        metavar="S",
        choices=sanitizers,
        default="",
        help="compile for a checker: address (and undefined behaviour) or thread, with which programs must be compiled "
        "as well; valgrind",
    )


def run(args: Namespace) -> int:
    """Write the files, and print their paths."""
    with interrupts_held_back():
        from ..acl import acl_files
        from ..writing import check_folder, write_all

    operators = [load(name) for name in args.operators or list_operators()]
    check_folder(args.output)
    files = acl_files(operators, args.backend == "ascendc", args.target, args.sanitize)
    write_all({args.output / name: content for name, content in files.items()})
    print("\n".join(str(args.output / name) for name in files))
    return 0
