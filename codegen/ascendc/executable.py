"""Compile a lowered module for the emulator: the host's tiling function natively, the kernel on emulated cores."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...dialect.diagnostics import Diagnostic, Location
from ...dialect.tile.kernel import INPUT, OUTPUT
from ...passes.chips import Chip
from ..dtypes import Array
from ..emulator.launch import EmulatedKernel, read_only
from ..emulator.report import EmulationReport
from ..executable import KernelInterface
from ..native import compile_shared
from .emitter import emit
from .tiling import TilingData, header_name

HOST_MAIN = "tiling_main.cpp"

HOST_TEXT = """\
#include "{source}"

extern "C" const char *opwright_tiling(const int64_t *arguments, int64_t *words, int64_t *workspaceBytes)
{{
    return {function}({arguments}, reinterpret_cast<{data} *>(words), workspaceBytes);
}}
"""
"""The host's source with an entry that takes its arguments as an array."""


@dataclass(frozen=True)
class Launch:
    """What a tiling function says.

    Attributes:
        words: the tiling data.
        workspace_bytes: the size of the workspace.
    """

    words: Array
    workspace_bytes: int


@dataclass(frozen=True)
class AscendcExecutable:
    """A kernel on the emulator, with its host tiling.

    Attributes:
        sources: the emitted files by name.
        interface: the kernel's arguments.
        data: the tiling data.
        chip: the target.
    """

    sources: Mapping[str, str]
    interface: KernelInterface
    data: TilingData
    chip: Chip

    def run(self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int) -> dict[str, Array]:
        """Compute the outputs; see `opwright.codegen.executable.Executable`.

        Raises:
            Diagnostic: OPW240-OPW245, the arrays or dims do not fit the kernel; OPW430, the tiling function refuses
                the shapes; OPW431, the emulator found a fault.
        """
        outputs, report = self.emulate(inputs, dims, cores)
        if not report.clean:
            raise _fault(report)
        return outputs

    def emulate(
        self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int, *, strict: bool = False, seed: int = 0
    ) -> tuple[dict[str, Array], EmulationReport]:
        """Return the outputs with what the emulator found; see `EmulatedKernel.run` for `strict` and `seed`."""
        launch = self.tiling(dims, cores)
        arrays = self.interface.bind(inputs, dims, self._tiling_results(launch))
        tensors = list(zip(self.interface.tensors, arrays, strict=True))
        arguments = [read_only(a) if t.role == INPUT else a for t, a in tensors if t.role in (INPUT, OUTPUT)]
        workspace = np.empty(launch.workspace_bytes, np.uint8)
        arguments += [workspace, launch.words.tobytes()]
        report = self._kernel.run(arguments, cores, strict=strict, seed=seed)
        return self.interface.outputs(arrays), report

    def tiling(self, dims: Mapping[str, int], cores: int) -> Launch:
        """Run the host's tiling function.

        Raises:
            Diagnostic: OPW430, it refuses the shapes.
        """
        values = self.interface.tiling_values(dims, cores)
        arguments = (ctypes.c_int64 * len(values))(*values)
        words = np.zeros(max(len(self.data.fields), 1), np.int64)
        size = ctypes.c_int64()
        message = self._host.opwright_tiling(arguments, words.ctypes.data_as(ctypes.c_void_p), ctypes.byref(size))
        if message is not None:
            raise Diagnostic("OPW430", f"{self.interface.kernel} cannot run these shapes: {message.decode()}")
        return Launch(words, size.value)

    def _tiling_results(self, launch: Launch) -> list[int]:
        by_field = dict(zip(self.data.fields, launch.words.tolist(), strict=True))
        return [by_field[self.data.spelling.names[name]] for name in self.interface.tiling_results]

    @cached_property
    def _kernel(self) -> EmulatedKernel:
        tensors = [self.data.spelling.names[t.name] for t in self.interface.tensors if t.role in (INPUT, OUTPUT)]
        main = f"{self.interface.kernel}.cpp"
        sources = {name: self.sources[name] for name in (main, header_name(self.interface.kernel))}
        return EmulatedKernel(sources, self.interface.kernel, (*tensors, "workspace", "tiling"), self.chip, main)

    @cached_property
    def _host(self) -> ctypes.CDLL:
        count = len(self.interface.tiling_arguments)
        main = HOST_TEXT.format(
            source=f"{self.interface.kernel}_tiling.cpp",
            function=self.data.function,
            data=self.data.name,
            arguments=", ".join(f"arguments[{n}]" for n in range(count)),
        )
        path = compile_shared({**self.sources, HOST_MAIN: main}, HOST_MAIN, language="c++", flags=("-std=c++11", "-O1"))
        library = ctypes.CDLL(str(path))
        library.opwright_tiling.restype = ctypes.c_char_p
        library.opwright_tiling.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        return library


def _fault(report: EmulationReport) -> Diagnostic:
    """Return the first finding as a diagnostic; the number of the others is part of it."""
    first, *others = report.findings
    more = f" (and {len(others)} more findings)" if others else ""
    at = Location(first.file, first.line, 1) if first.line else None
    core = f" on core {first.core}" if first.core >= 0 else ""
    return Diagnostic("OPW431", f"{first.code}: {first.api}: {first.message}{core}{more}", at)


def compile_module(module: ModuleOp, chip: Chip) -> AscendcExecutable:
    """Emit a lowered module as Ascend C; it is compiled for the emulator when it first runs.

    Raises:
        Diagnostic: the module breaks a limit of the chip, or has no form in Ascend C.
        LookupError: the module holds no kernel or no tiling function.
    """
    return AscendcExecutable(emit(module, chip), KernelInterface.of(module), TilingData.of(module), chip)
