"""The tiling data that host and kernel share, and the header that declares it."""

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialect.tile.kernel import (
    CORES,
    DIM,
    TILING,
    WORKSPACE,
    KernelArgument,
    find_kernel,
    find_tiling,
    kernel_arguments,
)
from ..cfamily import UPSTREAM_RULES
from .language import HOST_LANGUAGE
from .names import Spelling, pascal
from .printer import CppPrinter


def header_name(kernel: str) -> str:
    """Return the file name of the header with the tiling data."""
    return f"{kernel}_tiling.h"


@dataclass(frozen=True)
class TilingData:
    """The struct with everything a kernel is told, all 64-bit.

    Attributes:
        name: its C++ name.
        function: the name of the host's function.
        fields: dims, results of the tiling function, the number of cores, then offsets into the workspace.
        spelling: how the kernel's arguments are called.
        numbers: the kernel's index arguments in order.
        workspaces: the kernel's workspace arguments in order.
    """

    name: str
    function: str
    fields: tuple[str, ...]
    spelling: Spelling
    numbers: tuple[KernelArgument, ...]
    workspaces: tuple[KernelArgument, ...]

    @staticmethod
    def of(module: ModuleOp, name: str = "", function: str = "") -> "TilingData":
        """Return the tiling data of a module's kernel; names follow from the kernel's where they are not given."""
        kernel = find_kernel(module)
        arguments = kernel_arguments(kernel)
        numbers = tuple(a for a in arguments if a.role in (DIM, TILING, CORES))
        spaces = tuple(a for a in arguments if a.role == WORKSPACE)
        own, spelling = pascal(kernel.sym_name.data), Spelling.of(arguments)
        fields = (*(spelling.names[a.name] for a in numbers), *spelling.offsets.values())
        names = (name or f"{own}TilingData", function or f"{own}Tiling")
        return TilingData(*names, fields, spelling, numbers, spaces)


HEADER_START = """\
#pragma once

#include <cstdint>

/// What the kernel is told; written by the host, read word by word by every core."""

FUNCTION_COMMENT = """\
/// Computes the tiling data and the size of the workspace in bytes, for a launch on `cores` vector cores.
/// Returns a null pointer, or why the kernel cannot run these shapes."""


def header_text(module: ModuleOp) -> str:
    """Return the header that host and kernel include."""
    data = TilingData.of(module)
    printer = CppPrinter(HOST_LANGUAGE, UPSTREAM_RULES)
    for line in HEADER_START.splitlines():
        printer.line(line)
    with printer.braces(f"struct {data.name}", end="};"):
        for field in data.fields:
            printer.line(f"int64_t {field};")
    for line in ("", *FUNCTION_COMMENT.splitlines()):
        printer.line(line)
    printer.wrapped(f"const char *{data.function}", parameters_of(find_tiling(module), data), ";")
    return printer.body()


def parameters_of(tiling: FuncOp, data: TilingData) -> list[str]:
    """Return the parameters of the host's function: dims and cores, then where the results go."""
    sizes = [f"int64_t {data.spelling.names[argument.name]}" for argument in kernel_arguments(tiling)]
    return [*sizes, f"{data.name} *data", "int64_t *workspaceBytes"]
