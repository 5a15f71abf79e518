"""The parameters of an operator, collected from its body in order of definition."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from .attrs import DTypeVar, TensorType
from .ops import AttrOp, ColumnsOp, DimOp, InputOp, OperatorOp, OutputOp, RequireOp


@dataclass(frozen=True)
class Signature:
    """What the callers of an operator see."""

    dims: tuple[DimOp, ...]
    attrs: tuple[AttrOp, ...]
    inputs: tuple[InputOp, ...]
    outputs: tuple[OutputOp, ...]
    columns: tuple[ColumnsOp, ...]
    requirements: tuple[RequireOp, ...]

    @staticmethod
    def of(operator: OperatorOp) -> "Signature":
        """Collect the parameters of an operator."""
        ops = tuple(operator.body.block.ops)
        return Signature(
            tuple(op for op in ops if isinstance(op, DimOp)),
            tuple(op for op in ops if isinstance(op, AttrOp)),
            tuple(op for op in ops if isinstance(op, InputOp)),
            tuple(op for op in ops if isinstance(op, OutputOp)),
            tuple(op for op in ops if isinstance(op, ColumnsOp)),
            tuple(op for op in ops if isinstance(op, RequireOp)),
        )

    @property
    def dtype_columns(self) -> tuple[dict[str, Attribute], ...]:
        """Return the element type of each dtype variable, one dict a column; one empty dict if there are no columns."""
        if not self.columns:
            return ({},)
        labels = [label.data for label in self.columns[0].labels]
        return tuple(dict(zip(labels, column, strict=False)) for column in self.columns[0].columns)

    def labels(self) -> Iterable[tuple[str, Operation]]:
        """Yield the name of each parameter (inputs, attributes, outputs) with the operation that holds it."""
        for op in (*self.inputs, *self.attrs, *self.outputs):
            yield op.label.data, op


def element_type(tensor: TensorType, column: Mapping[str, Attribute]) -> Attribute:
    """Return the element type of a tensor in a dtype column."""
    element = tensor.element_type
    return column[element.label.data] if isinstance(element, DTypeVar) else element


def dim_labels(tensor: TensorType) -> tuple[str, ...]:
    """Return the names among the dims of a tensor."""
    return tuple(dim.data for dim in tensor.shape if isinstance(dim, StringAttr))
