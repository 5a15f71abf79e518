"""The emitted text, executed: the NumPy backend, and the IR of any level below the spec on arrays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dtypes import Array
from ..executable import KernelInterface
from .module import emit
from .names import identifier
from .writer import Options


@dataclass(frozen=True)
class NumpyExecutable:
    """A kernel as NumPy text; runs what `sources` holds."""

    interface: KernelInterface
    sources: Mapping[str, str]

    def run(self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int) -> dict[str, Array]:
        """Compute the outputs; see `Executable.run`."""
        functions = load(next(iter(self.sources.values())))
        tiling = _as_tuple(functions[identifier(self.interface.tiling)](*self.interface.tiling_values(dims, cores)))
        arrays = self.interface.bind(inputs, dims, tiling)
        kernel = functions[identifier(self.interface.kernel)]
        kernel(*arrays, *self.interface.kernel_values(dims, tiling, cores))
        return self.interface.outputs(arrays)


def _as_tuple(results: int | tuple[int, ...] | None) -> Sequence[int]:
    return results if isinstance(results, tuple) else () if results is None else (results,)


def compile_module(module: ModuleOp, options: Options | None = None) -> NumpyExecutable:
    """Return the module's kernel as an executable.

    Raises:
        Diagnostic: OPW410-OPW414, see `emit`.
        LookupError: the module holds no kernel or no tiling function.
    """
    interface = KernelInterface.of(module)
    return NumpyExecutable(interface, {f"{interface.kernel}.py": emit(module, options)})


@lru_cache(maxsize=256)
def load(text: str) -> dict[str, Callable[..., Any]]:
    """Execute the text of a module and return what it defines, by name."""
    namespace: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(text, "<emitted>", "exec"), namespace)
    return namespace
