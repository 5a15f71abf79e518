"""What every backend returns: a compiled kernel that runs on NumPy arrays, and the memory it needs.

A backend describes its kernel by `KernelInterface.of(module)`, lets it check and bind the arrays of a call, and hands
them to its own form of the tiling function and of the kernel, in the order of the kernel's arguments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.kernel import (
    CORES,
    DIM,
    INPUT,
    OUTPUT,
    WORKSPACE,
    KernelArgument,
    find_kernel,
    find_tiling,
    kernel_arguments,
    tiling_result_names,
)
from .arena import OUTPUTS
from .dtypes import DTYPES, Array, dtype_name


class Executable(Protocol):
    """A compiled kernel with its tiling function."""

    @property
    def sources(self) -> Mapping[str, str]:
        """Return the emitted files by name."""
        ...

    def run(self, inputs: Mapping[str, Array], dims: Mapping[str, int], cores: int) -> dict[str, Array]:
        """Compute the outputs.

        Args:
            inputs: C-contiguous arrays by `tile.name`, in the kernel's storage dtypes.
            dims: the value of each argument of the tiling function, without the number of cores; others may be there.
            cores: how many cores share the work, at least 1.

        Raises:
            Diagnostic: OPW240-OPW245, the arrays or dims do not fit the kernel.
        """
        ...


@dataclass(frozen=True)
class Tensor:
    """A memref argument of a kernel: its extents are integers, or names of dims and tiling values."""

    name: str
    role: str
    element_type: Attribute
    dims: tuple[str | int, ...]

    def shape(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Return the extents."""
        return tuple(values[dim] if isinstance(dim, str) else dim for dim in self.dims)


@dataclass(frozen=True)
class KernelInterface:
    """The arguments of a kernel and its tiling function.

    Attributes:
        kernel, tiling: names of the two functions.
        tensors: the memref arguments in order: inputs, outputs, workspaces.
        dims: the dims in the order of the tiling function's arguments.
        tiling_results: names of the tiling function's results.
        tiling_arguments: names of all arguments of the tiling function; `cores` is the number of cores.
    """

    kernel: str
    tiling: str
    tensors: tuple[Tensor, ...]
    dims: tuple[str, ...]
    tiling_results: tuple[str, ...]
    tiling_arguments: tuple[str, ...]

    @staticmethod
    def of(module: ModuleOp) -> "KernelInterface":
        """Return the interface of the module's kernel.

        Raises:
            LookupError: the module holds no kernel or no tiling function.
        """
        kernel, tiling = find_kernel(module), find_tiling(module)
        arguments = kernel_arguments(kernel)
        return KernelInterface(
            kernel.sym_name.data,
            tiling.sym_name.data,
            tuple(_tensor(a) for a in arguments if a.role in (INPUT, OUTPUT, WORKSPACE)),
            tuple(a.name for a in arguments if a.role == DIM),
            tuple(tiling_result_names(tiling)),
            tuple(a.name for a in kernel_arguments(tiling)),
        )

    def tiling_values(self, dims: Mapping[str, int], cores: int) -> list[int]:
        """Return the arguments of the tiling function, in order.

        Raises:
            Diagnostic: OPW243 a dim is missing, OPW245 the number of cores or a dim is out of range.
        """
        missing = [name for name in self.dims if name not in dims]
        if missing:
            text = f"dims {_quoted(missing)} are missing"
            raise Diagnostic("OPW243", text, hint=f"{self.kernel} takes {', '.join(self.dims)}")
        if cores < 1:
            raise Diagnostic("OPW245", f"the number of cores is {cores}, it must be at least 1")
        for name in self.dims:
            if dims[name] < 0:
                raise Diagnostic("OPW245", f"dim {name} is {dims[name]}, it must not be negative")
        return [{**dims, CORES: cores}[name] for name in self.tiling_arguments]

    def bind(self, inputs: Mapping[str, Array], dims: Mapping[str, int], tiling: Sequence[int]) -> list[Array]:
        """Return the memref arguments in order: the inputs as given, outputs and workspaces new.

        New arrays are poisoned, so that what a kernel leaves out shows; large ones are not, as that takes time.

        Raises:
            Diagnostic: OPW240 an input is missing or unknown, OPW241 wrong dtype, OPW242 wrong shape, OPW244 not
                C-contiguous.
        """
        values = {**dims, **dict(zip(self.tiling_results, tiling, strict=True))}
        names = [tensor.name for tensor in self.tensors if tensor.role == INPUT]
        missing, unknown = sorted(set(names) - set(inputs)), sorted(set(inputs) - set(names))
        if missing or unknown:
            text = f"inputs {_quoted(missing)} are missing" if missing else f"inputs {_quoted(unknown)} are unknown"
            raise Diagnostic("OPW240", text, hint=f"{self.kernel} reads {', '.join(names) or 'no arrays'}")
        return [
            _checked(tensor, inputs[tensor.name], tensor.shape(values))
            if tensor.role == INPUT
            else _new(tensor.shape(values), DTYPES[tensor.element_type])
            for tensor in self.tensors
        ]

    def outputs(self, arrays: Sequence[Array]) -> dict[str, Array]:
        """Return the outputs by name, out of the memref arguments in order."""
        return {t.name: array for t, array in zip(self.tensors, arrays, strict=True) if t.role == OUTPUT}

    def kernel_values(self, dims: Mapping[str, int], tiling: Sequence[int], cores: int) -> list[int]:
        """Return the kernel's arguments that follow the memrefs, in order."""
        return [*(dims[name] for name in self.dims), *tiling, cores]


def _tensor(argument: KernelArgument) -> Tensor:
    memref_type = cast("MemRefType[Attribute]", argument.type)
    return Tensor(argument.name, argument.role, memref_type.element_type, argument.dims)


POISONED_BYTES = 1 << 18
"""New arrays up to this size are poisoned."""


def _new(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    from .numpy.support import poisoned

    return poisoned(shape, dtype) if prod(shape) * dtype.itemsize <= POISONED_BYTES else OUTPUTS.new(shape, dtype)


def _checked(tensor: Tensor, array: Array, shape: tuple[int, ...]) -> Array:
    expected = DTYPES[tensor.element_type]
    if array.dtype != expected:
        text = f"input '{tensor.name}' is {dtype_name(array.dtype)}, it must be {dtype_name(expected)}"
        raise Diagnostic("OPW241", text)
    if array.shape != shape:
        dims = ", ".join(str(dim) for dim in tensor.dims)
        text = f"input '{tensor.name}' has shape {list(array.shape)}, it must have {list(shape)}"
        raise Diagnostic("OPW242", text, hint=f"its dims are [{dims}]")
    if not array.flags.c_contiguous:
        raise Diagnostic("OPW244", f"input '{tensor.name}' is not C-contiguous", hint="use np.ascontiguousarray")
    return array


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
