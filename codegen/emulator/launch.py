"""Launch an Ascend C kernel on the emulator."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from ...passes.chips import Chip
from ..native import interruptible
from .kernel_source import kernel_place
from .report import NO_FILE, EmulationReport, parse_report
from .toolchain import compile_kernel

Array = npt.NDArray[Any]
Argument = Array | bytes | None

_MAIN = "opwright_launcher.cpp"

_C_FUNCTIONS = frozenset(
    [
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "ceil",
        "cos",
        "cosh",
        "div",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "floor",
        "fma",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "ldexp",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "modf",
        "pow",
        "rint",
        "round",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ]
)
"""Functions of the C library; a kernel of such a name is compiled under another, as a device has no C library."""


class Role(IntEnum):
    """What the kernel does with an argument. Outputs and the workspace are filled with 0xFF before the run."""

    INPUT = 0
    OUTPUT = 1
    WORKSPACE = 2
    INOUT = 3
    VALUE = 4


class _Argument(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
        ("role", ctypes.c_int32),
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("cores", ctypes.c_int32),
        ("autoSync", ctypes.c_int32),
        ("strict", ctypes.c_int32),
        ("trace", ctypes.c_int32),
        ("tilingKey", ctypes.c_uint64),
        ("maxInstructions", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
    ]


class RunOptions(TypedDict, total=False):
    """How a kernel runs.

    tiling_key: value that TILING_KEY_IS compares with.
    auto_sync: trust the compiler to order V-V, V-S, MTE-S; by default the kernel must do it.
    max_instructions: a core that issues more is stopped with a "budget" finding.
    strict: execute the instructions of the pipes in an order that the seed chooses among all that the kernel's flags,
        barriers and queues allow, and fill memory that nobody has written with its pattern.
    seed: 0 runs the cores in ascending order; others give other orders.
    trace: record every instruction's place on the estimated time line.
    """

    tiling_key: int
    auto_sync: bool
    max_instructions: int
    strict: bool
    seed: int
    trace: bool


_MOST_INSTRUCTIONS = 10_000_000


def _options(cores: int, chosen: RunOptions) -> _Options:
    """Return the C form of the options; where one is not chosen, it is off or 0."""
    switches = (chosen.get("auto_sync", False), chosen.get("strict", False), chosen.get("trace", False))
    most = chosen.get("max_instructions", _MOST_INSTRUCTIONS)
    return _Options(cores, *map(int, switches), chosen.get("tiling_key", 0), most, chosen.get("seed", 0))


@dataclass(frozen=True)
class EmulatedKernel:
    """A kernel ready to run on any number of emulated cores; compiled on first use, cached on disk.

    Attributes:
        sources: file name -> text; files may include one another by name.
        entry: name of the `__global__ __aicore__` function, with its template arguments and namespace if it has some.
        params: names of its parameters, in order.
        chip: the target whose limits are checked.
        main: the source that holds the entry; needed only if there are several sources.
        flags: more flags of the compiler, such as -DNAME=VALUE.
        include_dirs: more folders of headers.
    """

    sources: Mapping[str, str] = field(hash=False)
    entry: str
    params: Sequence[str] = field(hash=False)
    chip: Chip
    main: str = ""
    flags: Sequence[str] = field(default=(), hash=False)
    include_dirs: Sequence[Path] = field(default=(), hash=False)

    def run(
        self,
        args: Sequence[Argument],
        cores: int,
        *,
        roles: Mapping[str, Role] | None = None,
        **options: Unpack[RunOptions],
    ) -> EmulationReport:
        """Run the kernel and return what the checks found.

        Args:
            args: one a parameter. Bytes and read-only arrays are inputs; a writable C-contiguous array is an output
                (the parameter named "workspace": the workspace) and is overwritten, also where the kernel writes
                nothing; None passes a null address. A parameter that is no address takes its bytes.
            cores: number of vector cores (blocks).
            roles: parameter name -> role, where the default above is not meant.
            options: see `RunOptions`.

        Raises:
            ValueError: wrong number of arguments, a non-contiguous array, a role that a value cannot have, or a value
                whose size is not the parameter's.
            CompilerMissing, CompileError: see `compile_kernel`.
        """
        if len(args) != len(self.params):
            raise ValueError(f"{self.entry} has {len(self.params)} parameters, {len(args)} arguments given")
        if cores < 1:
            raise ValueError(f"cores must be at least 1, not {cores}")
        sizes = self.parameter_bytes
        packed = [
            _pack(name, arg, (roles or {}).get(name)) if size == 0 else _value(name, arg, size)
            for name, arg, size in zip(self.params, args, sizes, strict=True)
        ]
        answer = self._launch((_Argument * len(packed))(*packed), _options(cores, options))
        return self._placed(parse_report(answer, self.chip))

    def _placed(self, report: EmulationReport) -> EmulationReport:
        """Return the report with the kernel function as the place of what has none in it."""
        if all(finding.file != NO_FILE for finding in report.findings):
            return report
        place = kernel_place(self.sources, self.entry)
        if place is None:
            return report
        file, line = place
        findings = (replace(f, file=file, line=line) if f.file == NO_FILE else f for f in report.findings)
        return replace(report, findings=tuple(findings))

    @cached_property
    def parameter_bytes(self) -> tuple[int, ...]:
        """The size of each parameter that is passed by value; 0 for an address. Compiles the kernel.

        Raises:
            ValueError: `params` does not name as many parameters as the kernel has.
            CompilerMissing, CompileError: see `compile_kernel`.
        """
        count = self._library.opwright_parameter_bytes(-1)
        if count != len(self.params):
            raise ValueError(f"{self.entry} has {count} parameters, not {len(self.params)}")
        return tuple(self._library.opwright_parameter_bytes(index) for index in range(count))

    def _launch(self, arguments: "ctypes.Array[_Argument]", options: _Options) -> str:
        library = self._library
        answer = interruptible(lambda: library.opwright_run(arguments, len(arguments), ctypes.byref(options)))
        if answer is None:
            raise MemoryError("the emulator ran out of memory")
        text = ctypes.string_at(answer).decode()
        library.opwright_release(answer)
        return text

    @cached_property
    def _library(self) -> ctypes.CDLL:
        sources = {**self.sources, _MAIN: self._launcher()}
        path = compile_kernel(sources, _MAIN, self.chip, flags=self.flags, include_dirs=self.include_dirs)
        library = ctypes.CDLL(str(path))
        library.opwright_run.restype = ctypes.c_void_p
        library.opwright_run.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        library.opwright_parameter_bytes.restype = ctypes.c_int64
        library.opwright_parameter_bytes.argtypes = [ctypes.c_int64]
        library.opwright_release.argtypes = [ctypes.c_void_p]
        library.opwright_release.restype = None
        return library

    def _launcher(self) -> str:
        """Return the C++ source that exports the entry to the host."""
        main = self.main or next(iter(self.sources))
        renamed = f"#define {self.entry} opwright_{self.entry}\n" if self.entry in _C_FUNCTIONS else ""
        return (
            f'{renamed}#include "{main}"\n'
            '#define OPWRIGHT_EXPORT extern "C" __attribute__((visibility("default")))\n'
            f"using OpwrightKernel = emu::Parameters<decltype(&{self.entry})>;\n"
            "OPWRIGHT_EXPORT char* opwright_run(const emu::HostArgument* arguments, size_t count,\n"
            "                                   const emu::HostOptions* options) {\n"
            "    return emu::launch(arguments, count, *options,\n"
            f"                       [](uint8_t* const* a) {{ OpwrightKernel::call(&{self.entry}, a); }});\n"
            "}\n"
            "OPWRIGHT_EXPORT int64_t opwright_parameter_bytes(int64_t index) {\n"
            "    return index < 0 ? int64_t{OpwrightKernel::count} : OpwrightKernel::bytes(index);\n"
            "}\n"
            "OPWRIGHT_EXPORT void opwright_release(char* answer) { free(answer); }\n"
        )


def _value(name: str, arg: Argument, size: int) -> _Argument:
    """Return the C form of an argument passed by value; it borrows the argument's memory."""
    if isinstance(arg, bytes):
        place, given = ctypes.cast(ctypes.c_char_p(arg), ctypes.c_void_p), len(arg)
    else:
        place, given = (None, 0) if arg is None else (arg.ctypes.data, arg.nbytes)
    if given != size:
        raise ValueError(f"parameter '{name}' is a value of {size} bytes, the argument has {given}")
    return _Argument(name.encode(), place, size, Role.VALUE)


def _pack(name: str, arg: Argument, role: Role | None) -> _Argument:
    """Return the C form of an argument; it borrows the argument's memory."""
    encoded = name.encode()
    if arg is None:
        return _Argument(encoded, None, 0, Role.INPUT)
    if isinstance(arg, bytes):
        if role not in (None, Role.INPUT):
            raise ValueError(f"argument '{name}' is immutable bytes and cannot be {role.name.lower()}")
        return _Argument(encoded, ctypes.cast(ctypes.c_char_p(arg or b"\0"), ctypes.c_void_p), len(arg), Role.INPUT)
    if not arg.flags.c_contiguous:
        raise ValueError(f"argument '{name}' is not C-contiguous")
    chosen = _default_role(name, arg) if role is None else role
    if chosen != Role.INPUT and not arg.flags.writeable:
        raise ValueError(f"argument '{name}' is read-only and cannot be {chosen.name.lower()}")
    return _Argument(encoded, arg.ctypes.data, arg.nbytes, chosen)


def _default_role(name: str, arg: Array) -> Role:
    if not arg.flags.writeable:
        return Role.INPUT
    return Role.WORKSPACE if name == "workspace" else Role.OUTPUT


def read_only(array: Array) -> Array:
    """Return a read-only C-contiguous view or copy of an array: the form of an input argument."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
