"""Which tensors an operator does not look at where a boolean tensor is false."""

import numpy as np

from ..codegen.reference import evaluate
from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.ops import OperatorOp
from ..variants import Variant
from .cases import Case, boolean_inputs, small_case
from .data import covered_tensors, draw_arrays, spoil

PROBE_SIZE = 6


def guarded_tensors(operator: OperatorOp, variant: Variant) -> frozenset[str]:
    """Return the tensors that may hold Inf and NaN under a false boolean: the reference stays finite all the same."""
    case = small_case(operator, variant, PROBE_SIZE)
    arrays = draw_arrays(operator, case)
    masks = (mask for mask in boolean_inputs(operator) if mask.label.data in arrays)
    candidates = {op.label.data for mask in masks for op in covered_tensors(operator, mask)}
    return frozenset(
        name
        for name in candidates & set(arrays)
        if _is_finite(operator, case, spoil(operator, case, arrays, frozenset({name})))
    )


def _is_finite(operator: OperatorOp, case: Case, arrays: dict[str, np.ndarray]) -> bool:
    try:
        outputs = evaluate(operator, arrays, case.attrs, "f64")
    except Diagnostic:
        return False  # a case shows it
    return all(bool(np.isfinite(output).all()) for output in outputs.values())
