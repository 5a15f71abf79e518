"""Types of the spec dialect: tensors with named dims, and dtype variables."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    IndexType,
    IntAttr,
    IntegerType,
    StringAttr,
    f32,
    i1,
)
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class DTypeVar(ParametrizedAttribute, TypeAttribute):
    """A dtype that the columns of the operator choose: `!spec.dtype<T>`, in a tensor type just `T`."""

    name = "spec.dtype"

    label: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [StringAttr(parser.parse_identifier())]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.label.data}>")


@irdl_attr_definition
class StringType(ParametrizedAttribute, TypeAttribute):
    """The type of an attribute that is a text, known to the host only: `!spec.string`."""

    name = "spec.string"


@irdl_attr_definition
class IntegersType(ParametrizedAttribute, TypeAttribute):
    """The type of an attribute that is a list of integers, known to the host only: `!spec.integers`."""

    name = "spec.integers"


Dim = StringAttr | IntAttr


@irdl_attr_definition
class TensorType(ParametrizedAttribute, TypeAttribute):
    """A tensor value whose dims have names: `!spec.tensor<[S, B, H], T>`, `!spec.tensor<[3, H], f32>`."""

    name = "spec.tensor"

    shape: ArrayAttr[Dim]
    element_type: Attribute

    @staticmethod
    def of(dims: Sequence[str | int], element_type: Attribute) -> "TensorType":
        """Build from dim names and sizes."""
        return TensorType(ArrayAttr([StringAttr(d) if isinstance(d, str) else IntAttr(d) for d in dims]), element_type)

    @property
    def dims(self) -> tuple[str | int, ...]:
        """Return the dims as names and sizes."""
        return tuple(dim.data for dim in self.shape)

    @property
    def rank(self) -> int:
        """Return the number of dims."""
        return len(self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_dim(parser))
            parser.parse_punctuation(",")
            return [ArrayAttr(shape), _parse_element(parser)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<[" + ", ".join(str(dim) for dim in self.dims) + "], ")
        if isinstance(self.element_type, DTypeVar):
            printer.print_string(self.element_type.label.data)
        else:
            printer.print_attribute(self.element_type)
        printer.print_string(">")


def tensor_type(value: SSAValue) -> TensorType:
    """Return the type of a tensor value."""
    assert isinstance(value.type, TensorType)
    return value.type


def parse_tensor_type(parser: AttrParser) -> TensorType:
    """Parse the type of a tensor."""
    found = parser.parse_type()
    if not isinstance(found, TensorType):
        parser.raise_error("expected a !spec.tensor type")
    return found


def _parse_dim(parser: AttrParser) -> Dim:
    if (size := parser.parse_optional_integer(allow_boolean=False, allow_negative=False)) is not None:
        return IntAttr(size)
    return StringAttr(parser.parse_identifier(context_msg=" for a dim: a name or a size"))


def _parse_element(parser: AttrParser) -> Attribute:
    if (element := parser.parse_optional_type()) is not None:
        return element
    return DTypeVar(StringAttr(parser.parse_identifier(context_msg=" for an element type: a type or a dtype variable")))


def compute_type(element_type: Attribute) -> Attribute:
    """Return the type in which elements of a tensor take part in arithmetic.

    Floats and dtype variables compute in f32 (law 4 of docs/design.md), integers as they are.
    """
    if isinstance(element_type, DTypeVar | Float16Type | BFloat16Type):
        return f32
    return element_type


def is_integer(value_type: Attribute) -> bool:
    """Return whether a type is of integers other than booleans and indices."""
    return isinstance(value_type, IntegerType) and value_type != i1


def is_scalar(value_type: Attribute) -> bool:
    """Return whether a value of this type may stand in a compute body."""
    return isinstance(value_type, IntegerType | IndexType | AnyFloat)


SHORT_NAMES: dict[Attribute, str] = {
    Float16Type(): "h",
    BFloat16Type(): "bf",
    Float32Type(): "f",
    IntegerType(8): "i8",
    IntegerType(16): "i16",
    IntegerType(32): "i32",
    IntegerType(64): "i64",
}
"""The chip table's short name of each element type."""
