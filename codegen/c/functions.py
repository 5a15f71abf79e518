"""Functions of a C file: the kernel, its tiling function, and the entry that runs both."""

from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ...dialect.diagnostics import Diagnostic
from ...dialect.tile.kernel import kernel_arguments, tiling_result_names
from ..cfamily import Expr, Names
from ..cfamily.memory import memref_type
from .rules import CPrinter, allocates


@dataclass(frozen=True)
class Function:
    """What the head of a C function says.

    Attributes:
        op: the function.
        name: its name in C.
        result: its return type.
        linkage: `static ` or nothing.
    """

    op: FuncOp
    name: str
    result: str
    linkage: str = ""


def emit_function(printer: CPrinter, function: Function) -> None:
    """Print a function with its body."""
    with printer.scope():
        parameters = [_parameter(printer, function.op, value) for value in function.op.args]
        printer.wrapped(f"{function.linkage}{function.result} {function.name}", parameters or ["void"], "")
        with printer.braces(""):
            _bind_extents(printer, function.op)
            for value in function.op.args:
                if not value.uses:
                    printer.line(f"(void){printer.text(value)};")
            if _fails_in_parallel(function.op):
                printer.line("bool failed = false;")
            printer.block(function.op.body.block)
            if function.result == "int":
                printer.line("return 0;")
    printer.line("")


def _fails_in_parallel(op: FuncOp) -> bool:
    top = [inner for inner in op.body.block.ops if not isinstance(inner, memref.AllocOp)]
    return any(allocates(inner) for inner in top)


def _parameter(printer: CPrinter, op: FuncOp, value: BlockArgument) -> str:
    described = {argument.value: argument for argument in kernel_arguments(op)}.get(value)
    hint = described.name if described is not None and described.name else value.name_hint
    name = printer.names.fresh(hint or "arg")
    printer.bind(value, Expr(name))
    if not isinstance(value.type, MemRefType):
        return f"{printer.type_name(value.type, op)} {name}"
    element = printer.type_name(memref_type(value).element_type, op)
    return f"{element} *restrict {name}" if is_written(value) else f"const {element} *restrict {name}"


def is_written(array: SSAValue) -> bool:
    """Return whether a function may write to an array it is given."""
    writers = (memref.StoreOp, func.CallOp)
    return any(isinstance(use.operation, writers) for use in array.uses)


def _bind_extents(printer: CPrinter, op: FuncOp) -> None:
    arguments = kernel_arguments(op)
    names = {argument.name: printer.value(argument.value) for argument in arguments if argument.name}
    for argument in arguments:
        if argument.dims:
            printer.extents[argument.value] = [extent(dim, names, op) for dim in argument.dims]


def extent(dim: str | int, names: dict[str, Expr], op: FuncOp) -> Expr:
    """Return an extent of `tile.dims` as an expression.

    Raises:
        Diagnostic: OPW402 where no argument has the name.
    """
    if isinstance(dim, int):
        return Expr(str(dim), literal=True)
    if dim not in names:
        raise Diagnostic("OPW402", f"tile.dims names '{dim}', which is no argument of @{op.sym_name.data}", op)
    return names[dim]


@dataclass(frozen=True)
class TilingStruct:
    """The C type of what a tiling function returns.

    Attributes:
        name: `struct NAME_data`, or `void` where nothing is returned.
        fields: field names, in order of the results.
    """

    name: str
    fields: tuple[str, ...]


def tiling_struct(tiling: FuncOp) -> TilingStruct:
    """Return the struct of a tiling function."""
    names = Names()
    fields = tuple(names.fresh(name) for name in tiling_result_names(tiling))
    stem = tiling.sym_name.data.removesuffix("_tiling")
    return TilingStruct(f"struct {stem}_data" if fields else "void", fields)


def emit_tiling(printer: CPrinter, tiling: FuncOp) -> None:
    """Print the struct of the tiling data and the tiling function."""
    struct = tiling_struct(tiling)
    if struct.fields:
        with printer.braces(struct.name, end="};"):
            for field in struct.fields:
                printer.line(f"int64_t {field};")
        printer.line("")
        printer.result_type = struct.name
    emit_function(printer, Function(tiling, tiling.sym_name.data, struct.name))
    printer.result_type = ""


def emit_plain(printer: CPrinter, op: FuncOp) -> None:
    """Print a function that is neither kernel nor tiling.

    Raises:
        Diagnostic: OPW403 for several results, or results of a function that reserves memory.
    """
    results = op.function_type.outputs.data
    if len(results) > 1 or (results and allocates(op)):
        raise Diagnostic("OPW403", "a function with several results, or with memory and a result, has no form in C", op)
    result = printer.type_name(results[0], op) if results else "int" if allocates(op) else "void"
    emit_function(printer, Function(op, op.sym_name.data, result))


def kernel_head(kernel: FuncOp) -> list[str]:
    """Return the comment above a kernel: its name and what it computes."""
    equation = kernel.attributes.get("tile.equation")
    equations = equation.data.splitlines() if isinstance(equation, StringAttr) else []
    return ["/*", *(f" * {line}".rstrip() for line in (kernel.sym_name.data, *equations)), " */"]
