"""What a user may know of an operator, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from .codegen.symbol_text import definition_text
from .constraint_text import Constraint, constraints_of
from .dialect.spec.attrs import DTypeVar, TensorType
from .dialect.spec.equations import equations
from .dialect.spec.ops import AttrOp, InputOp, OutputOp
from .dialect.spec.signature import Signature
from .loading import Operator


@dataclass(frozen=True)
class Parameter:
    """A tensor: its dims and its dtype, which may be a variable of the dtype columns; `kind` is tensor or list."""

    name: str
    dims: tuple[str | int, ...]
    dtype: str
    kind: str
    optional: bool

    def __str__(self) -> str:
        """Return the parameter in one line, `gradY: T[S, B, H]`."""
        flags = [word for word, on in (("list", self.kind == "list"), ("optional", self.optional)) if on]
        return " ".join((f"{self.name}: {self.dtype}[{', '.join(map(str, self.dims))}]", *flags))


@dataclass(frozen=True)
class ScalarAttribute:
    """An attribute: its type, and its value where a call gives none ("" for one that every call gives)."""

    name: str
    dtype: str
    default: str

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}" + (f" = {self.default}" if self.default else "")


@dataclass(frozen=True)
class Description:
    """An operator. `dims` holds the definition of each dim, "" for one that the shapes give."""

    name: str
    source: str
    dims: Mapping[str, str]
    inputs: tuple[Parameter, ...]
    attributes: tuple[ScalarAttribute, ...]
    outputs: tuple[Parameter, ...]
    dtype_columns: tuple[Mapping[str, str], ...]
    constraints: tuple[Constraint, ...]
    equations: tuple[str, ...]

    @property
    def dtypes(self) -> str:
        """Return the dtype columns in one line."""
        columns = [", ".join(f"{name} = {dtype}" for name, dtype in column.items()) for column in self.dtype_columns]
        return " | ".join(column for column in columns if column)


def describe(operator: Operator) -> Description:
    """Return the description of an operator."""
    signature = Signature.of(operator.op)
    return Description(
        operator.name,
        operator.source.name,
        {op.label.data: definition_text(op) for op in signature.dims},
        tuple(_parameter(op, op.result.type) for op in signature.inputs),
        tuple(_attribute(op) for op in signature.attrs),
        tuple(_parameter(op, cast("TensorType", op.tensor.type)) for op in signature.outputs),
        tuple({name: str(dtype) for name, dtype in column.items()} for column in signature.dtype_columns),
        constraints_of(operator.op),
        tuple(equations(operator.op)),
    )


def _parameter(op: InputOp | OutputOp, tensor: TensorType) -> Parameter:
    element = tensor.element_type
    dtype = element.label.data if isinstance(element, DTypeVar) else str(element)
    kind = "list" if isinstance(op, InputOp) and op.list is not None else "tensor"
    return Parameter(op.label.data, tensor.dims, dtype, kind, op.optional is not None)


def _attribute(op: AttrOp) -> ScalarAttribute:
    default = "" if op.default is None else str(op.default).partition(" : ")[0]
    return ScalarAttribute(op.label.data, str(op.result.type), default)
