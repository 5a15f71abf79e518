"""The emitted text, executed: the NumPy backend, and the IR of any level below the spec on arrays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ...dialect.tile.kernel import INPUT
from ..dtypes import Array
from ..executable import KernelInterface
from . import checked
from .module import emit
from .names import identifier
from .writer import Options

Functions: TypeAlias = dict[str, Callable[..., Any]]


@dataclass(frozen=True)
class NumpyExecutable:
    """A kernel as NumPy text; runs what `sources` holds.

    Attributes:
        checked: refuse an index outside an array, which NumPy would wrap or clip; costs half a microsecond an access.
    """

    interface: KernelInterface
    sources: Mapping[str, str]
    checked: bool = True

    def run(self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int) -> dict[str, Array]:
        """Compute the outputs; see `Executable.run`.

        Raises:
            Diagnostic: as `Executable.run`; OPW415 an index outside an array, if checked.
        """
        functions = (load_checked if self.checked else load)(next(iter(self.sources.values())))
        tiling = _as_tuple(functions[identifier(self.interface.tiling)](*self.interface.tiling_values(dims, cores)))
        arrays = self.interface.bind(inputs, dims, tiling)
        kernel = functions[identifier(self.interface.kernel)]
        kernel(*self._passed(arrays), *self.interface.kernel_values(dims, tiling, cores))
        return self.interface.outputs(arrays)

    def _passed(self, arrays: Sequence[Array]) -> Sequence[Array]:
        """Return views of the arrays, those of inputs read-only."""
        passed: list[Array] = []
        for array, tensor in zip(arrays, self.interface.tensors, strict=True):
            view = array.view()
            view.flags.writeable = tensor.role != INPUT
            passed.append(checked.CheckedArray.of(view, tensor.name) if self.checked else view)
        return passed


def _as_tuple(results: int | tuple[int, ...] | None) -> Sequence[int]:
    return results if isinstance(results, tuple) else () if results is None else (results,)


def compile_module(module: ModuleOp, options: Options | None = None, *, checked: bool = True) -> NumpyExecutable:
    """Return the module's kernel as an executable.

    Args:
        checked: see `NumpyExecutable`.

    Raises:
        Diagnostic: OPW410-OPW414, see `emit`.
        LookupError: the module holds no kernel or no tiling function.
    """
    interface = KernelInterface.of(module)
    return NumpyExecutable(interface, {f"{identifier(interface.kernel)}.py": emit(module, options)}, checked)


@lru_cache(maxsize=256)
def load(text: str) -> Functions:
    """Execute the text of a module and return what it defines, by name."""
    namespace: Functions = {}
    exec(compile(text, "<emitted>", "exec"), namespace)
    return namespace


@lru_cache(maxsize=256)
def load_checked(text: str) -> Functions:
    """Execute the text of a module with new arrays checked; return what it defines, by name."""
    namespace: Functions = {}
    exec(compile(text, "<emitted>", "exec"), namespace)
    namespace["poisoned"] = checked.poisoned
    return namespace
