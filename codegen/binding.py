"""From the arrays and attributes of one call to a column, present tensors, sizes and attribute values.

Sizes follow from the shapes. Constraints of the document (`spec.require`) are not part of it: a front end tests them
with `requirements.check_requirements`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.typing import ArrayLike
from xdsl.ir import Attribute

from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.attrs import TensorType
from ..dialect.spec.ops import NeedOp, OperatorOp
from ..dialect.spec.signature import Signature, element_type
from .attributes import AttrValue, bind_attributes
from .conditions import constraints
from .dtypes import Array, as_storage, dtype_name, fits
from .lists import as_array, default_lists
from .symbols import check_sizes, define_dims

Arrays = Mapping[str, ArrayLike | None]
"""What a caller gives for each tensor parameter; None means absent."""


@dataclass(frozen=True)
class Binding:
    """One call of an operator, as far as its structure goes.

    `column` is the number of the dtype column and `dtypes` its content; `present` names the tensors that are given;
    `dims` holds every dim, 0 for one that only absent tensors name.
    """

    column: int
    dtypes: Mapping[str, Attribute]
    present: frozenset[str]
    dims: Mapping[str, int]
    attrs: Mapping[str, AttrValue]


def bind(operator: OperatorOp, arrays: Arrays, attrs: Mapping[str, AttrValue] | None = None) -> Binding:
    """Return the binding of a call.

    Raises:
        Diagnostic: OPW200 to OPW209, OPW213, without a place: an array, size or attribute that does not fit.
    """
    signature = Signature.of(operator)
    values = bind_attributes(signature.attrs, attrs or {})
    given = _given(signature, arrays)
    given |= default_lists(operator, _sizes(signature, given), values, given)
    _check_needed(operator, values, frozenset(given))
    dims = define_dims(operator, _sizes(signature, given), values)
    check_sizes(operator, dims, values)
    column = _column(signature, given)
    return Binding(column, signature.dtype_columns[column], frozenset(given), dims, values)


def _check_needed(operator: OperatorOp, attrs: Mapping[str, AttrValue], present: frozenset[str]) -> None:
    """Refuse a call without a tensor that it needs with these attributes and tensors."""
    for op, counts in constraints(operator, attrs, present):
        if counts and isinstance(op, NeedOp) and op.label.data not in present:
            hint = "opwright show lists the constraints, with where each of them counts"
            raise Diagnostic("OPW201", f"tensor '{op.label.data}' is missing, this call needs it", op, hint)


def bound_arrays(operator: OperatorOp, binding: Binding, arrays: Arrays) -> dict[str, Array]:
    """Return the present arrays as a kernel sees them: C order, dtypes of the column, booleans as int8 bytes.

    A list that has a default and is absent or empty comes with its default.
    """
    signature = Signature.of(operator)
    given = _given(signature, arrays)
    given |= default_lists(operator, binding.dims, binding.attrs, given)
    return {
        op.label.data: as_storage(given[op.label.data], element_type(op.result.type, binding.dtypes))
        for op in signature.inputs
        if op.label.data in given
    }


def output_shapes(operator: OperatorOp, binding: Binding) -> dict[str, tuple[int, ...]]:
    """Return the shape of each output."""
    return {op.label.data: shape_of(op.type, binding.dims) for op in Signature.of(operator).outputs}


def output_types(operator: OperatorOp, binding: Binding) -> dict[str, Attribute]:
    """Return the element type of each output."""
    return {op.label.data: element_type(op.type, binding.dtypes) for op in Signature.of(operator).outputs}


def shape_of(tensor: TensorType, dims: Mapping[str, int]) -> tuple[int, ...]:
    """Return the sizes of a tensor."""
    return tuple(dim if isinstance(dim, int) else dims[dim] for dim in tensor.dims)


def _given(signature: Signature, arrays: Arrays) -> dict[str, Array]:
    known = {op.label.data: op for op in signature.inputs}
    for name in arrays:
        if name not in known:
            raise Diagnostic("OPW200", f"the operator has no tensor '{name}'", hint="it has: " + ", ".join(known))
    found = {name: as_array(op, arrays.get(name)) for name, op in known.items()}
    for name, op in known.items():
        if found[name] is None and op.optional is None:
            raise Diagnostic("OPW201", f"tensor '{name}' is missing", hint=f"its dims are {_dims(op.result.type)}")
    return {name: array for name, array in found.items() if array is not None}


def _dims(tensor: TensorType) -> str:
    return "[" + ", ".join(str(dim) for dim in tensor.dims) + "]"


def _sizes(signature: Signature, given: Mapping[str, Array]) -> dict[str, int]:
    """Return the size of each dim that a given tensor names."""
    sizes: dict[str, int] = {}
    source: dict[str, str] = {}
    for op in signature.inputs:
        name, tensor = op.label.data, op.result.type
        if name not in given:
            continue
        shape = given[name].shape
        if len(shape) != tensor.rank:
            text = f"tensor '{name}' has rank {len(shape)} (shape {list(shape)}), it must have rank {tensor.rank}"
            raise Diagnostic("OPW202", text, hint=f"its dims are {_dims(tensor)}")
        for position, (dim, size) in enumerate(zip(tensor.dims, shape, strict=True)):
            expected = dim if isinstance(dim, int) else sizes.setdefault(dim, size)
            of = f" = {dim} of tensor '{source.setdefault(dim, name)}'" if isinstance(dim, str) else ""
            if size != expected:
                raise Diagnostic("OPW203", f"dim {position} of tensor '{name}' is {size}, it must be {expected}{of}")
    return sizes


def _column(signature: Signature, given: Mapping[str, Array]) -> int:
    """Return the first dtype column that fits all given arrays."""
    columns = signature.dtype_columns
    left = range(len(columns))
    for op in signature.inputs:
        name = op.label.data
        if name not in given:
            continue
        fitting = [n for n in left if fits(given[name], element_type(op.result.type, columns[n]))]
        if not fitting:
            allowed = dict.fromkeys(str(element_type(op.result.type, columns[n])) for n in left)
            text = f"tensor '{name}' is {dtype_name(given[name].dtype)}, it must be {' or '.join(allowed)}"
            raise Diagnostic("OPW205", text, hint=_columns_text(signature))
        left = fitting
    return left[0]


def _columns_text(signature: Signature) -> str:
    columns = [", ".join(f"{name} = {t}" for name, t in column.items()) for column in signature.dtype_columns]
    return "the operator takes " + "; ".join(columns) if signature.columns else ""
