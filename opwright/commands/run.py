"""`opwright run`: an operator on the arrays of a file."""

import sys
from argparse import ArgumentParser, Namespace

from ..backends import HOST, emitting_backends
from ..interrupts import interrupts_held_back
from ..loading import load
from ..progress import Progress
from ..refusal import bad_command_line
from .arguments import add_backend, add_operator, add_target, path


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Run an operator on the arrays of an npz file, whose keys are the document's parameter names, and write its "
        "outputs to another. bfloat16 arrays are ml_dtypes.bfloat16 as np.savez writes them; optional tensors may be "
        "left out."
    )
    add_operator(parser)
    add_backend(parser)
    add_target(parser)
    parser.add_argument("--in", dest="input", metavar="FILE", required=True, type=path, help="npz file to read")
    parser.add_argument("--out", dest="output", metavar="FILE", required=True, type=path, help="npz file to write")
    parser.add_argument(
        "--attr", metavar="NAME=VALUE", action="append", default=[], help="an attribute; may be repeated"
    )
    parser.add_argument(
        "--cores",
        metavar="N",
        type=int,
        help="cores that share the work (default: what the target has); no result depends on it",
    )
    parser.add_argument(
        "--after",
        metavar="PASS",
        help="run the IR as it stands after this pass, on NumPy arrays; the pipeline is that of --backend and --target "
        "(default: c for cpu, ascendc for a chip)",
    )


def run(args: Namespace) -> int:
    """Read, run and write; what can be refused without the arrays is refused first."""
    with interrupts_held_back():
        from ..arrays import npz_bytes, read_npz
        from ..attribute_text import read_attributes
        from ..compiled import compile_operator
        from ..execution import repeats_of, run_after
        from ..writing import check_place, write_all

    compiled = compile_operator(load(args.operator), _backend(args), args.target, args.cores)
    attrs = read_attributes(compiled.operator.op, args.attr)
    check_place(args.output)
    arrays = read_npz(args.input)
    with Progress("running", f"{compiled.operator.name} with {compiled.engine}"):
        after = args.after
        outputs = compiled.run(arrays, attrs) if after is None else run_after(compiled, after, arrays, attrs)
        repeats = repeats_of(compiled, arrays, attrs)
    for repeat in repeats:
        print(repeat, file=sys.stderr)
    write_all({args.output: npz_bytes(outputs)})
    return 0


def _backend(args: Namespace) -> str:
    """Return the backend; where only a pass is named, the one whose pipeline is the longest for the target."""
    if args.backend is not None:
        return args.backend
    if args.after is None:
        raise bad_command_line("give --backend, or --after", "opwright run --help tells all arguments")
    return emitting_backends(args.target or HOST)[0]
