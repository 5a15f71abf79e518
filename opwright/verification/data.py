"""The arrays of random cases."""

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Attribute

from ..codegen.dtypes import Array, numpy_dtype
from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.ops import InputOp, OperatorOp
from ..dialect.spec.signature import Signature, dim_labels, element_type
from .cases import Case, boolean_inputs, given_inputs

NOT_FINITE = (np.inf, -np.inf, np.nan)


def check_drawable(operator: OperatorOp) -> None:
    """Refuse an operator for which no random arrays can be drawn.

    Raises:
        Diagnostic: OPW014, a tensor of integers, whose legal values the spec does not say.
    """
    signature = Signature.of(operator)
    for op in signature.inputs:
        elements = (element_type(op.result.type, column) for column in signature.dtype_columns)
        element = next((e for e in elements if not isinstance(e, AnyFloat) and e != i1), None)
        if element is not None:
            text = f"no random cases for the {element} tensor '{op.label.data}'"
            raise Diagnostic("OPW014", text, op, "give it to 'opwright run' in an npz file")


def draw_arrays(operator: OperatorOp, case: Case) -> dict[str, Array]:
    """Return the case's arrays: normal floats, booleans as bytes of which any but 0 is true."""
    column = Signature.of(operator).dtype_columns[case.column]
    return {
        op.label.data: _draw(op, element_type(op.result.type, column), shape, case)
        for op, shape in given_inputs(operator, case)
    }


def _draw(op: InputOp, element: Attribute, shape: tuple[int, ...], case: Case) -> Array:
    random = case.generator(op.label.data)
    if element == i1:
        return _booleans(random, shape, case.filling)
    return random.standard_normal(shape, np.float32).astype(numpy_dtype(element))


def _booleans(random: np.random.Generator, shape: tuple[int, ...], filling: str) -> Array:
    if filling == "all true":
        return np.ones(shape, np.uint8)
    if filling == "all false":
        return np.zeros(shape, np.uint8)
    return (random.integers(1, 256, shape) * random.integers(0, 2, shape)).astype(np.uint8)


def spoil(operator: OperatorOp, case: Case, arrays: Mapping[str, Array], tensors: frozenset[str]) -> dict[str, Array]:
    """Return the arrays with Inf and NaN in the named tensors, at half of the places where a boolean is false.

    A tensor takes part where it has all dims of a given boolean tensor.
    """
    spoiled = dict(arrays)
    for mask in boolean_inputs(operator):
        for op in covered_tensors(operator, mask):
            name = op.label.data
            if name in tensors and name in spoiled and mask.label.data in spoiled:
                off = _aligned(spoiled[mask.label.data] == 0, mask, op)
                spoiled[name] = _spoiled(spoiled[name], off, case.generator(f"{name} spoiled"))
    return spoiled


def covered_tensors(operator: OperatorOp, mask: InputOp) -> list[InputOp]:
    """Return the float tensors that have each dim of a boolean tensor."""
    dims = dim_labels(mask.result.type)
    floats = (op for op in Signature.of(operator).inputs if op not in boolean_inputs(operator) and op.list is None)
    return [op for op in floats if set(dims) <= set(dim_labels(op.result.type)) and mask.result.type.rank == len(dims)]


def _aligned(off: Array, mask: InputOp, op: InputOp) -> Array:
    """Return the boolean array with its dims in the tensor's order, and of size 1 where only the tensor has a dim."""
    dims = [dim for dim in op.result.type.dims if dim in mask.result.type.dims]
    ordered = off.transpose([mask.result.type.dims.index(dim) for dim in dims])
    return ordered[tuple(slice(None) if dim in dims else None for dim in op.result.type.dims)]


def _spoiled(array: Array, off: Array, random: np.random.Generator) -> Array:
    values = random.choice(NOT_FINITE, array.shape).astype(array.dtype)
    return np.where(off & (random.random(array.shape) < 0.5), values, array)
