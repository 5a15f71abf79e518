"""The entry of a C file: `int NAME_run(void *const *tensors, const int64_t *dims, int64_t cores)`.

It calls the tiling function, reserves the workspaces that it is not given, runs the kernel, and returns 0, or 1 where
memory is short. `tensors` holds inputs, outputs and workspaces in the kernel's order (a null workspace is reserved);
`dims` holds the dims in the tiling function's order.
"""

from collections.abc import Collection, Sequence

from xdsl.dialects.func import FuncOp

from ...dialect.tile.kernel import CORES, DIM, INPUT, OUTPUT, TILING, WORKSPACE, KernelArgument, kernel_arguments
from ..cfamily import Expr, Level, call, infix
from ..cfamily.memory import memref_type
from .functions import extent, tiling_struct
from .rules import CPrinter


def emit_entry(printer: CPrinter, kernel: FuncOp, tiling: FuncOp) -> None:
    """Print the entry."""
    arguments = kernel_arguments(kernel)
    name = f"{kernel.sym_name.data}_run"
    printer.line(f"int {name}(void *const *tensors, const int64_t *dims, int64_t cores)")
    with printer.braces(""):
        for taken in ("tensors", "dims", "cores"):
            printer.names.reserve(taken)
        known = _dims(printer, arguments, tiling)
        values, owned = _tensors(printer, arguments, known, kernel)
        passed = [values.get(argument.name) or known[argument.name] for argument in arguments]
        _reserve(printer, [values[name] for name in owned], owned.values())
        printer.wrapped(f"const int status = {kernel.sym_name.data}", (a.at(Level.ASSIGN) for a in passed), ";")
        for block in owned.values():
            printer.line(f"free({block});")
        printer.line("return status;")


def _dims(printer: CPrinter, arguments: Sequence[KernelArgument], tiling: FuncOp) -> dict[str, Expr]:
    """Read the dims, call the tiling function, and return every index argument as an expression."""
    known = {argument.name: Expr("cores") for argument in arguments if argument.role == CORES}
    for position, argument in enumerate(a for a in arguments if a.role == DIM):
        known[argument.name] = Expr(printer.names.fresh(argument.name))
        printer.line(f"const int64_t {known[argument.name]} = dims[{position}];")
    struct = tiling_struct(tiling)
    if struct.fields:
        data = printer.names.fresh("tiling")
        given = [known[argument.name] for argument in kernel_arguments(tiling)]
        printer.line(f"const {struct.name} {data} = {call(tiling.sym_name.data, given)};")
        tiled = [argument for argument in arguments if argument.role == TILING]
        known |= {a.name: Expr(f"{data}.{field}", Level.POSTFIX) for a, field in zip(tiled, struct.fields, strict=True)}
    return known


def _tensors(
    printer: CPrinter, arguments: Sequence[KernelArgument], known: dict[str, Expr], kernel: FuncOp
) -> tuple[dict[str, Expr], dict[str, str]]:
    """Return the memref arguments by name, and for each workspace the variable of what is reserved for it.

    A workspace is a variable that holds what was given or reserved.
    """
    tensors = [argument for argument in arguments if argument.role in (INPUT, OUTPUT, WORKSPACE)]
    values: dict[str, Expr] = {}
    owned: dict[str, str] = {}
    for position, argument in enumerate(tensors):
        given = Expr(f"tensors[{position}]", Level.POSTFIX)
        values[argument.name] = given
        if argument.role == WORKSPACE:
            workspace, owned[argument.name] = _workspace(printer, argument, given, known, kernel)
            values[argument.name] = workspace
    return values, owned


def _workspace(
    printer: CPrinter, argument: KernelArgument, given: Expr, known: dict[str, Expr], kernel: FuncOp
) -> tuple[Expr, str]:
    element = printer.type_name(memref_type(argument.value).element_type, kernel)
    count = Expr("1", literal=True)
    for dim in argument.dims:
        size = extent(dim, known, kernel)
        count = size if count.text == "1" else infix("*", Level.MULTIPLY, count, size)
    block = printer.helper("allocate", [count, Expr(f"sizeof({element})")], kernel)
    name = printer.names.fresh(argument.name)
    owned = printer.names.fresh(f"own_{name}")
    printer.line(f"void *const {owned} = {given} == NULL ? {block} : NULL;")
    printer.line(f"{element} *const {name} = {given} == NULL ? {owned} : {given};")
    return Expr(name), owned


def _reserve(printer: CPrinter, workspaces: Sequence[Expr], owned: Collection[str]) -> None:
    """Print what happens where a workspace could not be reserved."""
    if not workspaces:
        return
    with printer.braces(f"if ({' || '.join(f'{name} == NULL' for name in workspaces)})"):
        for block in owned:
            printer.line(f"free({block});")
        printer.line("return 1;")
