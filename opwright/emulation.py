"""Run a hand-written Ascend C kernel on the emulator."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from .codegen.emulator.compile_errors import KernelError, kernel_errors
from .codegen.emulator.figures import Figures
from .codegen.emulator.kernel_source import KernelSignature, device_text, find_kernels
from .codegen.emulator.launch import EmulatedKernel, Role
from .codegen.emulator.report import EmulationReport, Finding
from .codegen.native import CompileError, CompilerMissing
from .dialect.diagnostics import Diagnostic, Location
from .emulation_arguments import Given, Prepared, prepare
from .outputs import Outputs
from .passes.chips import CHIPS, Chip

_TEXT_NAME = "kernel.cpp"
_MAIN = "opwright_sources.h"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_MOST_CORES = 4096


@dataclass(frozen=True)
class Emulation:
    """What a run left behind.

    Attributes:
        outputs: outputs and tensors that are read and written, by the names of the arguments.
        report: the findings, and the figures of the run.
    """

    outputs: Outputs
    report: EmulationReport

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks found, in order of first appearance."""
        return self.report.findings

    @property
    def figures(self) -> Figures:
        """Instructions, bytes, and estimated times."""
        return self.report.figures

    @property
    def output(self) -> str:
        """What the kernel has printed."""
        return self.report.output

    @property
    def clean(self) -> bool:
        """Whether nothing was found but warnings."""
        return self.report.clean


class Options(TypedDict, total=False):
    """What `opwright.emulate` takes beside the kernel, its arguments, the target and the cores; see `Settings`."""

    strict: bool
    seed: int
    tiling_key: int
    auto_sync: bool
    trace: bool
    include_dirs: Sequence[str | Path]
    defines: Sequence[str]


@dataclass(frozen=True)
class Settings:
    """How a kernel is compiled and run.

    Attributes:
        target: a chip.
        cores: the number of cores; None for as many as the target has.
        strict: execute the pipes in adversarial legal orders.
        seed: chooses the order of cores, and of instructions in strict mode.
        tiling_key: what TILING_KEY_IS compares with.
        auto_sync: trust the compiler to order V-V, V-S and MTE-S.
        trace: record the place of every instruction on the estimated time line.
        include_dirs: more folders of headers; that of each source is among them.
        defines: macros, NAME or NAME=VALUE.
    """

    target: str
    cores: int | None = None
    strict: bool = False
    seed: int = 0
    tiling_key: int = 0
    auto_sync: bool = False
    trace: bool = False
    include_dirs: Sequence[str | Path] = ()
    defines: Sequence[str] = ()


@dataclass(frozen=True)
class KernelFiles:
    """The sources of a kernel: name, as findings show it, and text."""

    texts: Mapping[str, str]
    folders: tuple[Path, ...] = ()

    @staticmethod
    def read(source: "str | Path | Iterable[str | Path]") -> "KernelFiles":
        """Return source text, or the files of paths.

        Raises:
            OSError: a file cannot be read.
            Diagnostic: OPW024, a file is not text.
        """
        if isinstance(source, str) and "\n" in source:
            return KernelFiles({_TEXT_NAME: source})
        paths = [Path(source)] if isinstance(source, str | Path) else [Path(path) for path in source]
        folders = tuple(dict.fromkeys(path.parent for path in paths))
        return KernelFiles({str(path): _read(path) for path in paths}, folders)

    def choose(self, wanted: str | None) -> tuple[str, KernelSignature]:
        """Return a kernel and how C++ names it: the one of that name, else the only one.

        Raises:
            Diagnostic: OPW020, there is no such kernel, or there are several.
        """
        kernels = [kernel for text in self.texts.values() for kernel in find_kernels(text)]
        listed = ", ".join(kernel.name for kernel in kernels)
        where = ", ".join(self.texts)
        base, bracket, rest = (wanted or "").partition("<")
        found = [k for k in kernels if not base or base in (k.name, k.name.rpartition("::")[2])]
        if not kernels:
            hint = "a kernel is a function with __global__ and __aicore__"
            raise Diagnostic("OPW020", f"no kernel in {where}", hint=hint)
        if not found:
            raise Diagnostic("OPW020", f"no kernel '{base}' in {where}", hint=f"kernels: {listed}")
        if len(found) > 1:
            raise Diagnostic("OPW020", f"{len(found)} kernels in {where}", hint=f"choose one of {listed}")
        if found[0].templated and not bracket:
            hint = f"as in '{found[0].name}<float>'"
            raise Diagnostic("OPW020", f"kernel '{found[0].name}' needs template arguments", hint=hint)
        return found[0].name + bracket + rest, found[0]

    def compiled(self, entry: str, params: Sequence[str], chip: Chip, settings: Settings) -> EmulatedKernel:
        """Return the kernel, to be compiled on first use; its lines keep their names and numbers."""
        copies = {f"{n}/{Path(name).name}": (name, text) for n, (name, text) in enumerate(self.texts.items())}
        sources = {copy: f'#line 1 "{name}"\n{device_text(text)}' for copy, (name, text) in copies.items()}
        sources[_MAIN] = "".join(f'#include "{copy}"\n' for copy in copies)
        flags = [f"-D{definition}" for definition in settings.defines]
        folders = (*self.folders, *map(Path, settings.include_dirs))
        return EmulatedKernel(sources, entry, params, chip, _MAIN, flags, folders)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Diagnostic("OPW024", f"'{path}' is no source text: {error.reason}") from error


def run_kernel(
    files: KernelFiles, kernel: str | None, arguments: Sequence[tuple[str, Given]], settings: Settings
) -> Emulation:
    """Compile a kernel, run it, and return outputs and findings.

    Args:
        files: the sources.
        kernel: its name, with template arguments if it has some; not needed where there is only one.
        arguments: names and values, in the order of the kernel's parameters.
        settings: target, cores and the rest.

    Raises:
        Diagnostic: OPW010, OPW013 and OPW020 to OPW026 wrong use; OPW025 the kernel does not compile; OPW450 no
            compiler; OPW452 not enough memory.
        OSError: a file cannot be read.
    """
    chip, cores = _chip(settings.target), _cores(settings)
    entry, signature = files.choose(kernel)
    _check_names(signature, [name for name, _ in arguments])
    compiled = files.compiled(entry, signature.params, chip, settings)
    prepared = _prepared(compiled, files, arguments)
    report = _run(compiled, prepared, cores, settings)
    named = zip(arguments, prepared, strict=True)
    return Emulation(Outputs({name: made.result for (name, _), made in named if made.result is not None}), report)


def _chip(target: str) -> Chip:
    chips = [name for name, chip in CHIPS.items() if chip.staged]
    if target not in chips:
        raise Diagnostic("OPW010", f"no target '{target}' to emulate", hint=f"targets: {', '.join(chips)}")
    return CHIPS[target]


def _cores(settings: Settings) -> int:
    cores = CHIPS[settings.target].cores if settings.cores is None else settings.cores
    if not 1 <= cores <= _MOST_CORES:
        raise Diagnostic("OPW013", f"the number of cores is {cores}, it must be from 1 to {_MOST_CORES}")
    if min(settings.seed, settings.tiling_key) < 0 or max(settings.seed, settings.tiling_key) >= 1 << 64:
        raise Diagnostic("OPW013", "seed and tiling key are from 0 to 2^64 - 1")
    return cores


def _check_names(kernel: KernelSignature, names: Sequence[str]) -> None:
    """Refuse a wrong number of arguments, and names that stand at another parameter's place."""
    takes = f"{kernel.name}({', '.join(kernel.params)})"
    if len(names) != len(kernel.params):
        message = f"kernel '{kernel.name}' has {len(kernel.params)} parameters, {len(names)} arguments are given"
        raise Diagnostic("OPW026", message, hint=f"give one for each, in order: {takes}")
    for name in names:
        if not _NAME.fullmatch(name):
            raise Diagnostic("OPW026", f"'{name}' is no name of an argument", hint="a name is a C++ identifier")
    for place, (name, param) in enumerate(zip(names, kernel.params, strict=True), 1):
        if name != param and name in kernel.params:
            message = f"argument {place} is '{name}', but parameter {place} is '{param}'"
            raise Diagnostic("OPW026", message, hint=f"arguments stand in the order of {takes}")
    if len(set(names)) != len(names):
        raise Diagnostic("OPW026", "two arguments have one name")


def _prepared(kernel: EmulatedKernel, files: KernelFiles, arguments: Sequence[tuple[str, Given]]) -> list[Prepared]:
    """Compile the kernel, and bring the arguments to the form that its parameters have."""
    try:
        sizes = kernel.parameter_bytes
    except CompilerMissing as error:
        raise Diagnostic("OPW450", str(error), hint="the emulator compiles kernels with it") from error
    except CompileError as error:
        raise _compile_diagnostic(error, frozenset(files.texts), kernel.chip) from error
    return [prepare(name, given, size) for (name, given), size in zip(arguments, sizes, strict=True)]


def _compile_diagnostic(error: CompileError, own: frozenset[str], chip: Chip) -> Diagnostic:
    errors: Sequence[KernelError] = kernel_errors(error.output, own)
    if not errors:
        return Diagnostic("OPW025", f"the kernel does not compile for {chip.name}", hint="\n".join(error.errors))
    first, *rest = errors
    place = Location(first.file, first.line, first.column)
    hint = "\n".join((f"the kernel does not compile for {chip.name}", *map(str, rest[:7])))
    return Diagnostic("OPW025", first.text, place, hint)


def _run(kernel: EmulatedKernel, prepared: Sequence[Prepared], cores: int, settings: Settings) -> EmulationReport:
    roles = {name: made.role for name, made in zip(kernel.params, prepared, strict=True) if isinstance(made.role, Role)}
    try:
        return kernel.run(
            [made.argument for made in prepared],
            cores,
            roles=roles,
            tiling_key=settings.tiling_key,
            auto_sync=settings.auto_sync,
            strict=settings.strict,
            seed=settings.seed,
            trace=settings.trace,
        )
    except MemoryError as error:
        raise Diagnostic("OPW452", str(error) or "not enough memory") from error
