"""A whole module: one Python function a func.func."""

from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, StringAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialect.diagnostics import Diagnostic
from ...dialect.tile.kernel import KernelArgument, kernel_arguments
from .control import only_block
from .memory import element_type
from .names import identifier
from .tables import find_emit
from .writer import Options, Writer, dtype_of


def emit(module: ModuleOp, options: Options | None = None) -> str:
    """Return the module as the text of a NumPy module that stands alone.

    Each func.func becomes a function of the same name. Memrefs are arrays that the function changes in place; an index
    is an int; other scalars are NumPy scalars of their type.

    Raises:
        Diagnostic: OPW410-OPW414, the module holds what NumPy text cannot say.
    """
    functions = [_as_function(op) for op in module.body.block.ops]
    w = Writer(find_emit, options or Options(), [identifier(f.sym_name.data) for f in functions])
    for number, function in enumerate(functions):
        if number:
            w.line("")
            w.line("")
        _function(w, function)
    return w.module_text(_equation(functions))


def _as_function(op: Operation) -> FuncOp:
    if not isinstance(op, FuncOp):
        raise Diagnostic("OPW410", f"'{op.name}' cannot be written as NumPy", op, "only func.func at the top level")
    return op


def _equation(functions: list[FuncOp]) -> str:
    """Return what the kernel computes, where it says so."""
    texts = (f.attributes.get("tile.equation") for f in functions)
    return next((text.data for text in texts if isinstance(text, StringAttr)), "")


def _function(w: Writer, function: FuncOp) -> None:
    block = only_block(function.body, function)
    name = identifier(function.sym_name.data)
    if any(_warns(op) for op in function.walk()):
        w.line('@np.errstate(all="ignore")')
    described = {a.value: a for a in kernel_arguments(function) if a.role} if function.arg_attrs else {}
    with w.function(name, block.args, [_comment(described.get(arg), function) for arg in block.args]):
        w.emit_block(block)


def _warns(op: Operation) -> bool:
    """Return whether NumPy might warn of the numbers: all but indices and booleans overflow."""
    return any(not isinstance(v.type, IndexType) and v.type != i1 for v in (*op.operands, *op.results))


def _comment(argument: KernelArgument | None, function: FuncOp) -> str:
    if argument is None:
        return ""
    if not isinstance(argument.type, MemRefType):
        return argument.role
    dims = ", ".join(str(dim) for dim in argument.dims)
    return f"{argument.role} {dtype_of(element_type(argument.value), function).name}[{dims}]"
