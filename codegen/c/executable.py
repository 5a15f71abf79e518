"""Compile a module to a shared library through C, and run it on NumPy arrays."""

import ctypes
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..dtypes import Array
from ..executable import KernelInterface
from ..native import CompileError, compile_shared, content_key, find_compiler
from .emitter import emit_c

FLAGS = (
    "-std=c11",
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-Wl,--no-as-needed",
    "-lm",
)
"""Flags that keep every float operation as it is written: none of them allows a result to change."""

OPENMP_FLAGS = ("-fopenmp", "-fopenmp-simd")
"""Flags for the pragmas, best first: threads and simd, or simd alone."""

PROBE = "probe.c"
PROBE_TEXT = "int probe(void);\nint probe(void)\n{\n    return 0;\n}\n"


@dataclass(frozen=True)
class CExecutable:
    """A kernel in a shared library.

    Attributes:
        sources: the C file by name.
        library: the path of the library.
        interface: the kernel's arguments.
    """

    sources: Mapping[str, str]
    library: Path
    interface: KernelInterface

    def run(self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int) -> dict[str, Array]:
        """Compute the outputs; see `opwright.codegen.executable.Executable`.

        `cores` is the number of parallel pieces; OMP_NUM_THREADS says how many threads share them.

        Raises:
            Diagnostic: OPW240-OPW245, the arrays or dims do not fit the kernel.
            MemoryError: the kernel's local arrays do not fit in memory.
        """
        tiling = self.tiling(dims, cores)
        arrays = self.interface.bind(inputs, dims, tiling)
        self.call(arrays, [dims[name] for name in self.interface.dims], cores)
        return self.interface.outputs(arrays)

    def tiling(self, dims: Mapping[str, int], cores: int) -> list[int]:
        """Return the results of the tiling function, in order."""
        arguments = self.interface.tiling_values(dims, cores)
        names = self.interface.tiling_results
        if not names:
            return []
        function = self._library[self.interface.tiling]
        function.argtypes = [ctypes.c_int64] * len(arguments)
        function.restype = _tiling_data(len(names))
        data = function(*arguments)
        return [getattr(data, name) for name, _ in data._fields_]

    def call(self, arrays: Sequence[Array | None], dims: Sequence[int], cores: int) -> None:
        """Run tiling and kernel on the memref arguments, in the kernel's order; a missing workspace is reserved.

        Raises:
            MemoryError: the kernel's local arrays do not fit in memory.
        """
        addresses = (None if array is None else array.ctypes.data for array in arrays)
        pointers = (ctypes.c_void_p * max(len(arrays), 1))(*addresses)
        sizes = (ctypes.c_int64 * max(len(dims), 1))(*dims)
        function = self._library[f"{self.interface.kernel}_run"]
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        if function(pointers, sizes, cores) != 0:
            raise MemoryError(f"{self.interface.kernel}: no memory for the kernel's local arrays")

    @property
    def _library(self) -> ctypes.CDLL:
        return _load(self.library)


@cache
def _tiling_data(count: int) -> type[ctypes.Structure]:
    """Return a struct of so many numbers."""
    fields = [(f"field{n}", ctypes.c_int64) for n in range(count)]
    return type("TilingData", (ctypes.Structure,), {"_fields_": fields})


@cache
def _load(library: Path) -> ctypes.CDLL:
    """Load a library. In a fork of this process its kernels run on one thread: OpenMP's others are not in it."""
    loaded = ctypes.CDLL(str(library))
    if hasattr(os, "register_at_fork") and hasattr(loaded, "omp_set_num_threads"):
        os.register_at_fork(after_in_child=partial(loaded.omp_set_num_threads, 1))
    return loaded


def compile_module(module: ModuleOp) -> CExecutable:
    """Emit a module of upstream operations as C, and compile it.

    Raises:
        Diagnostic: the module holds what C has no form for.
        CompilerMissing: no C compiler on this machine.
        CompileError: the compiler rejected the C text.
    """
    interface = KernelInterface.of(module)
    name = f"{interface.kernel}.c"
    sources = {name: emit_c(module)}
    library = compile_shared(sources, name, language="c", flags=compile_flags())
    return CExecutable(sources, library, interface)


def compile_flags() -> tuple[str, ...]:
    """Return the flags for this machine's compiler; they differ for processors that -march=native tells apart."""
    return (*_openmp(find_compiler("c")), *FLAGS, f"-DPROCESSOR_{_processor()}")


@cache
def _processor() -> str:
    """Return a name for what the processor can do, so that machines that share a cache share no libraries."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else [platform.processor()]
    features = next((line for line in lines if line.lower().startswith(("flags", "features"))), lines[0])
    return content_key(platform.machine(), features)[:8]


@cache
def _openmp(_compiler: str) -> tuple[str, ...]:
    """Return the best OpenMP flag that the compiler takes, if any."""
    for flag in OPENMP_FLAGS:
        try:
            compile_shared({PROBE: PROBE_TEXT}, PROBE, language="c", flags=(flag,))
        except CompileError:
            continue
        return (flag,)
    return ()
