"""Places of true elements."""

from xdsl.dialects.builtin import i1, i8, i32

from ...diagnostics import Diagnostic
from ..attrs import tensor_type
from ..ops import OperatorOp, PositionsOp


def verify(operator: OperatorOp) -> None:
    """Verify all spec.positions of an operator."""
    for op in operator.body.block.ops:
        if isinstance(op, PositionsOp):
            verify_positions(op)


def verify_positions(op: PositionsOp) -> None:
    """Verify one spec.positions (OPW148, OPW149)."""
    source, result = tensor_type(op.tensor), op.result.type
    if source.rank < 1 or source.element_type not in (i1, i8):
        hint = "give booleans (i1), or bytes (i8) that stand for them"
        raise Diagnostic("OPW148", f"spec.positions looks for true elements in {source}", op, hint)
    if result.rank != source.rank or source.dims[:-1] != result.dims[:-1] or result.element_type != i32:
        hint = "the dims are the same but for the last, which counts the places; they are i32"
        raise Diagnostic("OPW149", f"the places of true elements of {source} cannot be {result}", op, hint)
