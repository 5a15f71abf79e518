"""Rules of a compiled module: the arguments of the kernel function, and of its tiling function."""

from typing import TypeGuard, cast

from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..diagnostics import Diagnostic
from .kernel import (
    CORES,
    DIM,
    INPUT,
    OUTPUT,
    TILING,
    WORKSPACE,
    KernelArgument,
    find_tiling,
    kernel_arguments,
    tiling_result_names,
)

ORDER = (INPUT, OUTPUT, WORKSPACE, DIM, TILING, CORES)
"""The roles in the order in which a kernel's arguments stand."""

ARRAYS = (INPUT, OUTPUT, WORKSPACE)


def is_kernel(op: Operation | None) -> TypeGuard[FuncOp]:
    """Return whether an operation is a kernel function."""
    return isinstance(op, FuncOp) and "tile.kernel" in op.attributes


def verify_kernel(kernel: FuncOp) -> None:
    """Verify a kernel and the tiling function beside it.

    Raises:
        Diagnostic: OPW300 bad arguments, OPW301 bad extents, OPW319 the tiling function does not fit.
    """
    name = kernel.sym_name.data
    if kernel.args and kernel.arg_attrs is None:
        raise Diagnostic("OPW300", f"the arguments of kernel '{name}' are not described", kernel, _HINT)
    arguments = kernel_arguments(kernel) if kernel.args else []
    for number, argument in enumerate(arguments):
        _verify_argument(kernel, number, argument)
    _verify_order(kernel, arguments)
    sizes = {a.name for a in arguments if a.role in (DIM, TILING)}
    for argument in arguments:
        if argument.role in ARRAYS:
            _verify_extents(kernel, argument, sizes)
    _verify_tiling(kernel, arguments)


_HINT = "give each argument tile.name and tile.role, and each memref tile.dims"


def _verify_argument(kernel: FuncOp, number: int, argument: KernelArgument) -> None:
    name = kernel.sym_name.data
    if not argument.name:
        raise Diagnostic("OPW300", f"argument {number} of kernel '{name}' has no tile.name", kernel, _HINT)
    if argument.role not in ORDER:
        text = f"argument '{argument.name}' of kernel '{name}' has the unknown role '{argument.role}'"
        raise Diagnostic("OPW300", text, kernel, f"roles: {', '.join(ORDER)}")
    wanted, kind = (MemRefType, "a memref") if argument.role in ARRAYS else (IndexType, "an index")
    if not isinstance(argument.type, wanted):
        text = f"argument '{argument.name}' of kernel '{name}' is {argument.type}, as {argument.role} it is {kind}"
        raise Diagnostic("OPW300", text, kernel)


def _verify_order(kernel: FuncOp, arguments: list[KernelArgument]) -> None:
    roles = [a.role for a in arguments]
    if roles != sorted(roles, key=ORDER.index) or roles.count(CORES) != 1:
        text = f"the arguments of kernel '{kernel.sym_name.data}' stand as {', '.join(roles) or 'none'}"
        raise Diagnostic("OPW300", text, kernel, f"their order is {', '.join(ORDER)}; cores stands once")
    names = [a.name for a in arguments]
    double = next((name for n, name in enumerate(names) if name in names[:n]), None)
    if double is not None:
        raise Diagnostic("OPW300", f"kernel '{kernel.sym_name.data}' has two arguments '{double}'", kernel)


def _verify_extents(kernel: FuncOp, argument: KernelArgument, sizes: set[str]) -> None:
    rank = cast("MemRefType[Attribute]", argument.type).get_num_dims()
    where = f"'{argument.name}' of kernel '{kernel.sym_name.data}'"
    if len(argument.dims) != rank:
        raise Diagnostic("OPW301", f"{where} has rank {rank}, tile.dims gives {len(argument.dims)} extents", kernel)
    for dim in argument.dims:
        if isinstance(dim, str) and dim not in sizes:
            hint = f"dims and tiling values: {', '.join(sorted(sizes)) or 'none'}"
            raise Diagnostic("OPW301", f"{where} has the unknown extent '{dim}'", kernel, hint)


def _verify_tiling(kernel: FuncOp, arguments: list[KernelArgument]) -> None:
    module = kernel.parent_op()
    try:
        tiling = find_tiling(module) if isinstance(module, ModuleOp) else None
    except LookupError:
        return
    if tiling is None:
        return
    given = [a.name for a in kernel_arguments(tiling)] if tiling.arg_attrs is not None else []
    wanted = [*(a.name for a in arguments if a.role == DIM), CORES]
    _compare(tiling, "takes", given, wanted)
    _compare(tiling, "returns", tiling_result_names(tiling), [a.name for a in arguments if a.role == TILING])


def _compare(tiling: FuncOp, verb: str, given: list[str], wanted: list[str]) -> None:
    if given != wanted:
        text = f"tiling function '{tiling.sym_name.data}' {verb} ({', '.join(given)})"
        raise Diagnostic("OPW319", text, tiling, f"for its kernel it {verb} ({', '.join(wanted)})")
