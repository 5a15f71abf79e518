"""What tiling and shape inference know of a call: its sizes, and the table of the kernels that serve it."""

from collections.abc import Iterable, Sequence

from ..aclnn.interface import Tensor
from .kernel import tiling_header
from .model import ProjectOperator
from .text import GE_NAMES, dims_text, filled, formula_text, refuse_if, shape_text


def call_header(operator: ProjectOperator) -> str:
    """Return the text of op_host/<op>/<op>_call.h."""
    name = operator.interface.name
    numbers = [a for a in operator.interface.attributes if a.kind in ("int", "bool")]
    return "\n".join(
        (
            f"{operator.comment}#pragma once",
            "",
            f'#include "../../op_kernel/{operator.snake}/{tiling_header(operator)}"',
            '#include "../call.h"',
            "",
            f"/// The sizes of a call of {name}, and its numeric attributes.",
            f"struct {name}Sizes {{",
            *(f"    int64_t {dim} = call::UNKNOWN;" for dim in dim_names(operator)),
            *(f"    {'bool' if a.kind == 'bool' else 'int64_t'} {a.name} = 0;" for a in numbers),
            "};",
            "",
            *_rows(operator),
            "",
            *_read_sizes(operator),
            "",
        )
    )


def dim_names(operator: ProjectOperator) -> list[str]:
    """Return the names of all dims."""
    dims = [dim for tensor in operator.interface.tensors for dim in tensor.dims if isinstance(dim, str)]
    return list(dict.fromkeys((*dims, *(definition.dim for definition in operator.interface.definitions))))


def switch_names(operator: ProjectOperator) -> list[str]:
    """Return the names of the boolean attributes."""
    return [attribute.name for attribute in operator.interface.attributes if attribute.kind == "bool"]


def always_given(operator: ProjectOperator, tensor: Tensor) -> bool:
    """Return whether the kernel always gets an input: required ones, and lists that have a default."""
    return not tensor.optional or any(each.name == tensor.name for each in operator.interface.list_defaults)


def shape_of(operator: ProjectOperator, name: str) -> str:
    """Return the C++ that finds the shape of an input."""
    place, tensor = next(each for each in enumerate(operator.interface.inputs) if each[1].name == name)
    return f"call::{'Required' if always_given(operator, tensor) else 'Optional'}(context, {place})"


def row_type(operator: ProjectOperator) -> str:
    """Return the C++ type of the table's rows."""
    interface = operator.interface
    return f"call::Row<{len(interface.inputs)}, {len(interface.outputs)}, {len(switch_names(operator))}>"


def table_name(operator: ProjectOperator) -> str:
    """Return the name of the table of kernels."""
    return f"{operator.snake.upper()}_ROWS"


def _rows(operator: ProjectOperator) -> Iterable[str]:
    interface, switches = operator.interface, switch_names(operator)
    names = [", ".join(tensor.name for tensor in group) for group in (interface.inputs, interface.outputs)]
    heading = "; ".join(("key", *names, *([", ".join(switches)] if switches else [])))
    yield f"/// Which kernel serves which call: {heading}."
    yield f"const {row_type(operator)} {table_name(operator)}[] = {{"
    for row in operator.rows:
        groups = (
            [GE_NAMES.get(dtype, "call::ABSENT") for dtype in row.inputs],
            [GE_NAMES[dtype] for dtype in row.outputs],
            [str(value).lower() for value in row.switches],
        )
        yield from filled("    {", [operator.pieces[row.variant].key, *map(_array, groups)], "},")
    yield "};"


def _array(items: Sequence[str]) -> str:
    return "{{" + ", ".join(items) + "}}" if items else "{}"


def _read_sizes(operator: ProjectOperator) -> Iterable[str]:
    interface = operator.interface
    yield "/// Reads the sizes and attributes of a call. Returns why they do not fit, or a null pointer."
    yield "template <typename Context>"
    yield f"const char *Read{interface.name}Sizes(const Context &context, {interface.name}Sizes &sizes)"
    yield "{"
    yield from _read_attributes(operator)
    for tensor in interface.inputs:
        shape = shape_of(operator, tensor.name)
        if always_given(operator, tensor):
            yield from refuse_if([f"{shape} == nullptr"], f"{tensor.name} is missing")
        test = f"!call::Match({shape}, {dims_text(tensor)})"
        yield from refuse_if([test], f"the shape of {tensor.name} must be {shape_text(tensor)}")
    for definition in interface.definitions:
        names = ", ".join(f"sizes.{each}" for each in definition.value.names)
        test = f"!call::Define(sizes.{definition.dim}, {{{names}}}, {formula_text(definition.value)})"
        yield from refuse_if([test], f"{definition.dim} must be {definition.text}")
    yield "    return nullptr;"
    yield "}"


def _read_attributes(operator: ProjectOperator) -> Iterable[str]:
    attributes = enumerate(operator.interface.attributes)
    numbers = [(place, each) for place, each in attributes if each.kind in ("int", "bool")]
    if not numbers:
        return
    yield "    const gert::RuntimeAttrs *attributes = context.GetAttrs();"
    yield from refuse_if(["attributes == nullptr"], "the attributes are missing")
    for place, each in numbers:
        getter = "GetBool" if each.kind == "bool" else "GetInt"
        yield f"    const auto *{each.name} = attributes->{getter}({place});"
        yield from refuse_if([f"{each.name} == nullptr"], f"attribute {each.name} is missing")
        yield f"    sizes.{each.name} = *{each.name};"
