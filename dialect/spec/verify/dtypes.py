"""Dtype variables, their columns, and element types."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute

from ...diagnostics import Diagnostic
from ..attrs import DTypeVar, IntegersType, StringType, is_integer
from ..ops import AttrOp, ColumnsOp, InputOp, OperatorOp
from ..signature import Signature
from .names import tensor_types

ELEMENT_TYPES: tuple[Attribute, ...] = (
    Float16Type(),
    BFloat16Type(),
    Float32Type(),
    Float64Type(),
    i1,
    *(IntegerType(width) for width in (8, 16, 32, 64)),
)
"""What the elements of a tensor may be."""

_ELEMENTS = ", ".join(str(t) for t in ELEMENT_TYPES)


def verify(operator: OperatorOp) -> None:
    """Verify columns, element types, attributes and integer lists."""
    signature = Signature.of(operator)
    for columns in signature.columns:
        _verify_columns(columns)
    known = [label.data for columns in signature.columns for label in columns.labels]
    for op, tensor in tensor_types(operator):
        element = tensor.element_type
        if isinstance(element, DTypeVar):
            if element.label.data not in known:
                hint = f"spec.columns knows: {', '.join(known) or 'none'}"
                raise Diagnostic("OPW117", f"dtype variable {element.label.data} stands in no column", op, hint)
        elif element not in ELEMENT_TYPES:
            raise Diagnostic("OPW119", f"tensors cannot hold {element}", op, f"they hold {_ELEMENTS}")
    for op in signature.inputs:
        _verify_list(op)
    for attr in signature.attrs:
        _verify_attr(attr)


def _verify_columns(op: ColumnsOp) -> None:
    labels = [label.data for label in op.labels]
    if len(set(labels)) != len(labels):
        raise Diagnostic("OPW102", "a dtype variable is declared twice", op, f"variables: {', '.join(labels)}")
    columns = [tuple(column) for column in op.columns]
    if not columns:
        raise Diagnostic("OPW118", "spec.columns lists no column", op)
    for number, column in enumerate(columns):
        _verify_column(op, labels, number, column)
        if column in columns[:number]:
            raise Diagnostic("OPW127", f"column {number} ({_text(column)}) stands twice", op)
    for label, choices in zip(labels, zip(*columns, strict=True), strict=True):
        if len({isinstance(choice, AnyFloat) for choice in choices}) > 1:
            text = f"dtype variable {label} is a float in one column and an integer in another"
            raise Diagnostic("OPW128", text, op, "the arithmetic differs: write two operators")


def _verify_column(op: ColumnsOp, labels: Sequence[str], number: int, column: Sequence[Attribute]) -> None:
    if len(column) != len(labels):
        text = f"column {number} ({_text(column)}) has {len(column)} dtypes for {len(labels)} variables"
        raise Diagnostic("OPW118", text, op, f"one for each of {', '.join(labels)}")
    for element in column:
        if element not in ELEMENT_TYPES:
            raise Diagnostic("OPW119", f"tensors cannot hold {element}", op, f"they hold {_ELEMENTS}")


def _text(column: Sequence[Attribute]) -> str:
    return ", ".join(str(t) for t in column)


def _verify_list(op: InputOp) -> None:
    if op.list is not None and (op.result.type.rank != 1 or not is_integer(op.result.type.element_type)):
        raise Diagnostic("OPW141", f"list '{op.label.data}' is not a rank 1 tensor of integers", op)
    if op.default is not None and (op.list is None or op.optional is None):
        raise Diagnostic("OPW141", f"'{op.label.data}' has a default, but is no optional list", op)


def _verify_attr(op: AttrOp) -> None:
    name, kind = op.label.data, op.result.type
    if not isinstance(kind, IndexType | IntegersType | StringType) and kind not in ELEMENT_TYPES:
        raise Diagnostic("OPW129", f"attribute '{name}' cannot be of type {kind}", op)
    if op.default is not None and not _is_value(op.default, kind):
        raise Diagnostic("OPW129", f"the default of attribute '{name}' is not of type {kind}", op)
    if not all(_is_value(value, kind) for value in op.allowed or ()):
        raise Diagnostic("OPW129", f"an allowed value of attribute '{name}' is not of type {kind}", op)


def _is_value(value: Attribute, kind: Attribute) -> bool:
    if isinstance(kind, StringType):
        return isinstance(value, StringAttr)
    if isinstance(kind, IntegersType):
        return isinstance(value, ArrayAttr)
    match value:
        case IntegerAttr(type=found) | FloatAttr(type=found):
            return found == kind
        case _:
            return False
