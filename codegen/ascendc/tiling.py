"""The tiling data that host and kernel share, and the host's function that computes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS, CmpiOp
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialect.ascendc import RequireOp
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
from ..cfamily import UPSTREAM_RULES, Expr, Level, infix
from ..cfamily.memory import memref_type
from .language import HOST_LANGUAGE
from .names import camel, pascal
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
        offsets: for each workspace tensor its field, empty for the first, which starts the workspace.
        numbers: the kernel's index arguments in order.
        workspaces: the kernel's workspace arguments in order.
    """

    name: str
    function: str
    fields: tuple[str, ...]
    offsets: tuple[str, ...]
    numbers: tuple[KernelArgument, ...]
    workspaces: tuple[KernelArgument, ...]

    @staticmethod
    def of(module: ModuleOp) -> "TilingData":
        """Return the tiling data of a module's kernel."""
        kernel = find_kernel(module)
        arguments = kernel_arguments(kernel)
        numbers = tuple(a for a in arguments if a.role in (DIM, TILING, CORES))
        spaces = tuple(a for a in arguments if a.role == WORKSPACE)
        offsets = tuple(camel(f"{a.name}_offset") if n else "" for n, a in enumerate(spaces))
        name = pascal(kernel.sym_name.data)
        fields = (*(camel(a.name) for a in numbers), *(offset for offset in offsets if offset))
        return TilingData(f"{name}TilingData", f"{name}Tiling", fields, offsets, numbers, spaces)


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
    printer = HostPrinter(data)
    for line in HEADER_START.splitlines():
        printer.line(line)
    with printer.braces(f"struct {data.name}", end="};"):
        for field in data.fields:
            printer.line(f"int64_t {field};")
    for line in ("", *FUNCTION_COMMENT.splitlines()):
        printer.line(line)
    printer.wrapped(f"const char *{data.function}", _parameters(find_tiling(module), data), ";")
    return printer.body()


def _parameters(tiling: FuncOp, data: TilingData) -> list[str]:
    sizes = [f"int64_t {camel(argument.name)}" for argument in kernel_arguments(tiling)]
    return [*sizes, f"{data.name} *data", "int64_t *workspaceBytes"]


class HostPrinter(CppPrinter):
    """A printer of the tiling function.

    Attributes:
        data: the struct it fills.
    """

    def __init__(self, data: TilingData) -> None:
        """Create an empty file."""
        rules = UPSTREAM_RULES.extended(statements={RequireOp: _require, func.ReturnOp: _return})
        super().__init__(HOST_LANGUAGE, rules)
        self.data = data


def _require(printer: HostPrinter, op: RequireOp) -> None:
    message = op.message.data.replace("\\", "\\\\").replace('"', '\\"')
    with printer.braces(f"if ({_opposite(printer, op)})"):
        printer.line(f'return "{message}";')


def _opposite(printer: HostPrinter, op: RequireOp) -> str:
    """Return when the requirement is not met: `a > b` where it is `a <= b`."""
    test = op.condition.owner
    if isinstance(test, CmpiOp) and CMPI_COMPARISON_OPERATIONS[test.predicate.value.data] == "sle":
        return infix(">", Level.COMPARE, printer.value(test.lhs), printer.value(test.rhs)).text
    return f"!{printer.text(op.condition, Level.UNARY)}"


def _return(printer: HostPrinter, op: func.ReturnOp) -> None:
    """Print the assignments to the tiling data, and the layout of the workspace."""
    values = {argument.name: printer.text(argument.value) for argument in kernel_arguments(_function(op))}
    results = iter(op.arguments)
    for number in printer.data.numbers:
        text = printer.text(next(results)) if number.role == TILING else values[number.name]
        printer.line(f"data->{camel(number.name)} = {text};")
    total = ""
    for space, offset in zip(printer.data.workspaces, printer.data.offsets, strict=True):
        if offset:
            printer.line(f"data->{offset} = {total};")
        size = f"AlignUp({_byte_count(space)})"
        total = f"data->{offset} + {size}" if offset else size
    printer.line(f"*workspaceBytes = {total or '0'};")
    printer.line("return nullptr;")


def _function(op: func.ReturnOp) -> FuncOp:
    parent = op.parent_op()
    assert isinstance(parent, FuncOp)
    return parent


def _byte_count(space: KernelArgument) -> str:
    element = memref_type(space.value).element_type
    assert isinstance(element, FixedBitwidthType)
    factors = [Expr(str(d)) if isinstance(d, int) else Expr(f"data->{camel(d)}") for d in space.dims]
    result = factors[0]
    for factor in (*factors[1:], Expr(str(element.size))):
        result = infix("*", Level.MULTIPLY, result, factor)
    return result.text


ALIGN_UP = """\
/// Rounds a number of bytes up to where the next part of the workspace may start.
int64_t AlignUp(int64_t bytes)
{{
    return (bytes + {last}) / {alignment} * {alignment};
}}
"""


def source_text(module: ModuleOp, alignment: int) -> str:
    """Return the host's source: the tiling function in plain C++11.

    Args:
        module: the lowered module.
        alignment: bytes to which each part of the workspace is aligned.
    """
    tiling, data = find_tiling(module), TilingData.of(module)
    printer = HostPrinter(data)
    with printer.scope():
        for argument in kernel_arguments(tiling):
            printer.bind(argument.value, Expr(printer.names.fresh(argument.name)))
        printer.wrapped(f"const char *{data.function}", _parameters(tiling, data), "")
        with printer.braces(""):
            _check_arguments(printer, kernel_arguments(tiling))
            printer.block(tiling.body.block)
    align_up = ALIGN_UP.format(alignment=alignment, last=alignment - 1)
    helpers = [*printer.helper_code(), *([align_up] if data.workspaces else [])]
    private = "namespace {\n\n" + "\n".join(helpers) + "\n}  // namespace\n\n" if helpers else ""
    return f'#include "{header_name(find_kernel(module).sym_name.data)}"\n\n{private}{printer.body()}'


def _check_arguments(printer: HostPrinter, arguments: Sequence[KernelArgument]) -> None:
    for argument in arguments:
        name, least = printer.text(argument.value), int(argument.name == CORES)
        text = "there must be at least one core" if least else f"{argument.name} is negative"
        with printer.braces(f"if ({name} < {least})"):
            printer.line(f'return "{text}";')
