"""Lists of integers among the parameters, and what stands for one that is absent."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import evaluate
from ..dialect.spec.ops import InputOp, OperatorOp
from ..dialect.spec.signature import Signature
from .attributes import AttrValue
from .dtypes import Array, numpy_dtype
from .symbols import symbol_values


def as_array(op: InputOp, value: ArrayLike | None) -> Array | None:
    """Return what a call gives for a tensor; None for nothing, and for an empty list that has a default.

    Raises:
        Diagnostic: OPW205 for a list of something else than integers.
    """
    if value is None:
        return None
    array = np.asarray(value)
    if op.list is None:
        return array
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise Diagnostic("OPW205", f"list '{op.label.data}' holds {array.dtype}, it must hold integers")
    if not array.size and op.default is not None:
        return None
    return array.astype(numpy_dtype(op.result.type.element_type), copy=False)


def default_lists(
    operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue], given: Mapping[str, Array]
) -> dict[str, Array]:
    """Return the default of each list that has one and is not given.

    Raises:
        Diagnostic: OPW209 for a default that has no value.
    """
    values = symbol_values(operator, dims, attrs)
    lists: dict[str, Array] = {}
    for op in Signature.of(operator).inputs:
        name = op.label.data
        if op.default is None or name in given:
            continue
        try:
            operands = [values[v] for v in op.operands_]
            content = [evaluate(expr, operands) for expr in op.default.data]
        except (KeyError, ZeroDivisionError) as error:
            raise Diagnostic("OPW209", f"the default of list '{name}' has no value for these shapes") from error
        lists[name] = np.asarray(content, numpy_dtype(op.result.type.element_type))
    return lists
