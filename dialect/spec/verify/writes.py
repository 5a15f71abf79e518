"""Each result is written in one way."""

from ...diagnostics import Diagnostic
from ..ops import ComputeOp, WriteOp


def verify(compute: ComputeOp) -> None:
    """Refuse results without writes (OPW123) and with writes of several kinds (OPW122)."""
    kinds: dict[int, str] = {}
    for op in compute.walk():
        if isinstance(op, WriteOp) and kinds.setdefault(op.number.data, op.combine) != op.combine:
            first = kinds[op.number.data] or "plain"
            text = f"result {op.number.data} has writes of two kinds: {first} and {op.combine or 'plain'}"
            raise Diagnostic("OPW122", text, op, "write all of a result, or combine all of it in one way")
    for number in range(len(compute.results_)):
        if number not in kinds:
            raise Diagnostic("OPW123", f"result {number} is never written", compute)
