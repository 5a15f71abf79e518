"""Operations that declare dims, attributes, tensors and outputs."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IndexType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from .attrs import TensorType, tensor_type
from .operator import Placed


@irdl_op_definition
class DimOp(Placed):
    """A named size. With a definition it is computed from other sizes, and a shape that disagrees is an error.

    `%S = spec.dim "S"`, `%W = spec.dim "W" = [3]`, `%K = spec.dim "K" = [%M floordiv %T]`
    """

    name = "spec.dim"

    label = prop_def(StringAttr)
    definition = opt_prop_def(IndexMapAttr)
    operands_ = var_operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, label: str, definition: IndexMapAttr | None = None, operands: Sequence[SSAValue] = ()) -> None:
        super().__init__(
            operands=[operands],
            properties={"label": StringAttr(label), **({"definition": definition} if definition else {})},
            result_types=[IndexType()],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "DimOp":
        label = parser.parse_str_literal()
        if not parser.parse_optional_punctuation("="):
            return DimOp(label)
        indices = IndexListParser(parser)
        definition = indices.parse_list()
        return DimOp(label, definition, indices.resolve())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        if self.definition is not None:
            printer.print_string(" = ")
            print_index_list(printer, self.definition, self.operands_)


@irdl_op_definition
class AttrOp(Placed):
    """A scalar attribute of the operator: `%P = spec.attr "compressStride" default 16 : index`."""

    name = "spec.attr"

    label = prop_def(StringAttr)
    default = opt_prop_def(Attribute)
    result = result_def(Attribute)

    traits = traits_def(Pure())
    assembly_format = "$label (`default` $default^)? attr-dict `:` type($result)"

    def __init__(self, label: str, result_type: Attribute, default: Attribute | None = None) -> None:
        super().__init__(
            properties={"label": StringAttr(label), **({"default": default} if default else {})},
            result_types=[result_type],
        )


@irdl_op_definition
class InputOp(Placed):
    """A tensor parameter: `%x = spec.input "x" : !spec.tensor<[N], T>`; `optional` ones may be absent, `list` ones are
    integer lists on the host."""

    name = "spec.input"

    label = prop_def(StringAttr)
    optional = opt_prop_def(UnitAttr)
    list = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$label (`optional` $optional^)? (`list` $list^)? attr-dict `:` type($result)"

    def __init__(self, label: str, result_type: TensorType, *, optional: bool = False, is_list: bool = False) -> None:
        flags = {name: UnitAttr() for name, on in (("optional", optional), ("list", is_list)) if on}
        super().__init__(properties={"label": StringAttr(label), **flags}, result_types=[result_type])


@irdl_op_definition
class OutputOp(Placed):
    """Name a result as an output parameter: `spec.output "y" %y : !spec.tensor<[N], T>`."""

    name = "spec.output"

    label = prop_def(StringAttr)
    tensor = operand_def(TensorType)

    assembly_format = "$label $tensor attr-dict `:` type($tensor)"

    def __init__(self, label: str, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], properties={"label": StringAttr(label)})

    @property
    def type(self) -> TensorType:
        """Return the type of the output."""
        return tensor_type(self.tensor)
