"""The host's source: the tiling function in plain C++11."""

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS, CmpiOp
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialect.ascendc import RequireOp
from ...dialect.tile.kernel import (
    CORES,
    INPUT,
    OUTPUT,
    TILING,
    KernelArgument,
    find_kernel,
    find_tiling,
    kernel_arguments,
)
from ..cfamily import UPSTREAM_RULES, Expr, Level, infix
from ..cfamily.memory import memref_type
from .language import HOST_LANGUAGE
from .names import Spelling
from .printer import CppPrinter
from .tiling import TilingData, header_name, parameters_of

TENSOR_BYTES = """\
/// The size of a tensor in bytes, rounded up to where the next one may start; -1 above 2^56, which no memory holds.
int64_t TensorBytes(std::initializer_list<int64_t> sizes, int64_t elementBytes)
{{
    int64_t bytes = elementBytes;
    bool empty = false;
    for (int64_t size : sizes) {{
        empty = empty || size == 0;
        if (size > 0) {{
            if (bytes > (INT64_C(1) << 56) / size) {{
                return -1;
            }}
            bytes *= size;
        }}
    }}
    return empty ? 0 : (bytes + {last}) / {alignment} * {alignment};
}}
"""


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
        printer.line(f"data->{printer.data.spelling.names[number.name]} = {text};")
    total = _place_workspaces(printer)
    printer.line(f"*workspaceBytes = {total};")
    printer.line("return nullptr;")


def _place_workspaces(printer: HostPrinter) -> str:
    """Print the sizes and places of the parts of the workspace, and return its size."""
    total, spelling = "", printer.data.spelling
    for space in printer.data.workspaces:
        offset = spelling.offsets.get(space.name)
        if offset is not None:
            printer.line(f"data->{offset} = {total};")
        size = printer.names.fresh(f"{space.name}_bytes")
        printer.line(f"const int64_t {size} = {_byte_count(space, spelling, 'data->')};")
        with printer.braces(f"if ({size} < 0)"):
            printer.line('return "the workspace does not fit in memory";')
        total = f"data->{offset} + {size}" if offset else size
    return total or "0"


def _function(op: func.ReturnOp) -> FuncOp:
    parent = op.parent_op()
    assert isinstance(parent, FuncOp)
    return parent


def _byte_count(tensor: KernelArgument, spelling: Spelling, prefix: str = "") -> str:
    element = memref_type(tensor.value).element_type
    assert isinstance(element, FixedBitwidthType)
    sizes = (spelling.size(dim, prefix) for dim in tensor.dims)
    return f"TensorBytes({{{', '.join(sizes)}}}, {element.size})"


def source_text(module: ModuleOp, alignment: int) -> str:
    """Return the host's source that stands alone; arguments as of `function_text`."""
    data = TilingData.of(module)
    header = header_name(find_kernel(module).sym_name.data)
    return f'#include "{header}"\n\n#include <initializer_list>\n\n{function_text(module, data, alignment)}'


def function_text(module: ModuleOp, data: TilingData, alignment: int) -> str:
    """Return the tiling function in plain C++11, behind what it uses in an unnamed namespace.

    Args:
        module: the lowered module.
        data: the struct that the function fills.
        alignment: bytes to which each part of the workspace is aligned.
    """
    kernel, tiling = find_kernel(module), find_tiling(module)
    printer = HostPrinter(data)
    with printer.scope():
        for argument in kernel_arguments(tiling):
            printer.bind(argument.value, Expr(printer.names.reserve(data.spelling.names[argument.name])))
        printer.wrapped(f"const char *{data.function}", parameters_of(tiling, data), "")
        with printer.braces(""):
            _check_arguments(printer, kernel_arguments(tiling))
            _check_tensors(printer, kernel, [a.name for a in kernel_arguments(tiling)])
            printer.block(tiling.body.block)
    helpers = [*printer.helper_code(), TENSOR_BYTES.format(alignment=alignment, last=alignment - 1)]
    private = "namespace {\n\n" + "\n".join(helpers) + "\n}  // namespace\n"
    return f"{private}\n{printer.body()}"


def _check_arguments(printer: HostPrinter, arguments: Sequence[KernelArgument]) -> None:
    for argument in arguments:
        name, least = printer.text(argument.value), int(argument.name == CORES)
        text = "there must be at least one core" if least else f"{argument.name} is negative"
        with printer.braces(f"if ({name} < {least})"):
            printer.line(f'return "{text}";')


def _check_tensors(printer: HostPrinter, kernel: FuncOp, known: Sequence[str]) -> None:
    """Print the check of what the caller brings, so that no later product of sizes overflows."""
    tensors = [a for a in kernel_arguments(kernel) if a.role in (INPUT, OUTPUT)]
    sized = [a for a in tensors if all(isinstance(dim, int) or dim in known for dim in a.dims)]
    tests = list(dict.fromkeys(f"{_byte_count(tensor, printer.data.spelling)} < 0" for tensor in sized))
    if tests:
        with printer.braces(f"if ({' || '.join(tests)})"):
            printer.line('return "a tensor does not fit in memory";')
