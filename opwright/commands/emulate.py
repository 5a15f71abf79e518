"""`opwright emulate`: a hand-written Ascend C kernel on emulated cores."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..execution import native_faults
from ..interrupts import interrupts_held_back
from ..passes.chips import CHIPS
from ..progress import Progress
from ..refusal import bad_command_line
from .arguments import path

if TYPE_CHECKING:
    from ..emulation import Emulation

FOUND = 3
"""The exit code when the kernel breaks a rule."""

ARGUMENTS = """\
arguments, in the order of the kernel's parameters:
  -a x=FILE.npy           an input tensor
  -a z=float16[8,2048]    an output, saved as DIR/z.npy
  -a y=inout:FILE.npy     a tensor that is read and written, saved as DIR/y.npy
  -a n=uint32:4096        a scalar, passed by value
  -a tiling=@FILE.bin     raw bytes: the address of a copy, or a struct passed by value
  -a ws=workspace:BYTES   scratch memory
  -a mask=null            a null address
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    from argparse import RawDescriptionHelpFormatter

    chips = _targets()
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = (
        "Run an Ascend C kernel on emulated vector cores and check every rule that can be seen at run time.\n"
        "Exit code 0: clean; 3: findings; 2: wrong use, or a kernel that does not compile."
    )
    parser.epilog = ARGUMENTS
    parser.add_argument(
        "sources", metavar="FILE", nargs="*", help="the kernel's source; with several files, all of them"
    )
    parser.add_argument(
        "--kernel", metavar="NAME", help="which kernel, as in add or scale<float, 64> (default: the only one)"
    )
    parser.add_argument("--target", metavar="T", choices=chips, help=f"one of {', '.join(chips)}")
    parser.add_argument("--cores", metavar="N", type=int, help="number of vector cores (default: what the target has)")
    parser.add_argument("-a", dest="args", metavar="NAME=VALUE", action="append", default=[], help="see below")
    parser.add_argument("-o", dest="output", metavar="DIR", type=path, help="folder of the outputs")
    parser.add_argument("--strict", action="store_true", help="execute pipes in adversarial legal orders")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="chooses these orders, and that of the cores")
    parser.add_argument("--tiling-key", metavar="K", type=int, default=0, help="what TILING_KEY_IS compares with")
    parser.add_argument("--auto-sync", action="store_true", help="trust the compiler's automatic V-V, V-S, MTE-S order")
    parser.add_argument(
        "-I", dest="include_dirs", metavar="DIR", action="append", default=[], type=path, help="headers"
    )
    parser.add_argument("-D", dest="defines", metavar="NAME[=VALUE]", action="append", default=[], help="a macro")
    parser.add_argument("--trace", metavar="FILE", type=path, help="write a time line for chrome://tracing or Perfetto")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.add_argument("--include", action="store_true", help="print the folder of the emulator's headers, and end")
    parser.add_argument("--choices", action="store_true", help="print what the emulator does where sources are unclear")


def run(args: Namespace) -> int:
    """Run the kernel, write its outputs, and print what was found."""
    if args.choices or args.include:
        print(_choices() if args.choices else _include(args.target))
        return 0
    _require(args)
    emulation = _emulate(args)
    _write(args, emulation)
    print(_json(args, emulation) if args.json else _text(emulation))
    return 0 if emulation.clean else FOUND


def _choices() -> str:
    from ..codegen.emulator.choices import CHOICES
    from ..tables import format_table

    return format_table(("key", "API", "choice", "why"), [(c.key, c.api, c.choice, c.source) for c in CHOICES])


def _include(target: str | None) -> str:
    """Return the folder of the headers for a target; all targets have the same headers but for the chip's own."""
    from ..codegen.emulator.toolchain import prefix_dir

    with native_faults():
        return str(prefix_dir(CHIPS[target or _targets()[0]]))


def _targets() -> tuple[str, ...]:
    return tuple(name for name, chip in CHIPS.items() if chip.staged)


def _require(args: Namespace) -> None:
    hint = "opwright emulate --help tells all arguments"
    if args.target is None:
        raise bad_command_line("the following arguments are required: --target", hint)
    if not args.sources:
        raise bad_command_line("the following arguments are required: FILE", hint)
    for text in args.args:
        if "=" not in text:
            raise bad_command_line(f"argument -a: '{text}' has no '='", "-a name=value")


def _emulate(args: Namespace) -> Emulation:
    with interrupts_held_back():
        from ..emulation import KernelFiles, Settings, run_kernel
        from ..writing import check_folder

    if args.output is not None:
        check_folder(args.output)
    settings = Settings(
        target=args.target,
        cores=args.cores,
        strict=args.strict,
        seed=args.seed,
        tiling_key=args.tiling_key,
        auto_sync=args.auto_sync,
        trace=args.trace is not None,
        include_dirs=args.include_dirs,
        defines=args.defines,
    )
    arguments = [(name, value) for name, _, value in (text.partition("=") for text in args.args)]
    with Progress("emulating", " ".join(args.sources)):
        return run_kernel(KernelFiles.read(args.sources), args.kernel, arguments, settings)


def _places(args: Namespace, emulation: Emulation) -> dict[str, Path]:
    return {name: args.output / f"{name}.npy" for name in emulation.outputs} if args.output is not None else {}


def _write(args: Namespace, emulation: Emulation) -> None:
    from ..arrays import npy_bytes
    from ..writing import write_all

    files = {path: npy_bytes(emulation.outputs[name]) for name, path in _places(args, emulation).items()}
    if args.trace is not None:
        files[args.trace] = json.dumps(emulation.figures.trace_events()).encode()
    write_all(files)


def _text(emulation: Emulation) -> str:
    from ..figures_text import format_figures

    printed = [emulation.output.rstrip("\n")] if emulation.output else []
    return "\n\n".join((*printed, str(emulation.report), format_figures(emulation.figures)))


def _json(args: Namespace, emulation: Emulation) -> str:
    plain = {
        "clean": emulation.clean,
        "findings": [finding.plain() for finding in emulation.findings],
        "output": emulation.output,
        "outputs": {name: str(path) for name, path in _places(args, emulation).items()},
        "figures": emulation.figures.plain(),
    }
    return json.dumps(plain, indent=2)
