"""Rules of the spec dialect that its structure cannot say, each with its code."""

from ..diagnostics import Diagnostic
from .ops import OperatorOp, WriteOp


def outside_compute(write: WriteOp) -> Diagnostic:
    """Return the error for a write that no compute encloses."""
    return Diagnostic("OPW120", "spec.write stands outside spec.compute", write, "move it into the body of a compute")


def verify_operator(operator: OperatorOp) -> None:
    """Verify the whole operator; raise the first Diagnostic found."""
    for op in operator.body.walk():
        if isinstance(op, WriteOp):
            _ = op.compute
