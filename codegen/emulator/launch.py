"""Launch an Ascend C kernel on the emulator."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...passes.chips import Chip
from .report import EmulationReport, parse_report
from .toolchain import compile_kernel

Array = npt.NDArray[Any]
Argument = Array | bytes | None

_MAIN = "opwright_launcher.cpp"


class Role(IntEnum):
    """What the kernel does with an argument. Outputs and the workspace are filled with 0xFF before the run."""

    INPUT = 0
    OUTPUT = 1
    WORKSPACE = 2
    INOUT = 3


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
        ("tilingKey", ctypes.c_uint64),
        ("maxInstructions", ctypes.c_uint64),
        ("orderSeed", ctypes.c_uint64),
    ]


@dataclass(frozen=True)
class EmulatedKernel:
    """A kernel ready to run on any number of emulated cores; compiled on first use, cached on disk.

    Attributes:
        sources: file name -> text; files may include one another by name.
        entry: name of the `extern "C" __global__ __aicore__` function.
        params: names of its GM_ADDR parameters, in order.
        chip: the target whose limits are checked.
        main: the source that holds the entry; needed only if there are several sources.
    """

    sources: Mapping[str, str] = field(hash=False)
    entry: str
    params: Sequence[str] = field(hash=False)
    chip: Chip
    main: str = ""

    def run(
        self,
        args: Sequence[Argument],
        cores: int,
        *,
        roles: Mapping[str, Role] | None = None,
        tiling_key: int = 0,
        auto_sync: bool = False,
        max_instructions: int = 10_000_000,
        order_seed: int = 0,
    ) -> EmulationReport:
        """Run the kernel and return what the checks found.

        Args:
            args: one a parameter. Bytes and read-only arrays are inputs; a writable C-contiguous array is an output
                (the parameter named "workspace": the workspace) and is overwritten, also where the kernel writes
                nothing; None passes a null address.
            cores: number of vector cores (blocks).
            roles: parameter name -> role, where the default above is not meant.
            tiling_key: value that TILING_KEY_IS compares with.
            auto_sync: trust the compiler to order V-V, V-S, MTE-S; by default the kernel must do it.
            max_instructions: a core that issues more is stopped with a "budget" finding.
            order_seed: 0 runs the cores in ascending order; others give other orders.

        Raises:
            ValueError: wrong number of arguments, a non-contiguous array, or a role that a value cannot have.
            CompilerMissing, CompileError: see `compile_kernel`.
        """
        if len(args) != len(self.params):
            raise ValueError(f"{self.entry} has {len(self.params)} parameters, {len(args)} arguments given")
        if cores < 1:
            raise ValueError(f"cores must be at least 1, not {cores}")
        packed = [_pack(name, arg, (roles or {}).get(name)) for name, arg in zip(self.params, args, strict=True)]
        options = _Options(cores, int(auto_sync), tiling_key, max_instructions, order_seed)
        return parse_report(self._launch((_Argument * len(packed))(*packed), options))

    def _launch(self, arguments: "ctypes.Array[_Argument]", options: _Options) -> str:
        library = self._library
        answer = library.opwright_run(arguments, len(arguments), ctypes.byref(options))
        if answer is None:
            raise MemoryError("the emulator ran out of memory")
        text = ctypes.string_at(answer).decode()
        library.opwright_release(answer)
        return text

    @cached_property
    def _library(self) -> ctypes.CDLL:
        library = ctypes.CDLL(str(compile_kernel({**self.sources, _MAIN: self._launcher()}, _MAIN, self.chip)))
        library.opwright_run.restype = ctypes.c_void_p
        library.opwright_run.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        library.opwright_release.argtypes = [ctypes.c_void_p]
        library.opwright_release.restype = None
        return library

    def _launcher(self) -> str:
        """Return the C++ source that exports the entry to the host."""
        main = self.main or next(iter(self.sources))
        addresses = ", ".join(f"a[{i}]" for i in range(len(self.params)))
        return (
            f'#include "{main}"\n'
            '#define OPWRIGHT_EXPORT extern "C" __attribute__((visibility("default")))\n'
            "OPWRIGHT_EXPORT char* opwright_run(const emu::HostArgument* arguments, size_t count,\n"
            "                                   const emu::HostOptions* options) {\n"
            "    return emu::launch(arguments, count, *options,\n"
            f"                       [](uint8_t* const* a) {{ {self.entry}({addresses}); }});\n"
            "}\n"
            "OPWRIGHT_EXPORT void opwright_release(char* answer) { free(answer); }\n"
        )


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
