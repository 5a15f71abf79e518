"""The definition of an operator for CANN, and the inference of shapes and dtypes."""

from collections.abc import Iterable, Sequence

from ..aclnn.interface import Attribute, Interface, Tensor, snake_case
from ..aclnn.text import quoted
from .calls import always_given, row_type, table_name
from .model import ProjectOperator, dtype_columns
from .text import GE_NAMES, dims_text, filled

ATTRIBUTE_METHODS = {"int": "Int", "bool": "Bool", "float": "Float", "text": "String", "integers": "ListInt"}


def definition_files(operator: ProjectOperator) -> dict[str, str]:
    """Return the files of op_host/<op>/ that define the operator, by path."""
    folder = f"op_host/{operator.snake}"
    return {
        f"{folder}/{operator.snake}_def.cpp": _definition(operator),
        f"{folder}/{operator.snake}_infershape.cpp": _inference(operator),
    }


def ir_name(tensor: Tensor) -> str:
    """Return the name of a parameter in the graph: that of the function without the endings it gives to names."""
    name = tensor.name.removesuffix("Optional") if tensor.optional else tensor.name
    return snake_case(name.removesuffix("Out") if tensor.kind == "output" else name)


def ir_attribute(attribute: Attribute) -> str:
    """Return the name of an attribute in the graph."""
    name = attribute.name
    return snake_case(name.removesuffix("Optional") if attribute.kind in ("text", "integers") else name)


def _definition(operator: ProjectOperator) -> str:
    interface = operator.interface
    name = interface.name
    return "\n".join(
        (
            f'{operator.comment}#include "register/op_def_registry.h"',
            "",
            "namespace optiling {",
            f"ge::graphStatus {name}Tiling(gert::TilingContext *context);",
            "}",
            "",
            "namespace ge {",
            f"graphStatus {name}InferShape(gert::InferShapeContext *context);",
            f"graphStatus {name}InferDataType(gert::InferDataTypeContext *context);",
            "}",
            "",
            "namespace ops {",
            "",
            f"class {name} : public OpDef {{",
            "public:",
            f"    explicit {name}(const char *name) : OpDef(name)",
            "    {",
            *_parameters(operator),
            *(line for each in interface.attributes for line in _attribute(each)),
            f"        this->SetInferShape(ge::{name}InferShape).SetInferDataType(ge::{name}InferDataType);",
            f"        this->AICore().SetTiling(optiling::{name}Tiling);",
            *(f"        this->AICore().AddConfig({quoted(t)});" for a in operator.architectures for t in a.targets),
            "    }",
            "};",
            f"OP_ADD({name});",
            "",
            "}  // namespace ops",
            "",
        )
    )


def _parameters(operator: ProjectOperator) -> Iterable[str]:
    interface = operator.interface
    columns = dtype_columns(interface)
    for place, tensor in enumerate(interface.tensors):
        required = always_given(operator, tensor)
        yield f"        this->{'Output' if tensor.kind == 'output' else 'Input'}({quoted(ir_name(tensor))})"
        yield f"            .ParamType({'REQUIRED' if required else 'OPTIONAL'})"
        if tensor.kind == "list":
            yield f"            .ValueDepend({'REQUIRED' if required else 'OPTIONAL'})"
        yield from filled("            .DataType({", [GE_NAMES[column[place]] for column in columns], "})")
        yield from filled("            .Format({", ["ge::FORMAT_ND"] * len(columns), "});")


def _attribute(attribute: Attribute) -> Sequence[str]:
    head = f"        this->Attr({quoted(ir_attribute(attribute))})"
    method = ATTRIBUTE_METHODS[attribute.kind]
    if attribute.default is None:
        return [f"{head}.AttrType(REQUIRED).{method}();"]
    return [f"{head}.AttrType(OPTIONAL).{method}({_value(attribute.default)});"]


def _value(value: bool | int | float | str | tuple[int, ...]) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return quoted(value)
        case tuple():
            return "{" + ", ".join(map(str, value)) + "}"
        case _:
            return repr(value)


# <op>_infershape.cpp


def _inference(operator: ProjectOperator) -> str:
    interface = operator.interface
    name = interface.name
    return "\n".join(
        (
            f"// {name}: shapes and dtypes of the outputs.",
            f'#include "{operator.snake}_call.h"',
            "",
            "namespace ge {",
            "",
            f"graphStatus {name}InferShape(gert::InferShapeContext *context)",
            "{",
            f"    {name}Sizes sizes;",
            f"    if (Read{name}Sizes(*context, sizes) != nullptr) {{",
            "        return GRAPH_FAILED;",
            "    }",
            *(f"    call::Set(context->GetOutputShape({n}), {dims_text(t)});" for n, t in enumerate(interface.outputs)),
            "    return GRAPH_SUCCESS;",
            "}",
            "",
            "/// The outputs have the dtypes of the first kernel that takes the inputs.",
            f"graphStatus {name}InferDataType(gert::InferDataTypeContext *context)",
            "{",
            *_input_dtypes(operator),
            f"    for (const {row_type(operator)} &row : {table_name(operator)}) {{",
            *_row_test(interface),
            *(f"            context->SetOutputDataType({n}, row.outputs[{n}]);" for n in range(len(interface.outputs))),
            "            return GRAPH_SUCCESS;",
            "        }",
            "    }",
            "    return GRAPH_FAILED;",
            "}",
            "",
            "}  // namespace ge",
            "",
        )
    )


def _input_dtypes(operator: ProjectOperator) -> Iterable[str]:
    for place, tensor in enumerate(operator.interface.inputs):
        kind = "Required" if always_given(operator, tensor) else "Optional"
        yield f"    const DataType {tensor.name} = context->Get{kind}InputDataType({place});"


def _row_test(interface: Interface) -> Sequence[str]:
    tests = [f"row.inputs[{place}] == {tensor.name}" for place, tensor in enumerate(interface.inputs)]
    return filled("        if (", tests, ") {", " &&")
