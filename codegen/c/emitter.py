"""The emitter of C: a module of upstream operations to one file of C11."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialect.diagnostics import Diagnostic
from .entry import emit_entry
from .functions import Function, emit_function, emit_plain, emit_tiling, kernel_head
from .rules import CPrinter


def emit_c(module: ModuleOp) -> str:
    """Return the C text of a module.

    A kernel and its tiling function get an entry beside them (entry.py); other functions are printed as they are.

    Raises:
        Diagnostic: OPW400-409 for what C has no form for, OPW440-449 for operations and types that no rule knows.
    """
    functions = [_function(op) for op in module.body.block.ops]
    printer = CPrinter()
    for function in functions:
        printer.names.reserve(function.sym_name.data)
    tiling = next((f for f in functions if "tile.tiling" in f.attributes), None)
    for function in functions:
        if "tile.tiling" in function.attributes:
            emit_tiling(printer, function)
        elif "tile.kernel" in function.attributes:
            _emit_kernel(printer, function, tiling)
        else:
            emit_plain(printer, function)
    return _file(printer, functions)


def _function(op: object) -> FuncOp:
    if not isinstance(op, FuncOp) or op.is_declaration:
        at = op if isinstance(op, FuncOp) else None
        raise Diagnostic("OPW404", "a C file is made from functions with bodies only", at)
    return op


def _emit_kernel(printer: CPrinter, kernel: FuncOp, tiling: FuncOp | None) -> None:
    if tiling is None:
        raise Diagnostic("OPW405", "the kernel has no tiling function", kernel)
    emit_function(printer, Function(kernel, kernel.sym_name.data, "int", "static "))
    emit_entry(printer, kernel, tiling)


def _file(printer: CPrinter, functions: list[FuncOp]) -> str:
    """Return comment, includes, helpers and functions as one text."""
    heads = [line for f in functions if "tile.kernel" in f.attributes for line in kernel_head(f)]
    includes = [f"#include <{header}>" for header in printer.headers()]
    parts = ["\n".join([*heads, *includes]) + "\n", *printer.helper_code(), printer.body().rstrip("\n") + "\n"]
    return "\n".join(parts)
