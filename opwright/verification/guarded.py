"""Which tensors an operator does not look at where a boolean tensor is false."""

import numpy as np

from ..codegen.reference import evaluate
from ..codegen.symbols import define_dims
from ..dialect.spec.ops import OperatorOp
from ..dialect.spec.signature import Signature
from .cases import Case, boolean_inputs, draw_case
from .data import covered_tensors, draw_arrays, spoil
from .sizes import upper_limits

PROBE_SIZE = 6


def guarded_tensors(operator: OperatorOp, present: frozenset[str]) -> frozenset[str]:
    """Return the tensors that may hold Inf and NaN under a false boolean: the reference stays finite all the same."""
    case = _probe(operator, present)
    arrays = draw_arrays(operator, case)
    masks = (mask for mask in boolean_inputs(operator) if mask.label.data in arrays)
    candidates = {op.label.data for mask in masks for op in covered_tensors(operator, mask)}
    return frozenset(
        name
        for name in candidates & set(arrays)
        if _is_finite(operator, case, spoil(operator, case, arrays, frozenset({name})))
    )


def _probe(operator: OperatorOp, present: frozenset[str]) -> Case:
    """Return a small case in which every boolean has true and false places."""
    drawn = draw_case(operator, 0, 0)
    limits = upper_limits(operator)
    free = [op.label.data for op in Signature.of(operator).dims if op.definition is None]
    dims = define_dims(operator, {name: min(PROBE_SIZE, limits.get(name, PROBE_SIZE)) for name in free}, drawn.attrs)
    return Case(0, 0, 0, present, dims, drawn.attrs, "random")


def _is_finite(operator: OperatorOp, case: Case, arrays: dict[str, np.ndarray]) -> bool:
    outputs = evaluate(operator, arrays, case.attrs, "f64")
    return all(bool(np.isfinite(output).all()) for output in outputs.values())
