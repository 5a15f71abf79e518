"""The tool `opwright-opt`: read a module, run passes on it, print it or emit code."""

import argparse
import dataclasses
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from difflib import get_close_matches
from io import BytesIO, StringIO
from pathlib import Path
from typing import IO, ClassVar, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.targets import get_all_targets as get_xdsl_targets
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from .codegen.registry import get_all_targets
from .dialect.diagnostics import Diagnostic
from .dialect.parser import SYNTAX, LocatedFrontend
from .dialect.registry import get_all_dialects
from .passes.registry import get_all_passes
from .refusal import EXIT_CODE, Refusal, bad_command_line, refuse, refusing


class OptMain(xDSLOptMain):
    """xDSL's driver with Opwright's dialects, passes and targets, and with located messages."""

    version_format: ClassVar[str] = "opwright-opt on xDSL {xdsl_version}"

    def __init__(self, args: Sequence[str] | None = None) -> None:
        """Read the command line; that of the process where `args` is None.

        Raises:
            Refusal: OPW003 for bad arguments, unknown passes or targets, and bad options of these.
        """
        self._sources: dict[str, str] = {}
        self._stage = ""
        self._kept_file: _KeptText | None = None
        self._targets: dict[str, Callable[[], type[Target]]] = {"mlir": get_xdsl_targets()["mlir"]} | get_all_targets()
        try:
            super().__init__("Opwright's modular optimizer driver", args)
        except (ValueError, ArgSpecParseError) as error:
            raise bad_command_line(str(error)) from error

    def register_all_dialects(self) -> None:
        """Register Opwright's dialects and the upstream ones it uses."""
        for name, factory in get_all_dialects().items():
            self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        """Register the parser that keeps places."""
        self.available_frontends["mlir"] = lambda: LocatedFrontend

    def register_all_passes(self) -> None:
        """Register Opwright's passes and the upstream ones it uses."""
        for name, factory in get_all_passes().items():
            self.register_pass(name, factory)

    def register_all_targets(self) -> None:
        """Register printing as MLIR and Opwright's emitters."""
        self.available_targets.update(self._targets)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """Add xDSL's arguments, and tell of a bad command line as of all else."""
        arg_parser.error = _refuse_arguments
        super().register_all_arguments(arg_parser)

    def setup_pipeline(self) -> None:
        """Create the pipeline, and check the options of passes, target and frontend before any input is read."""
        for spec in parse_pipeline(self.args.passes):
            self._check_pass(spec)
        super().setup_pipeline()
        inner = self.pipeline.callback
        assert inner is not None

        def callback(previous: ModulePass | None, module: ModuleOp, following: ModulePass | None) -> None:
            self._stage = f"after pass '{previous.name}'" if previous else ""
            inner(previous, module, following)
            self._stage = f"in pass '{following.name}'" if following else ""

        self.pipeline = dataclasses.replace(self.pipeline, callback=callback)
        target = parse_spec(self.args.target)
        _check_options("target", target, self._targets[target.name]())
        self._frontend()

    def _check_pass(self, spec: ArgSpec) -> None:
        if spec.name not in self.available_passes:
            close = get_close_matches(spec.name, self.available_passes, n=1)
            hint = f"did you mean '{close[0]}'?" if close else "opwright-opt --help lists all passes"
            raise bad_command_line(f"unknown pass '{spec.name}'", hint)
        _check_options("pass", spec, self.available_passes[spec.name]())

    def _frontend(self) -> LocatedFrontend:
        return LocatedFrontend.from_spec(parse_spec(self.args.frontend or LocatedFrontend.name))

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        """Open the input, and split it where asked; refuse a file that does not hold MLIR text (OPW003)."""
        try:
            return super().prepare_input()
        except ValueError as error:
            raise bad_command_line(str(error), "opwright-opt reads .mlir files") from error

    def prepare_output(self) -> IO[str]:
        """Return a stream that reaches its file only when the whole run succeeds."""
        if self.args.output_file is None:
            return sys.stdout
        self._kept_file = _KeptText()
        return self._kept_file

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        """Parse one part of the input, whose first line is line `start_offset` + 1 of the file."""
        self._stage = ""
        name = self.get_input_name()
        text = chunk.read()
        self._sources[name] = "\n" * start_offset + text.decode("utf-8", errors="replace")
        frontend = self._frontend()
        implicit = not (self.args.no_implicit_module or frontend.no_implicit_module)
        frontend = dataclasses.replace(frontend, no_implicit_module=not implicit, line_offset=start_offset)
        with self._refusing():
            try:
                return frontend.parse(self.ctx, BytesIO(text), name)
            except Diagnostic as error:
                if not (self.args.parsing_diagnostics and error.code == SYNTAX):
                    raise
                print(error.render(self._sources))
                return None

    def apply_passes(self, prog: ModuleOp) -> None:
        """Apply the pipeline; what it prints between passes goes to stderr, apart from the result."""
        with self._refusing(prog), redirect_stdout(sys.stderr):
            super().apply_passes(prog)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        """Return the module as the target writes it."""
        with self._refusing(prog):
            return super().output_resulting_program(prog)

    @contextmanager
    def _refusing(self, module: ModuleOp | None = None) -> Generator[None]:
        try:
            yield
        except DiagnosticException as error:
            raise refuse(error, module, self._sources, self._stage) from error

    def run(self) -> None:
        """Process the input; write the output file when nothing was refused."""
        super().run()
        if self._kept_file is not None:
            Path(self.args.output_file).write_text(self._kept_file.getvalue(), encoding="utf-8")


class _KeptText(StringIO):
    """Text that can still be read after the driver has closed the stream."""

    def close(self) -> None:
        """Keep the text."""


def _check_options(kind: str, spec: ArgSpec, cls: type[ArgSpecConvertible]) -> None:
    try:
        cls.from_spec(spec)
    except ValueError as error:
        raise bad_command_line(f"{kind} '{spec.name}': {error}") from error


def _refuse_arguments(message: str) -> NoReturn:
    raise bad_command_line(message, "opwright-opt --help lists all arguments")


def _print_all(text: str) -> None:
    """Write to stdout, whose reader may have seen enough."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool and return its exit code: 0, or 2 with one message on stderr and nothing written."""
    printed = StringIO()
    code = 0
    try:
        with refusing(), redirect_stdout(printed):
            OptMain(args).run()
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return EXIT_CODE
    except SystemExit as end:
        code = int(end.code or 0)
    _print_all(printed.getvalue())
    return code
