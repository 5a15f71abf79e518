"""Prefix sums."""

from xdsl.dialects.builtin import IntegerType, i1

from ...diagnostics import Diagnostic
from ..attrs import tensor_type
from ..ops import OperatorOp, ScanOp


def verify(operator: OperatorOp) -> None:
    """Verify all scans of an operator."""
    for op in operator.body.block.ops:
        if isinstance(op, ScanOp):
            _verify_scan(op)


def _verify_scan(op: ScanOp) -> None:
    source, result = tensor_type(op.tensor), op.result.type
    if not 0 <= op.dim.value.data < source.rank:
        text = f"spec.scan along dim {op.dim.value.data} of a tensor of rank {source.rank}"
        raise Diagnostic("OPW136", text, op, "dims count from 0")
    for element in (source.element_type, result.element_type):
        if not isinstance(element, IntegerType):
            hint = "the order of float sums must not depend on the machine: sum in a compute"
            raise Diagnostic("OPW137", f"spec.scan sums integers, not {element}", op, hint)
    if source.dims != result.dims or result.element_type == i1:
        raise Diagnostic("OPW138", f"the prefix sums of {source} cannot be {result}", op, "the dims are the same")
