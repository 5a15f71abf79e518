"""The arrays of random cases."""

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import AnyFloat, IndexType, i1
from xdsl.ir import Attribute

from ..codegen.dtypes import Array, numpy_dtype
from ..codegen.reference import declared_places
from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.attrs import DTypeVar
from ..dialect.spec.ops import InputOp, OperatorOp, PlacesOp, ReadOp
from ..dialect.spec.signature import Signature, dim_labels, element_type
from .booleans import draw_booleans
from .cases import Case, boolean_inputs, given_names, given_tensors

NOT_FINITE = (np.inf, -np.inf, np.nan)

SMALL = 9
"""Integers that are no places lie between this and its negative."""

UNUSED_SHARES = (0.0, 0.2, 0.9)
"""How many of the elements that may be unused are; one of these a tensor."""


def check_drawable(operator: OperatorOp) -> None:
    """Refuse an operator for which no random arrays can be drawn.

    Raises:
        Diagnostic: OPW014, a tensor whose elements are indices, and the spec does not say of what.
    """
    declared = {op.tensor for op in operator.body.walk() if isinstance(op, PlacesOp)}
    for op in operator.body.walk():
        if not isinstance(op, ReadOp) or not isinstance(op.result.type, IndexType) or op.tensor in declared:
            continue
        source = op.tensor.owner
        if isinstance(source, InputOp) and source.list is None:
            text = f"no random cases for '{source.label.data}', whose elements are indices"
            raise Diagnostic("OPW014", text, source, "say which with spec.places, or use 'opwright run'")


def draw_arrays(operator: OperatorOp, case: Case) -> dict[str, Array]:
    """Return the case's arrays.

    Floats are normal-distributed; booleans are bytes of which any but 0 is true; integers are places where the spec
    says so, else small numbers; lists are those of the case.
    """
    column = Signature.of(operator).dtype_columns[case.column]
    places = {
        name: (op, below)
        for op, name, below in reversed(
            declared_places(operator, case.dims, case.attrs, given_names(operator, case.present))
        )
    }
    lists = {op.label.data: op for op in Signature.of(operator).inputs if op.list is not None}
    arrays = {
        name: np.asarray(content, numpy_dtype(lists[name].result.type.element_type))
        for name, content in case.lists.items()
    }
    for op, shape in given_tensors(operator, case):
        name, element = op.label.data, element_type(op.result.type, column)
        random = case.generator(name)
        if element == i1:
            arrays[name] = draw_booleans(random, shape, case.filling, tuple(case.dims.values()))
        elif name in places:
            arrays[name] = _places(random, shape, *places[name]).astype(numpy_dtype(element))
        else:
            arrays[name] = _numbers(random, shape, element)
    return arrays


def _numbers(random: np.random.Generator, shape: tuple[int, ...], element: Attribute) -> Array:
    if isinstance(element, AnyFloat):
        return random.standard_normal(shape, np.float32).astype(numpy_dtype(element))
    return random.integers(-SMALL, SMALL + 1, shape).astype(numpy_dtype(element))


def _places(random: np.random.Generator, shape: tuple[int, ...], op: PlacesOp, below: int) -> Array:
    """Return places in random order; some of them unused, and some never named, where that is allowed."""
    count = int(np.prod(shape))
    if op.distinct is not None:
        places = np.full(count, -1)
        named = random.permutation(below)[:count]
        places[: named.size] = named
        places = random.permutation(places)
    else:
        places = random.integers(0, max(1, below), count) if below > 0 else np.full(count, -1)
    if op.unused is not None:
        off = random.random(count) < random.choice(UNUSED_SHARES)
        places = np.where(off | (places < 0), random.integers(-3, 0, count), places)
    return places.reshape(shape)


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
    inputs = Signature.of(operator).inputs
    floats = [op for op in inputs if isinstance(op.result.type.element_type, DTypeVar | AnyFloat)]
    return [op for op in floats if set(dims) <= set(dim_labels(op.result.type)) and mask.result.type.rank == len(dims)]


def _aligned(off: Array, mask: InputOp, op: InputOp) -> Array:
    """Return the boolean array with its dims in the tensor's order, and of size 1 where only the tensor has a dim."""
    dims = [dim for dim in op.result.type.dims if dim in mask.result.type.dims]
    ordered = off.transpose([mask.result.type.dims.index(dim) for dim in dims])
    return ordered[tuple(slice(None) if dim in dims else None for dim in op.result.type.dims)]


def _spoiled(array: Array, off: Array, random: np.random.Generator) -> Array:
    if array.dtype.kind in "iub":
        return array
    values = random.choice(NOT_FINITE, array.shape).astype(array.dtype)
    return np.where(off & (random.random(array.shape) < 0.5), values, array)
